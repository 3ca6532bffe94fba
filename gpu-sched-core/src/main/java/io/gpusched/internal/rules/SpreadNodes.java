package io.gpusched.internal.rules;

import io.gpusched.internal.index.NodeLabels;
import io.gpusched.internal.index.TextHash;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Taint;
import io.gpusched.workload.Pod;
import io.gpusched.workload.TopologySpread;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes count for some spread constraints of a pod, and in which domains. What constraints have in common is worked out
 * once for all of them: O(nodes · labels), and for each constraint over domains that no other has O(nodes). Not thread-safe.
 */
final class SpreadNodes {
    private final Pod pod;

    /** Those that have the labels of all constraints. */
    private final List<Node> nodes = new ArrayList<>();

    private final Map<Domains.Key, Domains> known = new HashMap<>();
    private boolean @Nullable [] selected;
    private boolean @Nullable [] tolerated;

    SpreadNodes(Pod pod, List<TopologySpread> constraints, Iterable<NodeState> all) {
        this.pod = pod;
        Set<String> labels = labels(constraints);
        for (NodeState node : all) {
            if (hasAll(labels, node.node())) {
                nodes.add(node.node());
            }
        }
    }

    /** Returns the labels over whose values constraints spread. */
    static Set<String> labels(List<TopologySpread> constraints) {
        return constraints.stream().map(TopologySpread::topologyKey).collect(Collectors.toSet());
    }

    static boolean hasAll(Set<String> labels, Node node) {
        for (String label : labels) {
            if (NodeLabels.value(label, node) == null) {
                return false;
            }
        }
        return true;
    }

    /** Returns the domains of a constraint, as far as its policies let nodes count. */
    Domains domains(TopologySpread spread) {
        Domains.Key key = new Domains.Key(spread.topologyKey(), spread.honorsNodeSelector(), spread.honorsTaints());
        return known.computeIfAbsent(key, this::domains);
    }

    private Domains domains(Domains.Key key) {
        boolean[] bySelector = key.honorsNodeSelector() ? selected() : null;
        boolean[] byTaints = key.honorsTaints() ? tolerated() : null;
        Domains domains = new Domains();
        for (int i = 0; i < nodes.size(); i++) {
            if ((bySelector == null || bySelector[i]) && (byTaints == null || byTaints[i])) {
                domains.add(nodes.get(i), NodeLabels.value(key.label(), nodes.get(i)));
            }
        }
        return domains;
    }

    private boolean[] selected() {
        boolean[] result = selected;
        if (result == null) {
            result = which(TermIndex.test(pod.nodeSelector()));
            selected = result;
        }
        return result;
    }

    private boolean[] tolerated() {
        boolean[] result = tolerated;
        if (result == null) {
            Predicate<Taint> byTaint = Taints.tolerated(pod.tolerations());
            result = which(node -> Taints.areTolerated(node.taints(), byTaint));
            tolerated = result;
        }
        return result;
    }

    private boolean[] which(Predicate<Node> test) {
        boolean[] result = new boolean[nodes.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = test.test(nodes.get(i));
        }
        return result;
    }

    /** Nodes by the value that they have of a label. */
    static final class Domains {
        private final List<String> nodes = new ArrayList<>();
        private final IntArrayList domainOf = new IntArrayList();
        private final Map<String, Integer> numbers = new HashMap<>();
        private CountedDomains.@Nullable Reader reader;

        /** What tells which nodes count, and by what. */
        private record Key(String label, boolean honorsNodeSelector, boolean honorsTaints) {
            @Override
            public int hashCode() {
                return Long.hashCode(TextHash.of((honorsNodeSelector ? 1 : 0) + (honorsTaints ? 2 : 0), label));
            }
        }

        private void add(Node node, @Nullable String domain) {
            if (domain == null) {
                return;
            }
            Integer number = numbers.putIfAbsent(domain, numbers.size());
            nodes.add(node.name());
            domainOf.add(number == null ? numbers.size() - 1 : number);
        }

        /** Returns how many there are in each domain, by number, of what is counted by node. */
        int[] counts(Counts byNode) {
            CountedDomains.Reader known = reader;
            if (known == null) {
                known = new CountedDomains.Reader(nodes);
                reader = known;
            }
            int[] there = known.read(byNode);
            int[] counts = new int[numbers.size()];
            for (int i = 0; i < there.length; i++) {
                counts[domainOf.getInt(i)] += there[i];
            }
            return counts;
        }

        /** Returns counts in each domain, by number, as those of the domains. */
        CountedDomains counted(int[] counts) {
            return new CountedDomains(numbers, counts);
        }
    }
}
