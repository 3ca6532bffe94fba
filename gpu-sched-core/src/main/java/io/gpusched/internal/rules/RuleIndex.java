package io.gpusched.internal.rules;

import io.gpusched.internal.index.NodeLabels;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.PodRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a snapshot knows of the rules of the pods that run: for each rule of a running pod, how many pods match in each domain
 * and how many hold it there; and what nodes are cordoned or have taints that are only to be avoided. Immutable and
 * thread-safe.
 *
 * <p>As long as no running pod has a rule there is nothing to count: a pod that comes or goes costs one look at a flag.
 * Otherwise it costs O(labels + rules that mean it) · O(log n). The first pod with a new rule costs O(n + pods) once.
 */
public final class RuleIndex {
    /*
     * Counts are by value of a label of nodes, not by node, so a rule is looked up in O(log domains) for any node. A node
     * that comes or goes is empty, so it changes no count, but for the number of nodes by domain that spreading asks for. A
     * node whose labels change takes its pods out of their domains and puts them into others.
     */
    public static final RuleIndex NONE =
            new RuleIndex(TallyTable.EMPTY, TopologyTable.EMPTY, Namespaces.NONE, DomainCounts.NONE, DomainCounts.NONE);

    private final TallyTable tallies;
    private final TopologyTable topologies;
    private final Namespaces namespaces;

    /** The names of the cordoned nodes. */
    private final DomainCounts cordoned;

    /** How many nodes have so many taints that are only to be avoided, by that number; those without any are left out. */
    private final DomainCounts avoided;

    private RuleIndex(
            TallyTable tallies,
            TopologyTable topologies,
            Namespaces namespaces,
            DomainCounts cordoned,
            DomainCounts avoided) {
        this.tallies = tallies;
        this.topologies = topologies;
        this.namespaces = namespaces;
        this.cordoned = cordoned;
        this.avoided = avoided;
    }

    /** Returns the index of nodes and all that runs on them. */
    public static RuleIndex of(Iterable<NodeState> nodes, Namespaces namespaces) {
        RuleIndex index =
                new RuleIndex(TallyTable.EMPTY, TopologyTable.EMPTY, namespaces, DomainCounts.NONE, DomainCounts.NONE);
        boolean hasRules = false;
        for (NodeState node : nodes) {
            index = index.with(node.node(), 1);
            for (Placement placement : RuleTerms.pods(node)) {
                hasRules |= hasRules(placement);
            }
        }
        return hasRules ? index.counting(nodes) : index;
    }

    private RuleIndex counting(Iterable<NodeState> nodes) {
        TallyTable table = tallies;
        TopologyTable domains = topologies;
        for (NodeState node : nodes) {
            for (Placement placement : RuleTerms.pods(node)) {
                RuleTerms terms = RuleTerms.of(placement);
                for (TallyKey key : terms.needed()) {
                    Tally known = table.get(key);
                    table = table.with((known == null ? new Tally(key, 0, DomainCounts.NONE) : known).withUsers(1));
                }
                for (String topology : terms.topologies()) {
                    domains = domains.used(topology, nodes);
                }
            }
        }
        RuleIndex index = new RuleIndex(table, domains, namespaces, cordoned, avoided);
        for (NodeState node : nodes) {
            for (Placement placement : RuleTerms.pods(node)) {
                index = index.with(index.shifted(placement, node.node(), 1, true));
            }
        }
        return index;
    }

    @SuppressWarnings("ReferenceEquality") // most pods have none
    private static boolean hasRules(Placement placement) {
        PodRules rules = RuleTerms.rules(placement);
        return rules != PodRules.NONE && rules.concernsOthers();
    }

    /** Whether anything is to be counted for a pod that comes: it has rules, or any running pod has. */
    public boolean isConcernedBy(Placement placement) {
        return !isIdle() || hasRules(placement);
    }

    /** Whether no running pod has a rule. */
    public boolean isIdle() {
        return tallies.isEmpty();
    }

    /** Whether any node has a taint that is only to be avoided. */
    public boolean hasAvoided() {
        return avoided.size() > 0;
    }

    /** Returns the most taints that are only to be avoided of any node; O(different numbers of them). */
    int mostAvoided() {
        int[] most = {0};
        avoided.forEach((taints, nodes) -> most[0] = Math.max(most[0], Integer.parseInt(taints)));
        return most[0];
    }

    /** Returns the names of the cordoned nodes, in order. */
    public List<String> cordoned() {
        return List.copyOf(cordoned.toMap().keySet());
    }

    public boolean hasCordoned() {
        return cordoned.size() > 0;
    }

    public Namespaces namespaces() {
        return namespaces;
    }

    TallyTable tallies() {
        return tallies;
    }

    /** Returns the number of nodes by value of a label if some running pod needs it, or null. */
    @Nullable
    DomainCounts nodesBy(String topology) {
        return topologies.get(topology);
    }

    /** Returns this with a pod on a node. The supplier gives the nodes of the snapshot, the pod not yet on its node. */
    public RuleIndex placed(Placement placement, Node node, Supplier<? extends Iterable<NodeState>> all) {
        TallyTable table = tallies;
        RuleTerms terms = RuleTerms.of(placement);
        List<TallyKey> unknown = new ArrayList<>();
        for (TallyKey key : terms.needed()) {
            Tally known = table.get(key);
            if (known == null) {
                unknown.add(key);
            } else {
                table = table.with(known.withUsers(1));
            }
        }
        if (!unknown.isEmpty()) {
            for (var fresh : TallyCount.of(unknown, all.get(), namespaces).entrySet()) {
                DomainCounts counts = DomainCounts.of(fresh.getValue().toMap());
                table = table.with(new Tally(fresh.getKey(), 1, counts));
            }
        }
        TopologyTable domains = topologies;
        for (String topology : terms.topologies()) {
            domains = domains.used(topology, domains.get(topology) == null ? all.get() : List.of());
        }
        RuleIndex index = new RuleIndex(table, domains, namespaces, cordoned, avoided);
        return index.with(index.shifted(placement, node, 1, true));
    }

    /** Returns this without a pod that ran on a node. */
    public RuleIndex released(Placement placement, Node node) {
        if (isIdle()) {
            return this;
        }
        TallyTable table = shifted(placement, node, -1, true);
        RuleTerms terms = RuleTerms.of(placement);
        for (TallyKey key : terms.needed()) {
            table = table.with(Objects.requireNonNull(table.get(key), "tally").withUsers(-1));
        }
        TopologyTable domains = topologies;
        for (String topology : terms.topologies()) {
            domains = domains.unused(topology);
        }
        return new RuleIndex(table, domains, namespaces, cordoned, avoided);
    }

    private RuleIndex with(TallyTable table) {
        return new RuleIndex(table, topologies, namespaces, cordoned, avoided);
    }

    /**
     * The counts with a pod more on a node, or one less.
     *
     * @param users whether what the pod holds is then needed by one more, or one less
     */
    private TallyTable shifted(Placement placement, Node node, int change, boolean users) {
        PodRules rules = RuleTerms.rules(placement);
        List<Tally> counted = new ArrayList<>();
        tallies.forEachOf(placement.pod().namespace(), rules.labels(), namespaces, tally -> {
            if (tally.key() instanceof TallyKey.Matching matching && !(matching.lasting() && rules.terminating())) {
                counted.add(tally);
            }
        });
        TallyTable table = tallies;
        for (Tally tally : counted) {
            table = table.with(tally.plus(NodeLabels.value(tally.key().topology(), node), change));
        }
        for (TallyKey key : RuleTerms.of(placement).held()) {
            Tally known = table.get(key);
            Tally tally = known == null ? new Tally(key, 0, DomainCounts.NONE) : known;
            Tally moved = tally.plus(NodeLabels.value(key.topology(), node), change);
            table = table.with(users ? moved.withUsers(change) : moved);
        }
        return table;
    }

    /** Returns this with one more node, on which nothing runs. */
    public RuleIndex added(Node node) {
        return with(node, 1);
    }

    /** Returns this without a node on which nothing runs. */
    public RuleIndex removed(Node node) {
        return with(node, -1);
    }

    private RuleIndex with(Node node, int change) {
        int avoids = Taints.avoided(node.taints(), taint -> false);
        if (topologies.isEmpty() && avoids == 0 && !node.cordoned()) {
            return this;
        }
        return new RuleIndex(
                tallies,
                topologies.plus(node, change),
                namespaces,
                node.cordoned() ? cordoned.plus(node.name(), change) : cordoned,
                avoids == 0 ? avoided : avoided.plus(String.valueOf(avoids), change));
    }

    /** Returns this with another machine in place of a node; what runs there stays, and its residents are the same. */
    public RuleIndex replaced(NodeState before, Node machine) {
        RuleIndex index = with(before.node(), -1).with(machine, 1);
        if (isIdle() || before.node().labels().equals(machine.labels())) {
            return index;
        }
        for (Placement placement : RuleTerms.pods(before)) {
            index = index.with(index.shifted(placement, before.node(), -1, false));
            index = index.with(index.shifted(placement, machine, 1, false));
        }
        return index;
    }

    /** Returns this with other labels of a namespace; O(n + pods) if any rule looks at labels of namespaces. */
    public RuleIndex withNamespace(
            String namespace, Map<String, String> labels, Supplier<? extends Iterable<NodeState>> all) {
        Namespaces changed = namespaces.with(namespace, labels);
        boolean[] matters = {false};
        tallies.forEach(tally -> matters[0] |= looksAtNamespaces(tally.key()));
        return matters[0] ? of(all.get(), changed) : new RuleIndex(tallies, topologies, changed, cordoned, avoided);
    }

    private static boolean looksAtNamespaces(TallyKey key) {
        if (key instanceof TallyKey.Matching matching) {
            return matching.patterns().stream().anyMatch(PodPattern::looksAtNamespaces);
        }
        return key instanceof TallyKey.Holding holding && holding.pattern().looksAtNamespaces();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RuleIndex index
                && tallies.toMap().equals(index.tallies.toMap())
                && topologies.toMap().equals(index.topologies.toMap())
                && namespaces.equals(index.namespaces)
                && cordoned.equals(index.cordoned)
                && avoided.equals(index.avoided);
    }

    @Override
    public int hashCode() {
        return Objects.hash(tallies.size(), namespaces, avoided);
    }

    @Override
    public String toString() {
        return new TreeMap<>(topologies.toMap()) + " " + tallies.toMap().values();
    }
}
