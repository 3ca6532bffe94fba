package io.gpusched.manifests.group;

import io.gpusched.dialect.NodeManifest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Finds the hyper nodes around a node. Members that name a node, or demand a value of a label, are looked up; patterns and other
 * demands on labels are tried one by one. What is around each hyper node is known beforehand. Immutable; made in
 * O(hyper nodes · (members + patterns of hyper nodes)), a node costs O(hyper nodes around it + patterns of nodes).
 */
final class HyperNodeIndex {
    static final HyperNodeIndex EMPTY = new HyperNodeIndex(Map.of());

    /** A member of a hyper node that may be a node. */
    private record Candidate(String hyperNode, Member member, Predicate<String> names) {
        boolean selects(NodeManifest node) {
            return member.byLabels() ? member.selects(node.labels()) : names.test(node.name());
        }
    }

    private final Map<String, Set<String>> byNode = new HashMap<>();
    private final Map<Map.Entry<String, String>, List<Candidate>> byLabel = new HashMap<>();
    private final List<Candidate> others = new ArrayList<>();

    /** Of each hyper node: itself and those around it, by tier; of several of a tier the first by name. */
    private final Map<String, Map<Integer, String>> around = new HashMap<>();

    private final List<Integer> tiers;

    HyperNodeIndex(Map<String, HyperNode> byName) {
        tiers = byName.values().stream()
                .map(HyperNode::tier)
                .distinct()
                .sorted()
                .toList();
        Map<String, Set<String>> parents = new HashMap<>();
        byName.forEach((name, hyperNode) -> hyperNode.members().forEach(member -> {
            if (member.isNode()) {
                add(new Candidate(name, member, member.names()));
            } else if (member.isHyperNode()) {
                named(member, byName)
                        .forEach(child -> parents.computeIfAbsent(child, any -> new LinkedHashSet<>())
                                .add(name));
            }
        }));
        byName.keySet().forEach(name -> around.put(name, upwards(name, parents, byName)));
    }

    private void add(Candidate candidate) {
        Member member = candidate.member();
        if (member.isOneName()) {
            byNode.computeIfAbsent(member.exactName(), any -> new LinkedHashSet<>())
                    .add(candidate.hyperNode());
        } else if (member.byLabels() && !member.exactLabels().isEmpty()) {
            var first = member.exactLabels().entrySet().iterator().next();
            byLabel.computeIfAbsent(Map.entry(first.getKey(), first.getValue()), any -> new ArrayList<>())
                    .add(candidate);
        } else {
            others.add(candidate);
        }
    }

    private static List<String> named(Member member, Map<String, HyperNode> byName) {
        return member.isOneName()
                ? List.of(member.exactName())
                : byName.keySet().stream().filter(member.names()).toList();
    }

    private static Map<Integer, String> upwards(
            String from, Map<String, Set<String>> parents, Map<String, HyperNode> byName) {
        Map<Integer, String> found = new TreeMap<>();
        Set<String> met = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty()) {
            String name = open.remove();
            HyperNode hyperNode = byName.get(name);
            if (hyperNode != null && met.add(name)) {
                found.merge(hyperNode.tier(), name, HyperNodeIndex::first);
                open.addAll(parents.getOrDefault(name, Set.of()));
            }
        }
        return found;
    }

    private static String first(String one, String other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    /** For each tier that there is, the topmost hyper node of that tier or lower around a node. */
    Map<Integer, String> topmost(NodeManifest node) {
        TreeMap<Integer, String> all = new TreeMap<>();
        holding(node)
                .forEach(name -> around.getOrDefault(name, Map.of())
                        .forEach((tier, one) -> all.merge(tier, one, HyperNodeIndex::first)));
        Map<Integer, String> topmost = new TreeMap<>();
        for (int tier : tiers) {
            Map.Entry<Integer, String> lower = all.floorEntry(tier);
            if (lower != null) {
                topmost.put(tier, lower.getValue());
            }
        }
        return topmost;
    }

    private Set<String> holding(NodeManifest node) {
        Set<String> holding = new LinkedHashSet<>(byNode.getOrDefault(node.name(), Set.of()));
        others.forEach(candidate -> addIfHolding(candidate, node, holding));
        if (!byLabel.isEmpty()) {
            node.labels()
                    .entrySet()
                    .forEach(label -> byLabel.getOrDefault(label, List.of())
                            .forEach(candidate -> addIfHolding(candidate, node, holding)));
        }
        return holding;
    }

    private static void addIfHolding(Candidate candidate, NodeManifest node, Set<String> holding) {
        if (candidate.selects(node)) {
            holding.add(candidate.hyperNode());
        }
    }
}
