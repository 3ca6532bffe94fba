package io.gpusched.testkit;

/**
 * What is taken of one GPU, in plain numbers.
 *
 * @param whole whether one pod holds it whole
 * @param compute compute taken in parts, in milli
 * @param memory memory taken in parts, in MiB
 * @param slots slots taken in parts
 */
public record Taken(boolean whole, long compute, long memory, long slots) {
    /** Nothing. */
    public static final Taken NOTHING = new Taken(false, 0, 0, 0);

    Taken plus(Taken other) {
        return new Taken(whole || other.whole, compute + other.compute, memory + other.memory, slots + other.slots);
    }

    /** The greater of each; who holds it whole holds no part. */
    Taken max(Taken other) {
        return whole || other.whole
                ? new Taken(true, 0, 0, 0)
                : new Taken(
                        false,
                        Math.max(compute, other.compute),
                        Math.max(memory, other.memory),
                        Math.max(slots, other.slots));
    }

    boolean isNothing() {
        return equals(NOTHING);
    }
}
