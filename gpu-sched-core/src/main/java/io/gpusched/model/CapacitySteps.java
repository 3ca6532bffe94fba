package io.gpusched.model;

import io.gpusched.model.amount.NamedAmounts;
import java.util.HashMap;
import java.util.Map;

/** Rounds the CPU and memory of a node up, so that nodes of nearly equal size come out equal. */
final class CapacitySteps {
    /** An amount is rounded up to a number of steps from this to twice as many. */
    private static final int LEAST_STEPS = 16;

    /** Steps of a core, and of a GiB, times a power of two: what machines are made of comes out as it is. */
    private static final long CPU_UNIT = 1_000;

    private static final long MEMORY_UNIT = 1_024;

    private CapacitySteps() {}

    /** Returns these amounts rounded up by less than a sixteenth; 64 cores stay 64, 63.5 become 64; less than 2 cores stay as they are. Other resources become powers of two. */
    static Resources roundUp(Resources capacity) {
        return new Resources(
                roundUp(capacity.cpuMillis(), CPU_UNIT),
                roundUp(capacity.memoryMib(), MEMORY_UNIT),
                roundUp(capacity.named()));
    }

    private static long roundUp(long amount, long unit) {
        long step = unit;
        while (step % 2 == 0 && amount < LEAST_STEPS * step) {
            step /= 2;
        }
        if (amount < LEAST_STEPS * step) {
            return amount;
        }
        while (amount >= 2 * LEAST_STEPS * step) {
            step *= 2;
        }
        return Math.min(Resources.MAX, (amount + step - 1) / step * step);
    }

    private static NamedAmounts roundUp(NamedAmounts named) {
        if (named.isEmpty()) {
            return named;
        }
        Map<String, Long> rounded = new HashMap<>(named.asMap());
        rounded.replaceAll((name, amount) -> amount <= 1 ? amount : Long.highestOneBit(amount - 1) << 1);
        return NamedAmounts.of(rounded);
    }
}
