package io.gpusched.internal.fit;

import io.gpusched.model.NodeClass;
import io.gpusched.model.Placement;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodSpec;
import org.jspecify.annotations.Nullable;

/**
 * Lets equal pods share what follows from their specification, and their placements what they carry: what the pods ask, and what they hold. A large cluster keeps one
 * placement for each pod that runs; of what these carry the garbage collector then has few objects to copy, and what is
 * shared is in a cache when it is read again.
 *
 * <p>Remembers one value for each of so many hashes and costs a comparison for each pod. What it forgets is not shared,
 * nothing else. Not thread-safe.
 */
public final class SharedValues {
    private static final int SPECS = 1 << 8;
    private static final int PLACEMENTS = 1 << 12;

    private final @Nullable PodDemand[] demands = new PodDemand[SPECS];
    private final @Nullable Placement[] held = new Placement[PLACEMENTS];
    private final @Nullable Known[] known = new Known[PLACEMENTS];

    /** What a pod of one container holds when it gets these GPUs, as a mask by index, of any node of a class. */
    private record Known(PodSpec spec, NodeClass nodeClass, long gpus, Placement placement) {}

    /** Returns what a pod asks; what follows from its specification alone is taken from a pod of an equal one, if that is still known. */
    public PodDemand demand(Pod pod) {
        PodSpec spec = pod.spec();
        int hash = spec.hashCode();
        int slot = (hash ^ hash >>> 8 ^ hash >>> 16 ^ hash >>> 24) & SPECS - 1;
        PodDemand met = demands[slot];
        if (met != null && spec.equals(met.spec())) {
            return met.of(pod);
        }
        PodDemand demand = new PodDemand(pod, this);
        demands[slot] = demand;
        return demand;
    }

    /**
     * Returns a placement of what a pod of one container was said to hold when it gets these GPUs of a node of this class, or null if that is
     * not known.
     */
    @SuppressWarnings("ReferenceEquality") // equal pods share their specification, and nodes their class
    @Nullable
    Placement known(PodSpec spec, NodeClass nodeClass, long gpus) {
        Known met = known[slot(31 * gpus + spec.hashCode())];
        return met != null && met.gpus == gpus && met.spec == spec && met.nodeClass == nodeClass ? met.placement : null;
    }

    /** Remembers what {@link #known} is to return. */
    void remember(PodSpec spec, NodeClass nodeClass, long gpus, Placement placement) {
        known[slot(31 * gpus + spec.hashCode())] = new Known(spec, nodeClass, gpus, placement);
    }

    private static int slot(long hash) {
        return (int) (hash * 0x9E37_79B9_7F4A_7C15L >>> Long.SIZE - 12);
    }

    /**
     * Returns this placement, or one in which the same is held if such a one was met before and is still known.
     *
     * @param hash equal where the same is likely to be held
     */
    Placement shared(long hash, Placement placement) {
        int slot = slot(hash);
        Placement met = held[slot];
        if (met != null && met.holdsLike(placement)) {
            return met;
        }
        held[slot] = placement;
        return placement;
    }
}
