package io.gpusched.internal.rules;

import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The counts of one snapshot as one pod needs them: those that running pods need are known; others are counted, which costs
 * one look at every pod. Not thread-safe; one for each decision.
 */
final class RuleCounts {
    private final RuleIndex index;
    private final int size;
    private final Supplier<? extends Iterable<NodeState>> source;
    private final Map<TallyKey, Counts> counted = new HashMap<>();
    private final Map<String, DomainCounts> byTopology = new HashMap<>();
    private @Nullable Iterable<NodeState> nodes;

    RuleCounts(RuleIndex index, int size, Supplier<? extends Iterable<NodeState>> source) {
        this.index = index;
        this.size = size;
        this.source = source;
    }

    RuleIndex index() {
        return index;
    }

    /** Returns the number of nodes. */
    int size() {
        return size;
    }

    Iterable<NodeState> nodes() {
        Iterable<NodeState> known = nodes;
        if (known == null) {
            known = source.get();
            nodes = known;
        }
        return known;
    }

    /** Counts all of these that nobody knows, together. */
    void prepare(Iterable<? extends TallyKey> keys) {
        List<TallyKey> unknown = new ArrayList<>();
        for (TallyKey key : keys) {
            if (index.tallies().get(key) == null && !counted.containsKey(key)) {
                unknown.add(key);
            }
        }
        if (!unknown.isEmpty()) {
            counted.putAll(TallyCount.of(unknown, nodes(), index.namespaces()));
        }
    }

    Counts counts(TallyKey.Matching key) {
        Tally tally = index.tallies().get(key);
        if (tally != null) {
            return tally.counts();
        }
        prepare(List.of(key));
        return counted.getOrDefault(key, DomainCounts.NONE);
    }

    DomainCounts ports(TallyKey.Port key) {
        Tally tally = index.tallies().get(key);
        return tally == null ? DomainCounts.NONE : tally.counts();
    }

    DomainCounts nodesBy(String topology) {
        DomainCounts known = index.nodesBy(topology);
        return known == null ? byTopology.computeIfAbsent(topology, key -> TopologyTable.count(key, nodes())) : known;
    }
}
