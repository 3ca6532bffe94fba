package io.gpusched.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.testkit.StressCase;
import java.lang.management.ManagementFactory;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Looks for requests that take long to decide: a random one first, then ever slower ones by small changes, then the next.
 * A few seconds in every build; {@code mvn verify -P adversary} gives it a minute and prints the worst.
 */
class AdversaryProperties {
    /** The budget is made for about 50 ms on a core of its own; a laptop that is busy or cold gets ten times as much. */
    private static final long MOST_MILLIS = 500;

    private static final long SECONDS = Long.getLong("gpusched.adversary.seconds", 3);

    @Property(tries = 1)
    void noRequest_takesLongToDecide(@ForAll long seed) {
        Random random = new Random(seed);
        long end = System.nanoTime() + SECONDS * 1_000_000_000L;
        StressCase worst = null;
        long worstNanos = 0;
        int decided = 0;
        while (System.nanoTime() < end) {
            StressCase slow = StressCase.of(random);
            long slowNanos = nanos(slow);
            for (int tried = 0; tried < 30 && System.nanoTime() < end; tried++) {
                StressCase next = slow.changed(random);
                long nanos = nanos(next);
                decided++;
                if (nanos > slowNanos) {
                    slow = next;
                    slowNanos = nanos;
                }
            }
            if (slowNanos > worstNanos) {
                worst = slow;
                worstNanos = slowNanos;
            }
        }
        System.out.printf("%d requests decided, the slowest in %.1f ms of CPU: %s%n", decided, worstNanos / 1e6, worst);
        assertThat(worstNanos / 1_000_000).as("seed %s, %s", seed, worst).isLessThan(MOST_MILLIS);
    }

    /** The CPU time of a decision, the least of three, so that neither the compiler nor a collection counts. */
    private static long nanos(StressCase stress) {
        Cluster cluster = stress.cluster();
        long least = Long.MAX_VALUE;
        for (int run = 0; run < 3; run++) {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            stress.decide(cluster);
            least = Math.min(least, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start);
        }
        return least;
    }
}
