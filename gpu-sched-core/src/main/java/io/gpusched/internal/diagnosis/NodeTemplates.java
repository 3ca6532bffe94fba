package io.gpusched.internal.diagnosis;

import io.gpusched.decision.NodeTemplate;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Describes the nodes that pods need. */
final class NodeTemplates {
    private NodeTemplates() {}

    /** What a node needs for all these pods together. */
    static NodeTemplate of(List<PodDemand> demands, Topology place) {
        Resources sum = Resources.NONE;
        EnumSet<NodeMode> modes = EnumSet.allOf(NodeMode.class);
        List<GpuRequest> gpus = new ArrayList<>();
        Set<NodeSelector> labels = new LinkedHashSet<>();
        for (PodDemand demand : demands) {
            sum = sum.plus(demand.resources());
            // partitions lie on nodes of any mode
            modes.removeIf(mode -> demand.needsWhole() && !mode.admitsWhole());
            modes.removeIf(mode -> demand.needsShares() && !mode.admitsShares());
            demand.gpuContainers().stream().map(Container::gpu).forEach(gpus::add);
            if (!demand.pod().nodeSelector().terms().isEmpty()) {
                labels.add(demand.pod().nodeSelector());
            }
        }
        return new NodeTemplate(sum, modes, gpus, List.copyOf(labels), place);
    }
}
