package io.gpusched.examples.place;

import io.gpusched.dialect.PodManifest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is to be placed.
 *
 * @param pods single pods, one after the other; empty where a group is asked
 * @param group a group, all at once
 * @param manifests the manifests of the pods by name, where they came as manifests
 */
record Asked(List<Pod> pods, Optional<PodGroup> group, Map<String, PodManifest> manifests) {
    /** Returns single pods without manifests. */
    static Asked pod(Pod pod) {
        return new Asked(List.of(pod), Optional.empty(), Map.of());
    }

    /** Returns a group without manifests. */
    static Asked group(PodGroup group) {
        return new Asked(List.of(), Optional.of(group), Map.of());
    }
}
