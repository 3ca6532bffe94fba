package io.gpusched.model;

import java.util.List;

/**
 * How much the shared GPUs of a node have left, in whole percent rounded down: which levels occur.
 *
 * @param lanes the lanes of {@link RoomFormat} that these levels fall into
 * @param lowCompute levels 0..63 of compute
 * @param highCompute levels 64..100 of compute
 * @param lowMemory levels 0..63 of memory
 * @param highMemory levels 64..100 of memory
 */
record SharedLevels(long lanes, long lowCompute, long highCompute, long lowMemory, long highMemory) {
    static final SharedLevels NONE = new SharedLevels(0, 0, 0, 0, 0);

    static SharedLevels of(NodeState state, List<Gpu> devices) {
        long lanes = 0;
        long lowCompute = 0;
        long highCompute = 0;
        long lowMemory = 0;
        long highMemory = 0;
        for (int g = 0; g < devices.size(); g++) {
            if (!state.isShared(g) || state.freeSlots(g) == 0) {
                continue;
            }
            Gpu gpu = devices.get(g);
            int compute = state.freeComputeMillis(g) * 100 / gpu.computeMillis();
            long left = state.freeMemoryMib(g);
            int memory = left == gpu.memoryMib() ? 100 : (int) (left * 100 / gpu.memoryMib());
            lowCompute |= compute < 64 ? 1L << compute : 0;
            highCompute |= compute < 64 ? 0 : 1L << (compute - 64);
            lowMemory |= memory < 64 ? 1L << memory : 0;
            highMemory |= memory < 64 ? 0 : 1L << (memory - 64);
            lanes |= 1L << RoomFormat.computeLane(compute) | 1L << RoomFormat.memoryLane(memory);
        }
        return lanes == 0 ? NONE : new SharedLevels(lanes, lowCompute, highCompute, lowMemory, highMemory);
    }

    long word(int word) {
        return switch (word) {
            case 0 -> lowCompute;
            case 1 -> highCompute;
            case 2 -> lowMemory;
            default -> highMemory;
        };
    }
}
