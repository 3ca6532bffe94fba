package io.gpusched.model;

import io.gpusched.check.Checks;
import io.gpusched.model.amount.NamedAmounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Amounts of CPU, memory and any number of other resources that are counted by name.
 *
 * <p>{@code Resources.of(4_000, 16_384).with("rdma/hca", 1)}: four cores, 16 GiB and one RDMA adapter.
 *
 * @param cpuMillis CPU in thousandths of a core, 0..2<sup>62</sup>; of one node or container 0..10<sup>12</sup>
 * @param memoryMib main memory in MiB, within the same ranges
 * @param named other resources by name, each 0..2<sup>62</sup>
 */
public record Resources(long cpuMillis, long memoryMib, NamedAmounts named) {
    /** The greatest legal amount of CPU or memory on one node, and in one container. */
    public static final long MAX = 1_000_000_000_000L;

    /** The greatest legal sum of either over many, and the greatest legal amount of any other resource: 2<sup>62</sup>. */
    public static final long MAX_SUM = NamedAmounts.MAX_SUM;

    /** Nothing of any. */
    public static final Resources NONE = new Resources(0, 0);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if an amount is negative or above {@link #MAX_SUM}
     */
    public Resources {
        Checks.inRange("resources", "cpuMillis", cpuMillis, 0, MAX_SUM);
        Checks.inRange("resources", "memoryMib", memoryMib, 0, MAX_SUM);
        Objects.requireNonNull(named, "named");
    }

    /** CPU and memory alone. */
    public Resources(long cpuMillis, long memoryMib) {
        this(cpuMillis, memoryMib, NamedAmounts.NONE);
    }

    /** Returns these amounts, e.g. {@code Resources.of(4_000, 16_384)} for four cores and 16 GiB. */
    public static Resources of(long cpuMillis, long memoryMib) {
        return new Resources(cpuMillis, memoryMib);
    }

    /** Returns so many cores and no memory, e.g. {@code Resources.cores(8).gib(64)}; 0..{@link #MAX} thousandths. */
    public static Resources cores(long cores) {
        Checks.inRange("resources", "cores", cores, 0, MAX / 1_000);
        return of(1_000 * cores, 0);
    }

    /** Returns these with the memory replaced, in GiB. */
    public Resources gib(long gib) {
        Checks.inRange("resources", "gib", gib, 0, MAX / 1_024);
        return new Resources(cpuMillis, 1_024 * gib, named);
    }

    /**
     * Returns these with the amount of one named resource replaced.
     *
     * @throws IllegalArgumentException if the name is none as {@link NamedAmounts} says, or the amount is out of range
     */
    public Resources with(String name, long amount) {
        return new Resources(cpuMillis, memoryMib, named.with(name, amount));
    }

    /** Returns the amount of a named resource; 0 if there is none. */
    public long amount(String name) {
        return named.amount(name);
    }

    /**
     * Returns the sum, resource by resource.
     *
     * @throws IllegalArgumentException if the sum exceeds {@link #MAX_SUM}
     */
    public Resources plus(Resources other) {
        Objects.requireNonNull(other, "other");
        return new Resources(cpuMillis + other.cpuMillis, memoryMib + other.memoryMib, named.plus(other.named));
    }

    /** Returns the greater amount of each resource. */
    public Resources max(Resources other) {
        Objects.requireNonNull(other, "other");
        return new Resources(
                Math.max(cpuMillis, other.cpuMillis), Math.max(memoryMib, other.memoryMib), named.max(other.named));
    }

    /** Returns the lesser amount of each resource. */
    public Resources min(Resources other) {
        Objects.requireNonNull(other, "other");
        return new Resources(
                Math.min(cpuMillis, other.cpuMillis), Math.min(memoryMib, other.memoryMib), named.min(other.named));
    }

    /** Returns whether all amounts are at most those of {@code other}. */
    public boolean fitsIn(Resources other) {
        Objects.requireNonNull(other, "other");
        return cpuMillis <= other.cpuMillis && memoryMib <= other.memoryMib && named.fitsIn(other.named);
    }

    /** Returns the amounts in words, those of 0 left out: {@code 1.5 cores, 2 GiB}; {@code 0 cores, 0 MiB} for none. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        if (cpuMillis > 0) {
            parts.add(inCores(cpuMillis));
        }
        if (memoryMib > 0) {
            parts.add(inMib(memoryMib));
        }
        if (!named.isEmpty()) {
            parts.add(named.toString());
        }
        return parts.isEmpty() ? "0 cores, 0 MiB" : String.join(", ", parts);
    }

    private static String inCores(long millis) {
        String decimals = String.format(Locale.ROOT, "%03d", millis % 1_000).replaceAll("0+$", "");
        return millis / 1_000 + (decimals.isEmpty() ? "" : "." + decimals) + (millis == 1_000 ? " core" : " cores");
    }

    /** Whole GiB are said as such. */
    private static String inMib(long mib) {
        return mib % 1_024 == 0 ? mib / 1_024 + " GiB" : mib + " MiB";
    }
}
