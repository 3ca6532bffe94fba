package io.gpusched.internal.select;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.Node;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeRequirement.Operator;
import io.gpusched.workload.NodeSelector;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Nodes by those of their labels that pods asked for lately. Not thread-safe. */
final class LabelIndex {
    /** How many labels are followed; the one not asked for longest is forgotten for a new one. */
    private static final int MOST_KEYS = 64;

    /** If more labels are in use, trees of values that many nodes have would cost more to keep than they help. */
    private static final int MOST_TREED = 4;

    private final Map<String, NodePartition> partitions = new LinkedHashMap<>(16, 0.75f, true);

    /** All nodes, for labels that are asked for the first time. */
    private final Collection<KnownNode> nodes;

    LabelIndex(Collection<KnownNode> nodes) {
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

    private NodePartition partition(String key) {
        NodePartition known = partitions.get(key);
        if (known != null) {
            return known;
        }
        NodePartition partition = new NodePartition();
        nodes.forEach(node -> partition.add(
                node, NodeRequirement.value(key, node.spot().node().node())));
        partitions.put(key, partition);
        if (partitions.size() > MOST_KEYS) {
            String oldest = partitions.keySet().iterator().next();
            partitions.remove(oldest);
        }
        return partition;
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

    /**
     * Returns a test that the keys in the node order of all nodes pass which a selector accepts, if that is quicker than to
     * look at their labels: where single values are asked for that no more than so many nodes have. Else null.
     */
    @Nullable
    LongPredicate keys(NodeSelector selector, int most) {
        if (selector.terms().size() != 1) {
            return null;
        }
        LongPredicate all = null;
        for (NodeRequirement requirement : selector.terms().get(0).requirements()) {
            if (requirement.operator() == Operator.IN && requirement.values().size() == 1) {
                NodeBucket bucket =
                        partition(requirement.key()).find(requirement.values().get(0));
                if (bucket != null && bucket.size() <= most) {
                    all = all == null ? bucket::mayHold : all.and(bucket::mayHold);
                }
            }
        }
        return all;
    }
}
