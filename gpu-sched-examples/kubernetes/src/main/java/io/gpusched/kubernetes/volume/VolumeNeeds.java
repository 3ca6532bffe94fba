package io.gpusched.kubernetes.volume;

import io.gpusched.workload.NodeSelector;
import java.util.List;

/**
 * What a pod's volumes demand of its node.
 *
 * @param nodes the nodes that reach all of them
 * @param toProvision the names of claims that are provisioned once a node is chosen
 * @param problem why the pod must wait, naming the claim; empty if it need not
 * @param field the field of the pod that is not honoured; empty if all are
 */
public record VolumeNeeds(NodeSelector nodes, List<String> toProvision, String problem, String field) {
    /** A pod without volumes that matter. */
    public static final VolumeNeeds NONE = new VolumeNeeds(NodeSelector.ANY, List.of(), "", "");

    static VolumeNeeds on(NodeSelector nodes) {
        return new VolumeNeeds(nodes, List.of(), "", "");
    }

    static VolumeNeeds waiting(String problem) {
        return new VolumeNeeds(NodeSelector.ANY, List.of(), problem, "");
    }

    static VolumeNeeds unhonoured(String field, String problem) {
        return new VolumeNeeds(NodeSelector.ANY, List.of(), problem, field);
    }

    VolumeNeeds and(VolumeNeeds other) {
        List<String> claims = new java.util.ArrayList<>(toProvision);
        claims.addAll(other.toProvision);
        VolumeNeeds first = problem.isEmpty() ? other : this;
        return new VolumeNeeds(nodes.and(other.nodes), List.copyOf(claims), first.problem, first.field);
    }
}
