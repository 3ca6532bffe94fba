package io.gpusched.internal.rank;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.workload.Pod;
import org.jspecify.annotations.Nullable;

/** A pod as the key of its spec, and how many taints to avoid its nodes must have: pods of equal keys rank nodes alike. */
record SpecKey(Pod pod, int avoided) {
    static SpecKey of(PodDemand demand) {
        return new SpecKey(demand.pod(), demand.avoided());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SpecKey key && avoided == key.avoided && pod.asksTheSame(key.pod);
    }

    @Override
    public int hashCode() {
        return pod.requestHash() + avoided;
    }
}
