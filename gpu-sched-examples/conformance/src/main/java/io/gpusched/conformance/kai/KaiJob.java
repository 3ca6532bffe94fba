package io.gpusched.conformance.kai;

import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Placement;
import io.gpusched.queue.Eviction;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.JobStatus;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** A job of a case. */
final class KaiJob {
    /** The time of each round; KAI's cases say how long ago something was. */
    static final long NOW = 1_000_000_000L;

    private static final long MINUTE = 60;

    final String name;
    final List<KaiTask> tasks = new ArrayList<>();
    private final YamlNode job;
    private final OptionalLong staleSince;

    /**
     * Reads a job.
     *
     * @param grace how long jobs may be below their minimum, in seconds, where they do not say so themselves
     */
    KaiJob(YamlNode job, long grace) {
        this.job = job;
        name = job.need("name").text();
        List<YamlNode> listed = new ArrayList<>(job.need("tasks").list());
        listed.sort(Comparator.comparingLong(
                (YamlNode task) -> -task.at("taskPriority").numberOr(0)));
        listed.forEach(task -> tasks.add(KaiPods.task(job.need("request"), task)));
        long own = job.at("staleGraceSeconds").numberOr(grace);
        staleSince = job.has("staleForSeconds") && own >= 0
                ? OptionalLong.of(NOW - job.need("staleForSeconds").number() - grace + own)
                : OptionalLong.empty();
    }

    /** Whether what was evicted of it stays there, because it has been deleted. */
    boolean isDeleted() {
        return job.at("deletedOnceReleasing").isTrueOr(false);
    }

    int order() {
        return job.at("order").integerOr(0);
    }

    /** Returns it as the cycle sees it: what has succeeded is no member any more. */
    Job state() {
        boolean preemptible = job.need("preemptible").isTrue();
        long submitted = NOW - MINUTE * job.at("ageMinutes").numberOr(0);
        JobSpec spec = JobSpec.builder(group(), job.need("queue").text())
                .priority(job.at("priority").integerOr(0))
                .eviction(preemptible ? Eviction.GANG : Eviction.NEVER)
                .submitted(submitted)
                .preemptionDelay(job.at("preemptionDelaySeconds").numberOr(0))
                .build();
        List<Placement> running = places(task -> task.status == KaiTask.Status.RUNNING);
        JobStatus status = new JobStatus(
                running,
                places(KaiTask::isEnding),
                places(task -> task.status == KaiTask.Status.NOMINATED),
                running.isEmpty() ? OptionalLong.empty() : OptionalLong.of(submitted),
                staleSince,
                Optional.empty());
        return new Job(spec, status);
    }

    private List<Placement> places(Predicate<KaiTask> which) {
        List<Placement> places = new ArrayList<>();
        for (KaiTask task : tasks) {
            if (which.test(task) && task.place != null) {
                places.add(task.place);
            }
        }
        return places;
    }

    private PodGroup group() {
        return KaiTree.group(name, job.need("group"), tasks);
    }
}
