package io.gpusched.internal.fit;

/** By GPU of a node: tells apart what containers to come may find on it where amounts alone do not. */
final class LayoutMarks {
    final long[] first;
    final long[] second;

    LayoutMarks(int gpus) {
        first = new long[gpus];
        second = new long[gpus];
    }

    /** Adds a fact to a GPU, or takes it away. */
    void note(int gpu, long what, int times) {
        first[gpu] += times * StateSet.mix(StateSet.SEED + what);
        second[gpu] += times * StateSet.mix(StateSet.OTHER_SEED + what);
    }

    boolean areEqual(int one, int other) {
        return first[one] == first[other] && second[one] == second[other];
    }
}
