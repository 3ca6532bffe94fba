package io.gpusched.schedule;

import io.gpusched.workload.Pod;
import io.gpusched.workload.PodSpec;
import org.jspecify.annotations.Nullable;

/**
 * Lets pods that ask for the same share one {@link PodSpec}, so that the placements of a large cluster, which carry them,
 * hold few: callers often make each pod from scratch. Remembers one specification for each of {@value #SLOTS} hashes and
 * costs O(containers) for one that it sees for the first time. Not thread-safe.
 */
final class SharedSpecs {
    private static final int SLOTS = 1 << 8;

    private final @Nullable PodSpec[] known = new PodSpec[SLOTS];

    /** Returns the pod, with an equal specification met before if it is still known. */
    @SuppressWarnings("ReferenceEquality") // the same object needs no comparison
    Pod shared(Pod pod) {
        PodSpec spec = pod.spec();
        int hash = spec.hashCode();
        int slot = (hash ^ hash >>> 8 ^ hash >>> 16 ^ hash >>> 24) & SLOTS - 1;
        PodSpec met = known[slot];
        if (met == spec) {
            return pod;
        }
        if (spec.equals(met)) {
            return new Pod(pod.id(), met);
        }
        known[slot] = spec;
        return pod;
    }
}
