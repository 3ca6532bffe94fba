package io.gpusched.internal.select;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.Node;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeRequirement.Operator;
import io.gpusched.workload.NodeSelector;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Nodes by those of their labels that pods asked for lately. Not thread-safe. */
final class LabelIndex {
    /** How many labels are followed. */
    private static final int MOST_KEYS = 64;

    /** A label that was asked for among the last so many requirements is not forgotten for another one. */
    private static final int RECENT = 1_024;

    /** If more labels are in use, trees of values that many nodes have would cost more to keep than they help. */
    private static final int MOST_TREED = 4;

    private final Map<String, NodePartition> partitions = new LinkedHashMap<>(16, 0.75f, true);

    /** All nodes, for labels that are asked for the first time. */
    private final NodeTable nodes;

    /** How many requirements were looked at so far. */
    private long asked;

    LabelIndex(NodeTable nodes) {
        this.nodes = nodes;
    }

    void add(KnownNode node, Node machine) {
        partitions.forEach((key, partition) -> partition.add(node, NodeRequirement.value(key, machine)));
    }

    void remove(KnownNode node, Node machine) {
        partitions.forEach((key, partition) -> partition.remove(node, NodeRequirement.value(key, machine)));
    }

    /** Takes note of a node in another state that has the same labels as before. */
    void note(NodeSpot before, NodeSpot after) {
        Node machine = after.node().node();
        boolean stays = NodeAccess.order(before.node()) == NodeAccess.order(after.node());
        partitions.forEach((key, partition) -> {
            if (!stays || !partition.hasNoTrees()) {
                partition.note(before, after, NodeRequirement.value(key, machine));
            }
        });
    }

    /** Returns the nodes by a label; null if so many others are in use that it is not worth it to follow this one too. */
    private @Nullable NodePartition partition(String key) {
        asked++;
        NodePartition known = partitions.get(key);
        if (known == null && (partitions.size() < MOST_KEYS || forgetOldest())) {
            NodePartition fresh = new NodePartition();
            nodes.forEach(node -> fresh.add(node, NodeRequirement.value(key, node.machine())));
            partitions.put(key, fresh);
            known = fresh;
        }
        if (known != null) {
            known.setLastAsked(asked);
        }
        return known;
    }

    /** Whether the values of a label are followed. */
    boolean follows(String key) {
        return partitions.containsKey(key);
    }

    private boolean forgetOldest() {
        Map.Entry<String, NodePartition> oldest =
                partitions.entrySet().iterator().next();
        boolean unused = oldest.getValue().lastAsked() < asked - RECENT;
        return unused && partitions.remove(oldest.getKey(), oldest.getValue());
    }

    /** Returns nodes among which are all that a selector accepts; O(n) for a label not asked for lately. */
    Selection select(NodeSelector selector, Selection.Limits limits) {
        Selection all = new Selection(limits);
        for (NodeSelector.Term term : selector.terms()) {
            if (!all.addAll(select(term, limits))) {
                break;
            }
        }
        return all;
    }

    /** What the most selective requirement of a term leaves. */
    private Selection select(NodeSelector.Term term, Selection.Limits limits) {
        Selection best = new Selection(limits).withTooMany();
        for (NodeRequirement requirement : term.requirements()) {
            Selection selection = select(requirement, term.requirements(), limits);
            if (selection.size() > limits.inMany() && partitions.size() > MOST_TREED) {
                continue;
            }
            best = selection.isBetterThan(best) ? selection : best;
        }
        return best;
    }

    private Selection select(NodeRequirement requirement, List<NodeRequirement> all, Selection.Limits limits) {
        NodePartition partition = partition(requirement.key());
        if (partition == null) {
            return new Selection(limits).withTooMany();
        }
        return switch (requirement.operator()) {
            case IN -> partition.in(requirement.values(), limits);
            case NOT_IN -> partition.notIn(requirement.values(), limits);
            case EXISTS -> partition.present(limits);
            case DOES_NOT_EXIST -> partition.absent(limits);
            case GT, LT -> between(partition, requirement.key(), all, limits);
        };
    }

    /** A lower and an upper bound of one label are rarely selective alone. */
    private static Selection between(
            NodePartition partition, String key, List<NodeRequirement> all, Selection.Limits limits) {
        long least = Long.MIN_VALUE;
        long greatest = Long.MAX_VALUE;
        boolean none = false;
        for (NodeRequirement requirement : all) {
            if (requirement.key().equals(key) && requirement.operator() == Operator.GT) {
                long above = Long.parseLong(requirement.values().get(0));
                none |= above == Long.MAX_VALUE;
                least = Math.max(least, above + 1);
            } else if (requirement.key().equals(key) && requirement.operator() == Operator.LT) {
                long below = Long.parseLong(requirement.values().get(0));
                none |= below == Long.MIN_VALUE;
                greatest = Math.min(greatest, below - 1);
            }
        }
        return none ? new Selection(limits) : partition.numbers(least, greatest, limits);
    }

    /** Returns a test, by number, of the nodes that a selector accepts. */
    IntPredicate test(NodeSelector selector) {
        IntPredicate any = null;
        for (NodeSelector.Term term : selector.terms()) {
            IntPredicate all = test(term);
            any = any == null ? all : any.or(all);
        }
        return any == null ? node -> true : any;
    }

    private IntPredicate test(NodeSelector.Term term) {
        IntPredicate all = null;
        for (NodeRequirement requirement : term.requirements()) {
            IntPredicate each = test(requirement);
            all = all == null ? each : all.and(each);
        }
        return all == null ? node -> false : all;
    }

    private IntPredicate test(NodeRequirement requirement) {
        NodePartition partition = partition(requirement.key());
        return partition == null ? node -> requirement.matches(nodes.get(node).machine()) : partition.test(requirement);
    }
}
