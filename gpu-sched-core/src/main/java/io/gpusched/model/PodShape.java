package io.gpusched.model;

/**
 * What a pod asks, its name aside. A placement carries that of the pod it serves; pods that ask for the same share one
 * object, so it costs a placement no more than a reference.
 *
 * <p>Immutable and thread-safe. {@code io.gpusched.workload.Pod.of(placement)} gives the whole pod back.
 */
public interface PodShape {
    /** Returns the CPU, memory and other resources that must be free for the pod. */
    Resources resources();

    /**
     * Returns whether the pod, while it runs, has a say in where other pods go or in how they are counted: by affinity,
     * anti-affinity, spread or ports. Not by default.
     */
    default boolean hasRules() {
        return false;
    }
}
