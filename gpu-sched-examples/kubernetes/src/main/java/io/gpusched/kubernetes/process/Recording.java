package io.gpusched.kubernetes.process;

import io.gpusched.kubernetes.decide.PlanListener;
import io.gpusched.kubernetes.write.EventSubject;
import io.gpusched.kubernetes.write.EventWriter;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.replay.Recorder;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what is decided in one time of leading. If it ends before, the log, a metric and an event on the lease say why (on the namespace
 * {@code default} where there is no lease), and the scheduler goes on. Called by the deciding thread.
 */
final class Recording implements PlanListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Recording.class);
    private static final String ENDED = "RecordingEnded";

    private final @Nullable Recorder recorder;

    private Recording(@Nullable Recorder recorder) {
        this.recorder = recorder;
    }

    static Recording open(
            RecordSettings how, Optional<LeaseSettings> lease, SchedulerMetrics metrics, EventWriter events) {
        EventSubject subject = lease.map(
                        held -> new EventSubject("coordination.k8s.io/v1", "Lease", held.namespace(), held.name(), ""))
                .orElse(new EventSubject("v1", "Namespace", "", "default", ""));
        Consumer<String> ended = why -> {
            LOG.atWarn().addKeyValue("folder", how.folder()).log("recording ended: " + why);
            metrics.troubled(ENDED);
            events.write(subject, "Warning", ENDED, "recording into " + how.folder() + " ended: " + why);
        };
        try {
            return new Recording(Recorder.open(how.folder(), how.limits(), ended));
        } catch (UncheckedIOException e) {
            ended.accept(String.valueOf(e.getMessage()));
            return new Recording(null);
        }
    }

    @Override
    public void planned(SchedulingCycle cycle, QueueState state, long time, Plan plan) {
        if (recorder != null) {
            recorder.add(cycle, state, time, plan);
        }
    }

    @Override
    public void close() {
        if (recorder != null) {
            recorder.close();
        }
    }
}
