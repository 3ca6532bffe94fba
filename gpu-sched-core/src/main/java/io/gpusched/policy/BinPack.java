package io.gpusched.policy;

import io.gpusched.internal.lookahead.NodeChange;
import io.gpusched.internal.lookahead.Tightness;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;
import java.util.Objects;

/**
 * Packs tightly: keeps idle GPUs idle, then whole nodes free.
 *
 * <p>Of two placements the better one
 * <ol>
 *   <li>takes fewer idle GPUs;
 *   <li>uses shared GPUs that had less left: the sum, over the shared GPUs it takes from, of the percentage that was left
 *       (of compute if it takes compute there, else of memory), rounded down each;
 *   <li>takes partitions of GPUs that, cut already, had room for less else: the sum, over these GPUs, of the rank of what still
 *       fitted there among all that a GPU of its kind can still have room for;
 *   <li>if it takes from no shared or cut GPU: is on the node with fewer idle GPUs, so that pods without GPUs go where no GPU idles, and a node with all its
 *       GPUs idle is the last to be broken into.
 * </ol>
 *
 * <p>For requests of one GPU container a scheduler finds the best node through the cluster's tree, without looking at the
 * others: typically O(log n). Immutable and thread-safe.
 */
public final class BinPack implements PlacementPolicy {
    private static final BinPack INSTANCE = new BinPack();

    private BinPack() {}

    /** Returns the policy. */
    public static BinPack of() {
        return INSTANCE;
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(pod, "pod");
        long broken = 0;
        long left = 0;
        boolean shares = false;
        for (int g = 0; g < before.gpuCount(); g++) {
            if (before.isIdle(g) && !after.isIdle(g)) {
                broken++;
            } else if (before.isCut(g)) {
                if (NodeChange.cuts(before, after, g)) {
                    left += NodeChange.partitionLevel(before, g);
                    shares = true;
                }
            } else if (before.freeSlots(g) > after.freeSlots(g)) {
                left += level(before, after, g);
                shares = true;
            }
        }
        return Tightness.score(broken, left, shares, before.idleGpus());
    }

    /** What was left of a shared GPU, in percent of the resource that is taken there. */
    private static long level(NodeState before, NodeState after, int gpu) {
        boolean takesMemoryAlone = after.freeComputeMillis(gpu) == before.freeComputeMillis(gpu)
                && after.freeMemoryMib(gpu) < before.freeMemoryMib(gpu);
        return Tightness.level(before, gpu, !takesMemoryAlone);
    }

    @Override
    public Scope scope() {
        return Scope.OCCUPANCY;
    }

    @Override
    public String toString() {
        return "bin-pack";
    }
}
