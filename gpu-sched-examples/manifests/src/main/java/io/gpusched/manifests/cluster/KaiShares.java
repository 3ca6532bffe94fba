package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * GPUs that KAI-Scheduler shares: pods with the annotation {@code gpu-fraction} that have the same label {@code runai-gpu-group} are
 * on one GPU of their node.
 */
public final class KaiShares {
    private static final String FRACTION = "gpu-fraction";
    private static final String GROUP = "runai-gpu-group";

    private KaiShares() {}

    /** A GPU that is shared. */
    private record Shared(String node, String group) {}

    /** Returns the nodes with a GPU of which as much is left as a pod asks for by fraction. */
    public static Set<String> nodesFor(Pod pod, Collection<Pod> running) {
        Optional<BigDecimal> asked = fraction(pod);
        Map<Shared, BigDecimal> used = new HashMap<>();
        for (Pod other : running) {
            String group = Kai.label(other, GROUP);
            Optional<BigDecimal> held = fraction(other);
            if (!group.isEmpty() && held.isPresent()) {
                used.merge(new Shared(SeenCluster.nodeOf(other), group), held.get(), BigDecimal::add);
            }
        }
        Set<String> nodes = new TreeSet<>();
        used.forEach((gpu, sum) -> {
            if (asked.isPresent() && sum.add(asked.get()).compareTo(BigDecimal.ONE) <= 0) {
                nodes.add(gpu.node());
            }
        });
        return nodes;
    }

    private static Optional<BigDecimal> fraction(Pod pod) {
        try {
            return Optional.of(new BigDecimal(Kai.annotation(pod, FRACTION)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Returns a pod that may go to these nodes alone, and there only where it might go before. */
    public static Pod on(Set<String> nodes, Pod pod) {
        NodeSelectorRequirement named = new NodeSelectorRequirement("metadata.name", "In", List.copyOf(nodes));
        List<NodeSelectorTerm> terms = new ArrayList<>();
        for (NodeSelectorTerm term : terms(pod)) {
            terms.add(new NodeSelectorTermBuilder(term).addToMatchFields(named).build());
        }
        return pod.edit()
                .editSpec()
                .editOrNewAffinity()
                .editOrNewNodeAffinity()
                .editOrNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withNodeSelectorTerms(terms)
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .endSpec()
                .build();
    }

    /** The terms of which a node must meet one; an empty one where there is none. */
    private static List<NodeSelectorTerm> terms(Pod pod) {
        NodeAffinity affinity = pod.getSpec().getAffinity() == null
                ? null
                : pod.getSpec().getAffinity().getNodeAffinity();
        return affinity == null || affinity.getRequiredDuringSchedulingIgnoredDuringExecution() == null
                ? List.of(new NodeSelectorTerm())
                : affinity.getRequiredDuringSchedulingIgnoredDuringExecution().getNodeSelectorTerms();
    }
}
