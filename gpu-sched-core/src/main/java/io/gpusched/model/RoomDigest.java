package io.gpusched.model;

/**
 * One node in the terms of the search tree: which lanes it occupies, with how much CPU and memory, and which free levels
 * its shared GPUs have.
 *
 * @param lanes bit set of the lanes of {@link RoomFormat}; 0 if nothing may be placed here
 * @param cpu free CPU in the steps of its class, plus 1
 * @param memory free memory in the steps of its class, plus 1
 * @param levels four words: free compute levels 0..63 and 64..100 percent, free memory levels likewise; shared by all
 *     nodes without shared GPUs
 */
record RoomDigest(int lanes, int cpu, int memory, long[] levels) {
    private static final long[] NO_LEVELS = new long[4];
    private static final RoomDigest CLOSED = new RoomDigest(0, 0, 0, NO_LEVELS);

    static RoomDigest of(NodeState state) {
        if (state.node().cordoned() || state.podCount() >= state.node().maxPods() || state.isHeldWhole()) {
            return CLOSED;
        }
        int lanes = 1 << RoomFormat.ANY | 1 << Math.min(state.idleGpus(), RoomFormat.MANY_IDLE);
        if (state.isEmpty() && state.gpuCount() > 0 && state.idleGpus() == state.gpuCount()) {
            lanes |= 1 << RoomFormat.EMPTY;
        }
        long[] levels = NO_LEVELS;
        for (int g = 0; g < state.gpuCount(); g++) {
            if (state.isShared(g) && state.freeSlots(g) > 0) {
                levels = levels == NO_LEVELS ? new long[4] : levels;
                int compute = computeLevel(state, g);
                int memory = memoryLevel(state, g);
                levels[compute >> 6] |= 1L << compute;
                levels[2 + (memory >> 6)] |= 1L << memory;
                lanes |= 1 << RoomFormat.computeLane(compute) | 1 << RoomFormat.memoryLane(memory);
            }
        }
        Resources capacity = state.nodeClass().capacity();
        return new RoomDigest(
                lanes,
                RoomFormat.lane(state.freeCpuMillis(), capacity.cpuMillis()),
                RoomFormat.lane(state.freeMemoryMib(), capacity.memoryMib()),
                levels);
    }

    static int computeLevel(NodeState state, int gpu) {
        return state.freeComputeMillis(gpu) * 100 / state.node().gpus().get(gpu).computeMillis();
    }

    static int memoryLevel(NodeState state, int gpu) {
        long capacity = state.node().gpus().get(gpu).memoryMib();
        return capacity == 0 ? 100 : (int) (state.freeMemoryMib(gpu) * 100 / capacity);
    }
}
