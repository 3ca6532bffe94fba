package io.gpusched.model.partition;

import io.gpusched.check.Checks;
import io.gpusched.model.GpuModel;
import io.gpusched.model.amount.NamedAmounts;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/**
 * One kind of partition: what it is called, where on the grid of its device it may lie, and what it takes.
 *
 * <p>A geometry may hold several profiles of one name in different {@linkplain #mode modes}; a request names the profile and
 * takes any of them. Immutable and thread-safe.
 *
 * @param name what requests call it, such as {@code 3g.20gb}, not blank
 * @param size how many units of the grid it takes, 0..32; 0 for a template without a place
 * @param starts the units at which it may begin, ascending; 0 alone for a template without a place
 * @param max how many instances a device may hold at once, 1..255
 * @param computeMillis compute that an instance takes, in thousandths of the device, 0..65,535
 * @param memoryMib memory that an instance takes, in MiB, 0..268,435,455
 * @param counters what else an instance takes of what the geometry counts by name, such as {@code decoders}
 * @param mode the mode in which the device must be, or nothing for any: all instances on a device are of one mode
 * @param nodeMode the mode in which the whole node must be, or nothing for any: all instances on a node are of one such mode
 */
public record PartitionProfile(
        String name,
        int size,
        List<Integer> starts,
        int max,
        int computeMillis,
        long memoryMib,
        NamedAmounts counters,
        String mode,
        String nodeMode) {
    private static final int MOST_INSTANCES = 255;
    private static final int MOST_COMPUTE_MILLIS = (1 << 16) - 1;

    /**
     * Copies the list and checks the values.
     *
     * @throws IllegalArgumentException if the name is blank, a number is out of range, starts do not ascend, or a template
     *     without a place has a start other than 0
     */
    public PartitionProfile {
        Objects.requireNonNull(counters, "counters");
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(nodeMode, "nodeMode");
        Checks.notBlank("partition profile", "name", name);
        String what = "partition profile \"" + name + "\"";
        Checks.inRange(what, "size", size, 0, PartitionGeometry.MAX_GRID_UNITS);
        starts = Checks.list("starts", starts);
        Checks.inRange(what, "number of starts", starts.size(), 1, PartitionGeometry.MAX_GRID_UNITS);
        starts.forEach(start -> Checks.inRange(what, "start", start, 0, PartitionGeometry.MAX_GRID_UNITS - 1));
        if (!List.copyOf(new TreeSet<>(starts)).equals(starts)) {
            throw new IllegalArgumentException(what + ": starts must ascend, got " + starts);
        }
        Checks.inRange(what, "max", max, 1, MOST_INSTANCES);
        if (size == 0 && !starts.equals(List.of(0))) {
            throw new IllegalArgumentException(
                    what + ": a template without a place must have the start 0, got starts " + starts);
        }
        Checks.inRange(what, "computeMillis", computeMillis, 0, MOST_COMPUTE_MILLIS);
        Checks.inRange(what, "memoryMib", memoryMib, 0, GpuModel.MAX_MEMORY_MIB);
    }

    /** Returns a profile that may lie at these units, as often as it has starts, and takes nothing but its units. */
    public static PartitionProfile of(String name, int size, List<Integer> starts) {
        Objects.requireNonNull(starts, "starts");
        return new PartitionProfile(name, size, starts, starts.size(), 0, 0, NamedAmounts.NONE, "", "");
    }

    /** Returns a template without a place; a device holds at most this number of it. */
    public static PartitionProfile template(String name, int max) {
        return new PartitionProfile(name, 0, List.of(0), max, 0, 0, NamedAmounts.NONE, "", "");
    }

    /** Returns this profile, at these units only. */
    public PartitionProfile withStarts(List<Integer> value) {
        Checks.noNulls("value", value);
        return new PartitionProfile(name, size, value, max, computeMillis, memoryMib, counters, mode, nodeMode);
    }

    /** Returns this profile, with at most this number of it on a device. */
    public PartitionProfile withMax(int value) {
        return new PartitionProfile(name, size, starts, value, computeMillis, memoryMib, counters, mode, nodeMode);
    }

    /** Returns this profile, taking this much compute of the device, in milli. */
    public PartitionProfile withComputeMillis(int value) {
        return new PartitionProfile(name, size, starts, max, value, memoryMib, counters, mode, nodeMode);
    }

    /** Returns this profile, taking this much memory of the device, in MiB. */
    public PartitionProfile withMemoryMib(long value) {
        return new PartitionProfile(name, size, starts, max, computeMillis, value, counters, mode, nodeMode);
    }

    /** Returns this profile, taking these amounts of what is counted by name. */
    public PartitionProfile withCounters(NamedAmounts value) {
        Objects.requireNonNull(value, "value");
        return new PartitionProfile(name, size, starts, max, computeMillis, memoryMib, value, mode, nodeMode);
    }

    /** Returns this profile in a mode of the device; nothing for any. */
    public PartitionProfile withMode(String value) {
        Objects.requireNonNull(value, "value");
        return new PartitionProfile(name, size, starts, max, computeMillis, memoryMib, counters, value, nodeMode);
    }

    /** Returns this profile in a mode of the node; nothing for any. */
    public PartitionProfile withNodeMode(String value) {
        Objects.requireNonNull(value, "value");
        return new PartitionProfile(name, size, starts, max, computeMillis, memoryMib, counters, mode, value);
    }

    @Override
    public String toString() {
        return name + (size == 0 ? "" : " (" + size + " at " + starts + ")") + ", at most " + max;
    }
}
