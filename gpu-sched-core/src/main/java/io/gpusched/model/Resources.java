package io.gpusched.model;

import io.gpusched.internal.check.Checks;

/**
 * An amount of the two resources that every pod takes beside GPUs.
 *
 * @param cpuMillis CPU in thousandths of a core, 0..2<sup>62</sup>; of one node or container 0..10<sup>12</sup>
 * @param memoryMib main memory in MiB, within the same ranges
 */
public record Resources(long cpuMillis, long memoryMib) {
    /** The greatest legal amount of either resource on one node, and in one container. */
    public static final long MAX = 1_000_000_000_000L;

    /** The greatest legal sum of either resource over many: 2<sup>62</sup>. */
    public static final long MAX_SUM = 1L << 62;

    /** Nothing of either. */
    public static final Resources NONE = new Resources(0, 0);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if an amount is negative or above {@link #MAX_SUM}
     */
    public Resources {
        Checks.inRange("resources", "cpuMillis", cpuMillis, 0, MAX_SUM);
        Checks.inRange("resources", "memoryMib", memoryMib, 0, MAX_SUM);
    }

    /** Returns these amounts, e.g. {@code Resources.of(4_000, 16_384)} for four cores and 16 GiB. */
    public static Resources of(long cpuMillis, long memoryMib) {
        return new Resources(cpuMillis, memoryMib);
    }

    /**
     * Returns the sum, resource by resource.
     *
     * @throws IllegalArgumentException if the sum exceeds {@link #MAX_SUM}
     */
    public Resources plus(Resources other) {
        return new Resources(cpuMillis + other.cpuMillis, memoryMib + other.memoryMib);
    }

    /** Returns the greater amount of each resource. */
    public Resources max(Resources other) {
        return new Resources(Math.max(cpuMillis, other.cpuMillis), Math.max(memoryMib, other.memoryMib));
    }

    /** Returns the lesser amount of each resource. */
    public Resources min(Resources other) {
        return new Resources(Math.min(cpuMillis, other.cpuMillis), Math.min(memoryMib, other.memoryMib));
    }

    /** Returns whether both amounts are at most those of {@code other}. */
    public boolean fitsIn(Resources other) {
        return cpuMillis <= other.cpuMillis && memoryMib <= other.memoryMib;
    }

    @Override
    public String toString() {
        return cpuMillis + "m CPU, " + memoryMib + " MiB";
    }
}
