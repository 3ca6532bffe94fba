package io.gpusched.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** What all jobs of a state come to: kept from one plan to the next, where jobs come and go. Not thread-safe. */
final class JobSums {
    private final Queues queues;
    /** What each queue holds, without what terminates. */
    private final List<long[]> held;
    /** What of it may not be evicted. */
    private final List<long[]> fixed;
    /** What each queue holds, and what of it terminates. */
    private final List<long[]> standing;
    /** What each queue holds and asks for. */
    private final List<long[]> requested;

    private int pods;
    private int ruled;
    private int reserving;

    JobSums(Queues queues, int resources) {
        this(
                queues,
                zeros(queues, resources),
                zeros(queues, resources),
                zeros(queues, resources),
                zeros(queues, resources));
    }

    private JobSums(
            Queues queues, List<long[]> held, List<long[]> fixed, List<long[]> standing, List<long[]> requested) {
        this.queues = queues;
        this.held = held;
        this.fixed = fixed;
        this.standing = standing;
        this.requested = requested;
    }

    private static List<long[]> zeros(Queues queues, int resources) {
        List<long[]> zeros = new ArrayList<>();
        for (int q = 0; q < queues.size(); q++) {
            zeros.add(new long[resources]);
        }
        return zeros;
    }

    JobSums copy() {
        JobSums copy = new JobSums(queues, copy(held), copy(fixed), copy(standing), copy(requested));
        copy.pods = pods;
        copy.ruled = ruled;
        copy.reserving = reserving;
        return copy;
    }

    private static List<long[]> copy(List<long[]> sums) {
        List<long[]> copy = new ArrayList<>(sums.size());
        sums.forEach(each -> copy.add(each.clone()));
        return copy;
    }

    void add(JobFacts facts) {
        change(facts, Amounts::add);
        count(facts, 1);
    }

    void subtract(JobFacts facts) {
        change(facts, Amounts::subtract);
        count(facts, -1);
    }

    private void change(JobFacts facts, BiConsumer<long[], long[]> by) {
        for (int q = facts.queue; q >= 0; q = queues.parent(q)) {
            by.accept(held.get(q), facts.running);
            by.accept(fixed.get(q), facts.fixed);
            by.accept(standing.get(q), facts.standing);
            by.accept(requested.get(q), facts.requested);
        }
    }

    private void count(JobFacts facts, int sign) {
        JobStatus status = facts.job.status();
        pods += sign * (status.running().size() + status.terminating().size());
        ruled += facts.isRuled ? sign : 0;
        reserving += facts.job.spec().promised() || status.reservation().isPresent() ? sign : 0;
    }

    List<long[]> held() {
        return held;
    }

    List<long[]> fixed() {
        return fixed;
    }

    List<long[]> standing() {
        return standing;
    }

    /** A copy of what each queue holds and asks for. */
    List<long[]> requested() {
        return copy(requested);
    }

    /** How many pods run or terminate. */
    int pods() {
        return pods;
    }

    /** How many jobs have members with rules that look at pods around them. */
    int ruled() {
        return ruled;
    }

    /** How many jobs are promised a start or have one reserved. */
    int reserving() {
        return reserving;
    }
}
