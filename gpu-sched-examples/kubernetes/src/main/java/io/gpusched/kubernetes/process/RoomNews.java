package io.gpusched.kubernetes.process;

import io.gpusched.kubernetes.decide.Change;
import io.gpusched.kubernetes.watch.Inbox;
import io.gpusched.kubernetes.write.EventSubject;
import io.gpusched.kubernetes.write.EventWriter;
import io.gpusched.kubernetes.write.RoomListener;
import io.gpusched.manifests.grant.NominationRecord;
import io.gpusched.model.PodId;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells people, metrics and the deciding thread what comes of room that is made. */
final class RoomNews implements RoomListener {
    private static final Logger LOG = LoggerFactory.getLogger(RoomNews.class);

    private final Inbox inbox;
    private final EventWriter events;
    private final SchedulerMetrics metrics;

    RoomNews(Inbox inbox, EventWriter events, SchedulerMetrics metrics) {
        this.inbox = inbox;
        this.events = events;
        this.metrics = metrics;
    }

    @Override
    public void evicted(NominationRecord.Victim victim, String job) {
        PodId pod = victim.pod();
        metrics.evicted();
        LOG.atInfo().addKeyValue("pod", pod).addKeyValue("for", job).log("evicted");
        events.write(
                new EventSubject("v1", "Pod", pod.namespace(), pod.name(), victim.uid()),
                "Normal",
                "Preempted",
                "evicted to make room for " + job);
    }

    @Override
    public void blocked(String job) {
        metrics.blocked();
    }

    @Override
    public void givenUp(String job, Optional<PodId> kept, String why) {
        kept.ifPresent(pod -> metrics.refused());
        inbox.add(new Change.RoomGivenUp(job, kept, why));
    }
}
