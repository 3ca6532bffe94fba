package io.gpusched.policy;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeMode;
import io.gpusched.workload.WorkloadProfile.Shape;
import java.util.Set;
import java.util.TreeSet;

/**
 * What decides which shapes may use the GPUs of a node: its mode and the models of its GPUs.
 *
 * <p>On a node with GPUs of several models a shape counts as accepted if it accepts any of them.
 */
record NodeKind(NodeMode mode, Set<String> models) {
    static NodeKind of(NodeClass nodeClass) {
        Set<String> models = new TreeSet<>();
        for (Gpu gpu : nodeClass.gpus()) {
            models.add(gpu.model().name());
        }
        return new NodeKind(nodeClass.mode(), models);
    }

    boolean hasGpus() {
        return !models.isEmpty();
    }

    /** Whether pods of this shape may run here, sizes aside; pods without GPUs run anywhere. */
    boolean accepts(Shape shape) {
        if (shape.gpuCount() == 0) {
            return true;
        }
        boolean admitted = shape.isWhole() ? mode.admitsWhole() : mode.admitsShares();
        return admitted
                && hasGpus()
                && (shape.models().isEmpty() || shape.models().stream().anyMatch(models::contains));
    }
}
