package io.gpusched.internal.cycle;

import io.gpusched.model.Placement;
import java.util.List;

/** Members of a job that leave together or stay: one beyond its minimum, or its minimum. */
final class Victim {
    private final JobState job;
    private final List<Placement> placements;
    private final long[] held;
    private final boolean isLast;
    private final int ordinal;

    Victim(JobState job, List<Placement> placements, long[] held, boolean isLast, int ordinal) {
        this.job = job;
        this.placements = placements;
        this.held = held;
        this.isLast = isLast;
        this.ordinal = ordinal;
    }

    JobState job() {
        return job;
    }

    List<Placement> placements() {
        return placements;
    }

    /** Whether one of them is on a node. */
    boolean isOn(String node) {
        return placements.stream().anyMatch(placement -> placement.node().equals(node));
    }

    /** What they hold together. */
    long[] held() {
        return held;
    }

    /** Whether they may leave only if all other members of the job leave too. */
    boolean isLast() {
        return isLast;
    }

    /** The lower, the earlier it leaves of its job. */
    int ordinal() {
        return ordinal;
    }

    /** What they ask if they are to run again. */
    Ask again() {
        boolean isAll = placements.size() == job.running.size();
        return new Ask(job, Members.again(job.job.group(), placements, isAll), held, false);
    }

    @Override
    public String toString() {
        return placements.size() + " of " + job.name();
    }
}
