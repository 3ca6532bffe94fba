package io.gpusched.conformance.emulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Volcano's GPUExclusiveRules: each rule is a set of labels, and pods that match the same rule never share a GPU. Pods
 * that match another rule, or none, may share with them.
 *
 * @param rules the labels of each rule; a rule without labels matches nothing
 */
public record VolcanoExclusiveRules(List<Map<String, String>> rules) {
    /** Copies the rules. */
    public VolcanoExclusiveRules {
        rules = rules.stream().map(Map::copyOf).toList();
    }

    /**
     * Returns the positions of the rules that a pod with these labels matches, ascending: those whose labels it all
     * has.
     */
    public List<Integer> matching(Map<String, String> labels) {
        List<Integer> matched = new ArrayList<>();
        for (int r = 0; r < rules.size(); r++) {
            Map<String, String> rule = rules.get(r);
            if (!rule.isEmpty() && labels.entrySet().containsAll(rule.entrySet())) {
                matched.add(r);
            }
        }
        return matched;
    }

    /**
     * Returns the GPUs of a node that are left for a pod with these labels, ascending.
     *
     * @param gpus how many GPUs the node has
     * @param occupied for each rule the indexes of the GPUs on which pods that match it run
     */
    public List<Integer> available(Map<String, String> labels, int gpus, Map<Integer, Set<Integer>> occupied) {
        Set<Integer> taken = new HashSet<>();
        matching(labels).forEach(rule -> taken.addAll(occupied.getOrDefault(rule, Set.of())));
        return IntStream.range(0, gpus)
                .filter(gpu -> !taken.contains(gpu))
                .boxed()
                .toList();
    }
}
