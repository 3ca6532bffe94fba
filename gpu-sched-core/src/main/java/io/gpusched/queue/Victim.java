package io.gpusched.queue;

import io.gpusched.model.Placement;
import java.util.Comparator;
import java.util.List;

/**
 * Members of a job that leave together or stay: one beyond its minimum, or its minimum.
 *
 * @param job the number of the job
 * @param facts the job
 * @param placements what they hold
 * @param amounts how much that is
 * @param isMinimum whether they may leave only if all other members of the job leave too
 * @param ordinal the lower, the earlier it leaves of its job
 */
@SuppressWarnings("ArrayRecordComponent") // amounts are never compared
record Victim(int job, JobFacts facts, List<Placement> placements, long[] amounts, boolean isMinimum, int ordinal) {
    /**
     * The cheapest first: the lowest priority; members beyond a minimum before a minimum; the fewest pods, then the most GPUs, so that few
     * leave; then the jobs that were submitted last.
     */
    private static final Comparator<Victim> FEWEST_FIRST = Victim::byWeight;

    /** KAI's order: without regard to how much leaves. */
    private static final Comparator<Victim> LATEST_FIRST = Comparator.comparingInt(Victim::priority)
            .thenComparing(Victim::isMinimum)
            .thenComparing(Victim::byAge);

    /** Which victims leave first. */
    static Comparator<Victim> cheapestFirst(CycleSettings settings) {
        return settings.kaiVictims() ? LATEST_FIRST : FEWEST_FIRST;
    }

    private static int byWeight(Victim one, Victim other) {
        int result = Integer.compare(one.priority(), other.priority());
        if (result == 0) {
            result = Boolean.compare(one.isMinimum, other.isMinimum);
        }
        if (result == 0) {
            result = Integer.compare(one.placements.size(), other.placements.size());
        }
        if (result == 0) {
            result = Long.compare(other.amounts[ResourceTable.GPU], one.amounts[ResourceTable.GPU]);
        }
        return result != 0 ? result : byAge(one, other);
    }

    private static int byAge(Victim one, Victim other) {
        int result = Long.compare(
                other.facts.job.spec().submitted(), one.facts.job.spec().submitted());
        if (result == 0) {
            result = Integer.compare(other.job, one.job);
        }
        return result != 0 ? result : Integer.compare(one.ordinal, other.ordinal);
    }

    int priority() {
        return facts.job.spec().priority();
    }

    boolean isOn(String node) {
        return placements.stream().anyMatch(placement -> placement.node().equals(node));
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public String toString() {
        return placements.size() + " of " + facts.name();
    }
}
