package io.gpusched.cli.place;

import io.gpusched.manifests.forecast.RunTime;
import io.gpusched.manifests.forecast.Start;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.queue.CyclePass;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.JobStatus;
import io.gpusched.queue.PendingReason;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.queue.StartCertainty;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Forecasts when what has no room starts: one scheduling cycle with conservative backfill on the cluster that the answers left, in which
 * a running pod ends as is known of it, and waiting pods are served in the order of the file.
 */
final class StartTimes {
    private static final String QUEUE = "asked";

    private final Cluster cluster;
    private final PlaceRequest asked;
    private final Instant now;

    /** The pods with a known end, and the pods that wait. */
    private final List<Job> jobs = new ArrayList<>();

    /** By the name of a job what it is called in an answer. */
    private final Map<String, String> words = new LinkedHashMap<>();

    /** How many pods have an end that is known. */
    private int ending;

    private StartTimes(Cluster cluster, PlaceRequest asked, Instant now) {
        this.cluster = cluster;
        this.asked = asked;
        this.now = now;
    }

    /**
     * Returns the starts, as many as the answers and in their order.
     *
     * @param cluster with all that was placed
     * @param ends the ends that are known of what ran before
     * @param answers what became of what was asked
     * @param scheduler finds the places
     */
    static List<Start> of(
            Cluster cluster,
            Map<PodId, RunningEnds.End> ends,
            PlaceRequest asked,
            List<Answer> answers,
            GpuScheduler scheduler,
            Instant now) {
        StartTimes times = new StartTimes(cluster, asked, now);
        ends.forEach(times::addRunning);
        for (int i = 0; i < answers.size(); i++) {
            times.add(answers.get(i), times.group(i), i);
        }
        QueueTree queues = QueueTree.of(List.of(JobQueue.builder(QUEUE).build()));
        CycleSettings settings = CycleSettings.standard()
                .withPasses(Set.of(CyclePass.ALLOCATE, CyclePass.BACKFILL))
                .withReservations(CycleSettings.ALL)
                .withForecasts(0);
        Plan plan = SchedulingCycle.of(settings, scheduler)
                .plan(QueueState.of(cluster, queues, times.jobs), now.getEpochSecond());
        List<Start> starts = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            starts.add(times.start(answers.get(i), times.group(i).name(), plan));
        }
        return starts;
    }

    /** What an answer is about; a single pod as a group of its own. */
    private PodGroup group(int answer) {
        int groups = asked.groups().size();
        if (answer < groups) {
            return asked.groups().get(answer).group();
        }
        Pod pod = asked.pods().get(answer - groups);
        return PodGroup.of(named(pod.id()), List.of(pod));
    }

    private static String named(PodId pod) {
        return "pod \"" + pod + "\"";
    }

    private void addRunning(PodId pod, RunningEnds.End end) {
        cluster.placement(pod)
                .ifPresent(placement -> addRunning(named(pod), List.of(placement), end.started(), end.runTime()));
    }

    private void addRunning(String name, List<Placement> placements, long started, RunTime runTime) {
        List<Pod> pods = placements.stream()
                .map(placement -> Pod.of(placement)
                        .orElseGet(() -> Pod.builder(placement.pod().toString()).build()))
                .toList();
        JobSpec.Builder job = JobSpec.builder(PodGroup.of(name, pods), QUEUE);
        runTime.addTo(job);
        jobs.add(new Job(job.build(), JobStatus.running(placements, started)));
        ending += pods.size();
        words.put(name, name + " on " + String.join(", ", nodes(placements)));
    }

    private void add(Answer answer, PodGroup group, int index) {
        if (answer instanceof Answer.Found found) {
            List<Placement> placements =
                    found.parts().stream().map(Answer.Part::placement).toList();
            RunTime runTime = runTime(placements.stream().map(Placement::pod).toList());
            if (runTime.isKnown() && !placements.isEmpty()) {
                addRunning(found.subject(), placements, now.getEpochSecond(), runTime);
            }
        } else if (answer instanceof Answer.NoRoom none) {
            JobSpec.Builder job = JobSpec.builder(group, QUEUE).submitted(index);
            runTime(group.pods().stream().map(Pod::id).toList()).addTo(job);
            jobs.add(Job.pending(job.build()));
            words.put(group.name(), none.subject());
        }
    }

    private RunTime runTime(Collection<PodId> pods) {
        return RunTime.ofAll(pods.stream()
                .map(pod -> asked.runTimes().getOrDefault(pod, RunTime.UNKNOWN))
                .toList());
    }

    private Start start(Answer answer, String job, Plan plan) {
        if (answer instanceof Answer.Found found) {
            return Start.now(
                    now,
                    nodes(found.parts().stream().map(Answer.Part::placement).toList()));
        }
        if (answer instanceof Answer.Refused refused) {
            return Start.unknown(refused.rule());
        }
        Optional<PendingReason> reason = plan.reason(job);
        if (reason.isPresent() && reason.get() instanceof PendingReason.Reserved reserved) {
            return new Start(
                    reserved.certainStart() == StartCertainty.BOUND ? Start.Certainty.BOUND : Start.Certainty.ESTIMATE,
                    Optional.of(Instant.ofEpochSecond(reserved.start())),
                    reservedNodes(plan, job),
                    reserved.waitsFor()
                            .map(name -> "waits for " + words.getOrDefault(name, name) + " to end")
                            .orElse(""));
        }
        return Start.unknown(
                reason.isEmpty()
                        ? "it would fit now but for the dialect's own rule"
                        : "no room even after the end of all pods whose end is known (" + ending + " of "
                                + cluster.placements().size() + ")");
    }

    private static List<String> reservedNodes(Plan plan, String name) {
        return plan.after().jobs().stream()
                .filter(job -> job.name().equals(name))
                .flatMap(job -> job.reservation().stream())
                .flatMap(reservation -> nodes(reservation.placements()).stream())
                .toList();
    }

    private static List<String> nodes(List<Placement> placements) {
        return placements.stream().map(Placement::node).distinct().toList();
    }
}
