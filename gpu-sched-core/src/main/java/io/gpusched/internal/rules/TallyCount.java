package io.gpusched.internal.rules;

import io.gpusched.internal.index.NodeLabels;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts what no running pod needed so far, all of it by one look at every pod. */
final class TallyCount {
    private final List<TallyKey.Matching> keys;
    private final PodMatcher matcher;

    /** The labels over whose values any key counts. */
    private final List<String> topologies;

    /** By topology: the numbers of its domains. */
    private final List<Map<String, Integer>> numbers = new ArrayList<>();

    /** By key: its topology. */
    private final int[] topologyOf;

    /** By key and number of a domain. */
    private final int[][] counts;

    private TallyCount(List<TallyKey.Matching> keys, Namespaces known) {
        this.keys = keys;
        this.matcher = new PodMatcher(keys, known);
        this.topologies =
                keys.stream().map(TallyKey.Matching::topology).distinct().toList();
        Map<String, Integer> at = new HashMap<>();
        topologies.forEach(topology -> {
            at.put(topology, at.size());
            numbers.add(new HashMap<>());
        });
        this.topologyOf = keys.stream()
                .mapToInt(key -> at.getOrDefault(key.topology(), -1))
                .toArray();
        this.counts = new int[keys.size()][0];
    }

    /** Returns counts of matching pods that nobody needs yet. O(nodes + pods · keys / 64 + matches). */
    static Map<TallyKey, CountedDomains> of(
            List<? extends TallyKey> keys, Iterable<NodeState> nodes, Namespaces known) {
        List<TallyKey.Matching> matching = new ArrayList<>();
        for (TallyKey key : keys) {
            if (key instanceof TallyKey.Matching one) {
                matching.add(one);
            }
        }
        if (matching.isEmpty()) {
            return Map.of();
        }
        TallyCount count = new TallyCount(matching, known);
        for (NodeState node : nodes) {
            count.look(node);
        }
        return count.counted();
    }

    private Map<TallyKey, CountedDomains> counted() {
        Map<TallyKey, CountedDomains> counted = new LinkedHashMap<>();
        for (int key = 0; key < counts.length; key++) {
            counted.put(keys.get(key), new CountedDomains(numbers.get(topologyOf[key]), counts[key]));
        }
        return counted;
    }

    private void look(NodeState node) {
        List<Placement> pods = RuleTerms.pods(node);
        if (pods.isEmpty()) {
            return;
        }
        int[] domains = new int[topologies.size()];
        for (int topology = 0; topology < domains.length; topology++) {
            String domain = NodeLabels.value(topologies.get(topology), node.node());
            Map<String, Integer> known = numbers.get(topology);
            Integer number = domain == null ? Integer.valueOf(-1) : known.putIfAbsent(domain, known.size());
            domains[topology] = number == null ? known.size() - 1 : number;
        }
        for (int pod = 0; pod < pods.size(); pod++) {
            long[] met = matcher.met(pods.get(pod));
            for (int w = 0; w < met.length; w++) {
                for (long rest = met[w]; rest != 0; rest &= rest - 1) {
                    int key = w * Long.SIZE + Long.numberOfTrailingZeros(rest);
                    add(key, domains[topologyOf[key]]);
                }
            }
        }
    }

    private void add(int key, int domain) {
        if (domain < 0) {
            return;
        }
        if (domain >= counts[key].length) {
            counts[key] = Arrays.copyOf(counts[key], Math.max(domain + 1, 2 * counts[key].length));
        }
        counts[key][domain]++;
    }
}
