package io.gpusched.dialect.internal;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Devices of two cores in a row, of which a container gets one core, one device, or a run of devices: any run on a ring's nodes,
 * else 4, 8 or 16 devices that begin at a multiple of their number. Single ones come from the end, runs from the start.
 *
 * @param first the index of the first core in the node
 * @param cores how many cores there are
 * @param open which cores have room, by position
 * @param ring whether the node's devices form a ring
 */
public record Runs(int first, int cores, BitSet open, boolean ring) {
    private static final int CORES = 2;
    private static final List<Integer> ALIGNED = List.of(4, 8, 16);

    /** Returns the cores for a container that needs so many, or none. */
    public List<Integer> choose(int count) {
        if (count == 1) {
            return oneCore();
        }
        int devices = count / CORES;
        List<Integer> starts = new ArrayList<>();
        if (devices == 1) {
            IntStream.range(0, cores / CORES).forEach(at -> starts.add(0, at));
        } else if (ring || ALIGNED.contains(devices)) {
            int step = ring ? 1 : devices;
            for (int at = 0; at + devices <= cores / CORES; at += step) {
                starts.add(at);
            }
        }
        return starts.stream()
                .filter(at -> open.nextClearBit(at * CORES) >= (at + devices) * CORES)
                .findFirst()
                .map(at -> indexes(at * CORES, count))
                .orElse(List.of());
    }

    private List<Integer> indexes(int from, int count) {
        return IntStream.range(first + from, first + from + count).boxed().toList();
    }

    /** Of the last device with a free core the first that is free. */
    private List<Integer> oneCore() {
        int last = open.previousSetBit(cores - 1);
        return last < 0 ? List.of() : indexes(open.nextSetBit(last - last % CORES), 1);
    }
}
