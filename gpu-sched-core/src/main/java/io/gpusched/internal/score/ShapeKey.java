package io.gpusched.internal.score;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.workload.Pod;
import org.jspecify.annotations.Nullable;

/** A pod as the key of its shape, and how many taints to avoid its nodes must have: pods of equal keys rank nodes alike. */
public record ShapeKey(Pod pod, int avoided) {
    /** Returns the key of what is asked for. */
    public static ShapeKey of(PodDemand demand) {
        return new ShapeKey(demand.pod(), demand.avoided());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ShapeKey key && avoided == key.avoided && pod.hasSameShape(key.pod);
    }

    @Override
    public int hashCode() {
        return pod.shapeHash() + avoided;
    }
}
