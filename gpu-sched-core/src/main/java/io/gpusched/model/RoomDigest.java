package io.gpusched.model;

/**
 * One node in the terms of the search tree: which lanes it occupies, with how much CPU and memory, and which free levels
 * its shared GPUs have.
 *
 * @param lanes bit set of the lanes of {@link RoomFormat}; 0 if nothing may be placed here
 * @param cpu free CPU in the steps of its class, plus 1
 * @param memory free memory in the steps of its class, plus 1
 * @param lowCompute which free compute levels 0..63 percent its shared GPUs have
 * @param highCompute likewise 64..100 percent
 * @param lowMemory which free memory levels 0..63 percent its shared GPUs have
 * @param highMemory likewise 64..100 percent
 */
record RoomDigest(int lanes, int cpu, int memory, long lowCompute, long highCompute, long lowMemory, long highMemory) {
    private static final RoomDigest CLOSED = new RoomDigest(0, 0, 0, 0, 0, 0, 0);

    static RoomDigest of(NodeState state) {
        if (state.node().cordoned() || state.podCount() >= state.node().maxPods() || state.isHeldWhole()) {
            return CLOSED;
        }
        int lanes = 1 << RoomFormat.ANY | 1 << Math.min(state.idleGpus(), RoomFormat.MANY_IDLE);
        if (state.isEmpty() && state.gpuCount() > 0 && state.idleGpus() == state.gpuCount()) {
            lanes |= 1 << RoomFormat.EMPTY;
        }
        long lowCompute = 0;
        long highCompute = 0;
        long lowMemory = 0;
        long highMemory = 0;
        for (int g = 0; g < state.gpuCount(); g++) {
            if (!state.isShared(g) || state.freeSlots(g) == 0) {
                continue;
            }
            int compute = computeLevel(state, g);
            int memory = memoryLevel(state, g);
            lowCompute |= compute < 64 ? 1L << compute : 0;
            highCompute |= compute < 64 ? 0 : 1L << (compute - 64);
            lowMemory |= memory < 64 ? 1L << memory : 0;
            highMemory |= memory < 64 ? 0 : 1L << (memory - 64);
            lanes |= 1 << RoomFormat.computeLane(compute) | 1 << RoomFormat.memoryLane(memory);
        }
        Resources capacity = state.nodeClass().capacity();
        return new RoomDigest(
                lanes,
                RoomFormat.lane(state.freeCpuMillis(), capacity.cpuMillis()),
                RoomFormat.lane(state.freeMemoryMib(), capacity.memoryMib()),
                lowCompute,
                highCompute,
                lowMemory,
                highMemory);
    }

    /** The word of levels at this place: low and high compute, low and high memory. */
    long levels(int word) {
        return switch (word) {
            case 0 -> lowCompute;
            case 1 -> highCompute;
            case 2 -> lowMemory;
            default -> highMemory;
        };
    }

    static int computeLevel(NodeState state, int gpu) {
        return state.freeComputeMillis(gpu) * 100 / state.node().gpus().get(gpu).computeMillis();
    }

    static int memoryLevel(NodeState state, int gpu) {
        long capacity = state.node().gpus().get(gpu).memoryMib();
        return capacity == 0 ? 100 : (int) (state.freeMemoryMib(gpu) * 100 / capacity);
    }
}
