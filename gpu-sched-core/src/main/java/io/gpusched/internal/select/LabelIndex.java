package io.gpusched.internal.select;

import io.gpusched.internal.index.NodeLabels;
import io.gpusched.model.Node;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeRequirement.Operator;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Nodes by those of their labels that pods asked for lately. Not thread-safe. */
final class LabelIndex {
    /** How many labels are followed. */
    private static final int MOST_KEYS = 64;

    /** A label that was asked for among the last so many requirements is not forgotten for another one. */
    private static final int RECENT = 1_024;

    /** Where a requirement leaves more than one node in so many, it does not pay to join sets for it. */
    private static final int NARROW = 4;

    private final Map<String, NodePartition> partitions = new LinkedHashMap<>(16, 0.75f, true);

    /** All nodes, for labels that are asked for the first time. */
    private final SlotTable nodes;

    /** How many requirements were looked at so far. */
    private long asked;

    /** How many labels may be followed anew for the selector that is looked at: one of thousands of labels is not worth it. */
    private int fresh;

    LabelIndex(SlotTable nodes) {
        this.nodes = nodes;
    }

    void add(int slot, Node machine) {
        partitions.forEach((key, partition) -> partition.add(slot, NodeLabels.value(key, machine)));
    }

    void remove(int slot, Node machine) {
        partitions.forEach((key, partition) -> partition.remove(slot, NodeLabels.value(key, machine)));
    }

    /** Takes note of another machine in place of one. */
    void replace(int slot, Node before, Node after) {
        partitions.forEach((key, partition) -> {
            String old = NodeLabels.value(key, before);
            String now = NodeLabels.value(key, after);
            if (!Objects.equals(old, now)) {
                partition.remove(slot, old);
                partition.add(slot, now);
            }
        });
    }

    /** Returns the nodes by a label; null if so many others are in use that it is not worth it to follow this one too. */
    private @Nullable NodePartition partition(String key) {
        asked++;
        NodePartition known = partitions.get(key);
        if (known == null && fresh > 0 && (partitions.size() < MOST_KEYS || forgetOldest())) {
            fresh--;
            known = new NodePartition();
            for (int slot = nodes.next(0); slot >= 0; slot = nodes.next(slot + 1)) {
                known.add(slot, NodeLabels.value(key, nodes.state(slot).node()));
            }
            partitions.put(key, known);
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

    /**
     * Returns nodes among which are all that a selector accepts, null if these are no fewer than all that are worth it; O(n) for
     * a label not asked for lately.
     */
    @Nullable
    Lead lead(NodeSelector selector) {
        fresh = MOST_KEYS;
        List<Lead> leads = new ArrayList<>(1);
        for (NodeSelector.Term term : selector.terms()) {
            List<NodeRequirement> leading = leading(term.requirements());
            Lead lead = lead(leading);
            if (lead == null) {
                return null;
            }
            if (leading.size() < term.requirements().size()) {
                lead.setInexact();
            }
            leads.add(lead);
        }
        return leads.isEmpty() ? null : worthIt(Lead.anyOf(leads));
    }

    /** Of many requirements those that single out nodes by what they have. */
    private static List<NodeRequirement> leading(List<NodeRequirement> all) {
        return all.size() <= MOST_KEYS
                ? all
                : all.stream()
                        .filter(one -> demands(one.operator()))
                        .limit(MOST_KEYS)
                        .toList();
    }

    private static boolean demands(Operator operator) {
        return operator != Operator.NOT_IN && operator != Operator.DOES_NOT_EXIST;
    }

    /** The nodes by the most selective requirement, and by others that are as quickly looked up. */
    private @Nullable Lead lead(List<NodeRequirement> requirements) {
        List<Lead> all = new ArrayList<>(requirements.size());
        Lead best = null;
        int missing = 0;
        for (int i = 0; i < requirements.size(); i++) {
            if (isRepeated(requirements, i)) {
                continue; // the first bound stands for all of the same label
            }
            Lead lead = lead(requirements, i);
            if (lead == null) {
                missing++;
                continue;
            }
            all.add(lead);
            best = best == null || lead.size() < best.size() ? lead : best;
        }
        return best == null ? null : joined(best, all, missing > 0);
    }

    private static Lead joined(Lead best, List<Lead> all, boolean someAreMissing) {
        for (Lead lead : all) {
            if (lead != best) {
                best.and(lead);
            }
        }
        if (someAreMissing) {
            best.setInexact();
        }
        return best;
    }

    private @Nullable Lead lead(List<NodeRequirement> all, int at) {
        NodeRequirement requirement = all.get(at);
        NodePartition partition = partition(requirement.key());
        if (partition == null) {
            return null;
        }
        return switch (requirement.operator()) {
            case IN -> worthIt(partition.in(requirement.values()));
            case NOT_IN -> worthIt(partition.notIn(requirement.values()));
            case EXISTS -> worthIt(Lead.of(List.of(partition.present())));
            case DOES_NOT_EXIST -> worthIt(Lead.of(List.of(partition.absent())));
            case GT, LT -> worthIt(between(partition, requirement.key(), all));
        };
    }

    private @Nullable Lead worthIt(@Nullable Lead lead) {
        return lead == null || lead.isBitmap() || lead.size() <= nodes.size() / NARROW ? lead : null;
    }

    /** Whether it is a bound of a label that has another one before. */
    private static boolean isRepeated(List<NodeRequirement> all, int at) {
        for (int i = 0; i < at && isBound(all.get(at)); i++) {
            if (isBound(all.get(i)) && all.get(i).key().equals(all.get(at).key())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isBound(NodeRequirement requirement) {
        return requirement.operator() == Operator.GT || requirement.operator() == Operator.LT;
    }

    /** A lower and an upper bound of one label are rarely selective alone. */
    private static @Nullable Lead between(NodePartition partition, String key, List<NodeRequirement> all) {
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
        return none ? Lead.of(List.of()) : partition.numbers(least, greatest);
    }

    /** Whether a selector has so few requirements that their labels are worth following. */
    static boolean isFollowed(NodeSelector selector) {
        int requirements = 0;
        for (NodeSelector.Term term : selector.terms()) {
            requirements += term.requirements().size();
        }
        return requirements <= MOST_KEYS;
    }

    /** Returns a test, by slot, of the nodes that a selector accepts. */
    IntPredicate test(NodeSelector selector) {
        fresh = MOST_KEYS;
        List<NodeSelector.Term> terms = selector.terms();
        if (terms.size() == 1) {
            return test(terms.get(0));
        }
        IntPredicate[] any = terms.stream().map(this::test).toArray(IntPredicate[]::new);
        return slot -> any.length == 0 || isAny(any, slot, true);
    }

    private IntPredicate test(NodeSelector.Term term) {
        List<NodeRequirement> requirements = term.requirements();
        if (requirements.size() == 1) {
            return test(requirements.get(0));
        }
        IntPredicate[] all = requirements.stream().map(this::test).toArray(IntPredicate[]::new);
        return slot -> all.length > 0 && !isAny(all, slot, false);
    }

    /** Whether any of some tests gives this answer; in a loop, for tests within tests would fill the stack. */
    private static boolean isAny(IntPredicate[] tests, int slot, boolean answer) {
        for (IntPredicate test : tests) {
            if (test.test(slot) == answer) {
                return true;
            }
        }
        return false;
    }

    private IntPredicate test(NodeRequirement requirement) {
        NodePartition partition = partition(requirement.key());
        return partition == null ? slot -> requirement.matches(nodes.state(slot).node()) : partition.test(requirement);
    }
}
