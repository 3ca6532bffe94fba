package io.gpusched.internal.diagnosis;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeRequirement.Operator;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Whether a pod asks for what no node can be: a model that it refuses, a label that is there and is not. */
final class Contradictions {
    private Contradictions() {}

    /**
     * Returns whether a node can be thought of that meets what the pod demands of labels and GPUs.
     *
     * @param also what its labels must meet as well
     */
    static boolean areNone(PodDemand demand, List<NodeRequirement> also) {
        List<NodeSelector.Term> terms = demand.pod().nodeSelector().terms();
        return (terms.isEmpty()
                        ? canBeMet(also)
                        : terms.stream()
                                .map(term -> Stream.concat(term.requirements().stream(), also.stream())
                                        .toList())
                                .anyMatch(Contradictions::canBeMet))
                && demand.gpuContainers().stream().map(Container::gpu).allMatch(Contradictions::canBeMet);
    }

    private static boolean canBeMet(GpuRequest request) {
        return request.alternatives().stream().anyMatch(alternative -> {
            GpuSelector selector = alternative.selector();
            return (selector.allowedModels().isEmpty() || left(selector.allowedModels(), selector.deniedModels()) > 0)
                    && (selector.allowedUuids().isEmpty()
                            || left(selector.allowedUuids(), selector.deniedUuids())
                                    >= Math.max(1, alternative.count()));
        });
    }

    private static int left(Set<String> allowed, Set<String> denied) {
        Set<String> left = new HashSet<>(allowed);
        left.removeAll(denied);
        return left.size();
    }

    private static boolean canBeMet(List<NodeRequirement> requirements) {
        return requirements.stream().map(NodeRequirement::key).distinct().allMatch(key -> {
            List<NodeRequirement> ofKey = requirements.stream()
                    .filter(requirement -> requirement.key().equals(key))
                    .toList();
            return candidates(key, ofKey).stream()
                    .anyMatch(labels -> ofKey.stream().allMatch(requirement -> requirement.matches(labels)));
        });
    }

    /** If any label meets the requirements on a key, one of these does: none, one that they name, one beside a bound, another. */
    private static List<Map<String, String>> candidates(String key, List<NodeRequirement> requirements) {
        Set<String> values = new HashSet<>();
        StringBuilder other = new StringBuilder("other");
        for (NodeRequirement requirement : requirements) {
            values.addAll(requirement.values());
            requirement.values().forEach(other::append);
            if (requirement.operator() == Operator.GT || requirement.operator() == Operator.LT) {
                long bound = Long.parseLong(requirement.values().get(0));
                values.add(String.valueOf(bound + 1));
                values.add(String.valueOf(bound - 1));
            }
        }
        values.add(other.toString());
        List<Map<String, String>> candidates = new ArrayList<>(List.of(Map.of()));
        values.forEach(value -> candidates.add(Map.of(key, value)));
        return candidates;
    }
}
