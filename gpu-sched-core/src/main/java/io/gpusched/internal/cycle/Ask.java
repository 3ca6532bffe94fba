package io.gpusched.internal.cycle;

import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.List;

/** What a job asks next: all that its minimum lacks, together, or one member more. */
final class Ask {
    private final JobState job;
    private final PodGroup group;
    private final List<Pod> pods;
    private final long[] asked;
    private final boolean isMinimum;

    Ask(JobState job, PodGroup group, long[] asked, boolean isMinimum) {
        this.job = job;
        this.group = group;
        this.pods = group.pods();
        this.asked = asked;
        this.isMinimum = isMinimum;
    }

    JobState job() {
        return job;
    }

    /** The pods as a group that starts whole. */
    PodGroup group() {
        return group;
    }

    List<Pod> pods() {
        return pods;
    }

    /** At least what they take. */
    long[] asked() {
        return asked;
    }

    /** Whether what it gets may never be evicted. */
    boolean isFixed() {
        return job.isFixed(isMinimum);
    }
}
