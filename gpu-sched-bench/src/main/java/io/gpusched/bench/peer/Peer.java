package io.gpusched.bench.peer;

/** A mutable cluster of equal nodes with 8 GPUs that takes one kind of pod. */
public interface Peer {
    /** GPUs of a node. */
    int GPUS = 8;

    /**
     * Returns where a pod leaves the least over: eight times the node plus the GPU, or plus 0 for a whole node; -1 if there
     * is no room.
     */
    int find();

    /** Places a pod there. */
    void take(int place);

    /** Releases a pod there. */
    void release(int place);
}
