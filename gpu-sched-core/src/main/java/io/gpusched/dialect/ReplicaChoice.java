package io.gpusched.dialect;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Which replicas of shared GPUs NVIDIA's device plugin prefers ({@code GetPreferredAllocation}). */
public enum ReplicaChoice {
    /** From the GPU with the fewest replicas in use. */
    DISTRIBUTED,
    /** From the GPU with the most replicas in use. */
    PACKED;

    /**
     * Returns how many replicas to take of each GPU. One after the other is taken from the GPU with the fewest (most) in
     * use, then the fewest already taken, then the lowest index; the plugin leaves that last tie to chance.
     *
     * @param total replicas of each GPU
     * @param free replicas of each GPU that nobody uses, those that must be taken included
     * @param required replicas of each GPU that must be taken
     * @param size how many are wanted, those that must be taken included
     * @throws IllegalArgumentException if the lists differ in length, or there are too few
     */
    public List<Integer> choose(List<Integer> total, List<Integer> free, List<Integer> required, int size) {
        int gpus = total.size();
        if (free.size() != gpus || required.size() != gpus) {
            throw new IllegalArgumentException(
                    "replica lists must have one length, got " + gpus + ", " + free.size() + " and " + required.size());
        }
        List<Integer> picked = new ArrayList<>(required);
        int need = size - required.stream().mapToInt(Integer::intValue).sum();
        if (need < 0) {
            throw new IllegalArgumentException("size must be at least the number of required replicas, got " + size);
        }
        List<Integer> added = new ArrayList<>(Collections.nCopies(gpus, 0));
        for (int i = 0; i < need; i++) {
            Comparator<Integer> byUse = Comparator.comparingInt(g -> total.get(g) - free.get(g) + picked.get(g));
            int next = IntStream.range(0, gpus)
                    .boxed()
                    .filter(g -> picked.get(g) < free.get(g))
                    .min((this == DISTRIBUTED ? byUse : byUse.reversed())
                            .thenComparing(added::get)
                            .thenComparing(g -> g))
                    .orElseThrow(() -> new IllegalArgumentException(
                            "size must be at most the number of free replicas, got " + size));
            picked.set(next, picked.get(next) + 1);
            added.set(next, added.get(next) + 1);
        }
        return List.copyOf(picked);
    }
}
