package io.gpusched.internal.cycle;

import io.gpusched.policy.CycleSettings;
import java.util.Comparator;

/**
 * Which job of a queue is next: the highest priority, then those below their minimum, then by the chosen order, then whichever was
 * submitted first, then by the order of the jobs.
 */
final class JobOrder implements Comparator<JobState> {
    private final CycleSettings.JobOrder order;

    JobOrder(CycleSettings.JobOrder order) {
        this.order = order;
    }

    @Override
    public int compare(JobState first, JobState second) {
        int result = Integer.compare(second.job.priority(), first.job.priority());
        if (result == 0) {
            result = Boolean.compare(second.isBelowMinimum(), first.isBelowMinimum());
        }
        if (result == 0) {
            result = chosen(first, second);
        }
        if (result == 0) {
            result = Long.compare(first.job.submitted(), second.job.submitted());
        }
        return result != 0 ? result : Integer.compare(first.index, second.index);
    }

    private int chosen(JobState first, JobState second) {
        return switch (order) {
            case SUBMITTED -> 0;
            case SHORTEST -> Long.compare(duration(first), duration(second));
        };
    }

    /** How long it runs, as expected or else at most; a job of which neither is known counts as if it ran forever. */
    private static long duration(JobState job) {
        return Math.max(
                1, job.job.expectedDuration().orElse(job.job.maxDuration().orElse(Long.MAX_VALUE)));
    }
}
