package io.gpusched.internal.rules;

import io.gpusched.model.Cluster;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.PodRules;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.objects.Object2IntMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a scheduler knows of the rules between pods at a snapshot: how many pods match a term in each domain, how many hold a term
 * against others there, and how many nodes have taints that are only to be avoided. It follows from one snapshot to another by
 * their difference. Not thread-safe.
 *
 * <p>As long as no running pod has rules, and none was asked about, there is nothing to count. Otherwise a pod that comes or goes
 * costs O(labels + terms that are about it). A term that is asked about for the first time costs a look at every pod.
 */
public final class RuleCounts {
    /*
     * Two tables. What running pods hold is counted when they come and go. What matches a term is counted once a pod with that
     * term is asked about, and kept from then on, until neither running pods nor the one asked about have any rules, or too many
     * terms are known.
     *
     * Counts are by domain of a key, mostly the value of a label of nodes. A node whose labels change takes its pods out of their domains and puts them into
     * others. Pods are told apart as objects: equal placements may differ in what their pods ask, and then in their rules.
     */
    /** So many terms are known at most. */
    private static final int MOST_TERMS = 1 << 12;

    private static final Cluster NOTHING = Cluster.of(List.of());

    private final TallyTable held = new TallyTable();
    private final TallyTable matched = new TallyTable();

    /** By label: the number of nodes by its value, for labels that were asked about. */
    private final Map<String, DomainCounts> nodesBy = new HashMap<>();

    /** How many nodes have so many taints that are only to be avoided, by that number; those without any are left out. */
    private final Int2IntOpenHashMap avoided = new Int2IntOpenHashMap();

    private final RunningGroups groups = new RunningGroups();

    /** How many running pods have rules that concern others. */
    private int ruled;

    private Cluster cluster = NOTHING;

    /** Returns the counts of a cluster without nodes. */
    public static RuleCounts create() {
        return new RuleCounts();
    }

    /** Returns the counts of a snapshot; O(nodes + pods). */
    public static RuleCounts of(Cluster cluster) {
        RuleCounts counts = new RuleCounts();
        counts.go(cluster);
        counts.restart();
        return counts;
    }

    private RuleCounts() {}

    /** Goes to a snapshot; all its nodes that differ from the one before are then passed to {@link #changed}. */
    public void go(Cluster next) {
        if (!matched.isEmpty() && !next.namespaces().equals(cluster.namespaces())) {
            matched.clear();
        }
        cluster = next;
    }

    /** Counts from the start, at the snapshot it is at; O(nodes + pods). */
    public void restart() {
        held.clear();
        matched.clear();
        nodesBy.clear();
        avoided.clear();
        groups.clear();
        ruled = 0;
        forEachNode(node -> changed(null, node));
    }

    /** Takes note of a node that changed, joined or left. */
    @SuppressWarnings("ReferenceEquality") // a machine that did not change is the same object
    public void changed(@Nullable NodeState before, @Nullable NodeState after) {
        Node old = before == null ? null : before.node();
        Node now = after == null ? null : after.node();
        if (old != now) {
            count(old, -1);
            count(now, 1);
        }
        if (matched.isEmpty() && !concernsOthers(before) && !concernsOthers(after)) {
            return;
        }
        List<Placement> gone = before == null ? List.of() : RuleTerms.pods(before);
        List<Placement> come = after == null ? List.of() : RuleTerms.pods(after);
        boolean alike = areAlike(old, now);
        int least = alike ? Math.min(gone.size(), come.size()) : 0;
        int first = common(gone, 0, come, 0, 1, least);
        int last = common(gone, gone.size() - 1, come, come.size() - 1, -1, least - first);
        for (int i = first; i < gone.size() - last; i++) {
            count(gone.get(i), old, -1);
        }
        for (int i = first; i < come.size() - last; i++) {
            count(come.get(i), now, 1);
        }
    }

    private static boolean concernsOthers(@Nullable NodeState node) {
        return node != null && node.concernsOthers();
    }

    @SuppressWarnings("ReferenceEquality") // a machine that did not change is the same object
    private static boolean areAlike(@Nullable Node old, @Nullable Node now) {
        return old == now || old != null && now != null && old.labels().equals(now.labels());
    }

    /** How many pods, at most so many, are the same objects in both lists, from a place in each on in steps of 1 or -1. */
    @SuppressWarnings("ReferenceEquality")
    private static int common(List<Placement> some, int at, List<Placement> others, int there, int step, int most) {
        int same = 0;
        while (same < most && some.get(at + step * same) == others.get(there + step * same)) {
            same++;
        }
        return same;
    }

    private void count(@Nullable Node node, int change) {
        if (node == null) {
            return;
        }
        nodesBy.forEach((label, counts) -> counts.change(Places.domain(label, node), change));
        int taints = Taints.avoided(node.taints(), taint -> false);
        if (taints > 0 && avoided.addTo(taints, change) + change == 0) {
            avoided.remove(taints);
        }
    }

    private void count(Placement pod, @Nullable Node node, int change) {
        GroupMembership group = pod.group().orElse(null);
        if (group != null) {
            groups.count(pod, group, change);
        }
        if (node != null && RuleTerms.rules(pod).concernsOthers()) {
            ruled += change;
            for (TallyKey key : RuleTerms.of(pod).held()) {
                Tally tally = held.of(key);
                tally.counts().change(Places.domain(key.topology(), node), change);
                if (!tally.hold(change)) {
                    held.remove(tally);
                }
            }
        }
        if (node != null && !matched.isEmpty()) {
            count(matched, pod, node, change);
        }
    }

    private void count(TallyTable table, Placement pod, Node node, int change) {
        PodRules rules = RuleTerms.rules(pod);
        table.forEachOf(pod.pod().namespace(), rules.labels(), cluster.namespaces(), tally -> {
            if (!(rules.terminating() && tally.key() instanceof TallyKey.Matching term && term.lasting())) {
                tally.counts().change(Places.domain(tally.key().topology(), node), change);
            }
        });
    }

    /** Forgets what matches terms if no running pod has rules, so that nothing is counted for pods without any. */
    void forget() {
        if (ruled == 0) {
            matched.clear();
            nodesBy.clear();
        }
    }

    /** Whether no running pod holds anything against others, or for them. */
    public boolean isIdle() {
        return held.isEmpty();
    }

    /** Whether any node has a taint that is only to be avoided. */
    public boolean hasAvoided() {
        return !avoided.isEmpty();
    }

    /** Returns the most taints that are only to be avoided of any node; O(different numbers of them). */
    int mostAvoided() {
        return avoided.keySet().intStream().max().orElse(0);
    }

    /** Returns how many members of a group run on each node on which any do. */
    public Object2IntMap<String> running(String namespace, GroupMembership group) {
        return groups.byNode(namespace, group);
    }

    /** Returns how many members of a group run in each domain of its locality, which is not {@link Locality.Scope#ANYWHERE}; O(nodes on which any do). */
    DomainCounts domains(String namespace, GroupMembership group) {
        DomainCounts domains = new DomainCounts();
        for (Object2IntMap.Entry<String> entry : running(namespace, group).object2IntEntrySet()) {
            Node node = cluster.node(entry.getKey()).orElseThrow().node();
            domains.change(Places.domain(Places.key(group.locality()), node), entry.getIntValue());
        }
        return domains;
    }

    /**
     * Returns in how many domains of its locality members of a group run once there are more of them on some nodes; nodes in no domain
     * count as one if others are in one.
     */
    public int domains(String namespace, GroupMembership group, List<Node> more) {
        DomainCounts domains = domains(namespace, group);
        String key = Places.key(group.locality());
        boolean isInNone = false;
        for (Node node : more) {
            String domain = Places.domain(key, node);
            domains.change(domain, 1);
            isInNone |= domain == null;
        }
        return domains.size() + (isInNone && domains.size() > 0 ? 1 : 0);
    }

    /** Returns the labels of namespaces, by name. */
    Map<String, Map<String, String>> namespaces() {
        return cluster.namespaces();
    }

    /** Returns the number of nodes. */
    int size() {
        return cluster.size();
    }

    /** Calls back with all nodes, in no particular order. */
    void forEachNode(Consumer<NodeState> action) {
        cluster.forEachChange(NOTHING, (none, node) -> {
            if (node != null) {
                action.accept(node);
            }
        });
    }

    /** Counts all of these that are not known yet, by one look at every pod. */
    void prepare(Collection<TallyKey.Matching> terms) {
        Set<TallyKey.Matching> unknown = new LinkedHashSet<>(terms);
        unknown.removeIf(term -> matched.get(term) != null);
        if (unknown.isEmpty()) {
            return;
        }
        if (matched.size() + unknown.size() > MOST_TERMS) {
            matched.clear();
            unknown.addAll(terms);
        }
        TallyTable fresh = new TallyTable();
        unknown.forEach(fresh::of);
        forEachNode(node -> RuleTerms.pods(node).forEach(pod -> count(fresh, pod, node.node(), 1)));
        fresh.forEach(matched::add);
    }

    /** Returns how many running pods match a term, by domain. */
    DomainCounts counts(TallyKey.Matching term) {
        prepare(List.of(term));
        return matched.of(term).counts();
    }

    /** Returns the pods that are counted under a key in the domains of some nodes, by name; O(nodes + pods). */
    List<PodId> pods(TallyKey key, List<NodeState> nodes) {
        Set<String> domains = new HashSet<>();
        for (NodeState node : nodes) {
            String domain = Places.domain(key.topology(), node.node());
            if (domain != null) {
                domains.add(domain);
            }
        }
        List<PodId> pods = new ArrayList<>();
        forEachNode(node -> {
            String domain = Places.domain(key.topology(), node.node());
            if (domain != null && domains.contains(domain)) {
                RuleTerms.pods(node).stream().filter(pod -> isCounted(key, pod)).forEach(pod -> pods.add(pod.pod()));
            }
        });
        Collections.sort(pods);
        return pods;
    }

    private boolean isCounted(TallyKey key, Placement pod) {
        PodRules rules = RuleTerms.rules(pod);
        return key instanceof TallyKey.Matching term
                ? !(rules.terminating() && term.lasting())
                        && key.matches(pod.pod().namespace(), rules.labels(), namespaces())
                : RuleTerms.of(pod).held().contains(key);
    }

    /** Returns how many running pods take a port, by node. */
    DomainCounts ports(TallyKey.Port port) {
        Tally tally = held.get(port);
        return tally == null ? new DomainCounts() : tally.counts();
    }

    /** Calls back with the terms that running pods hold and that are about a pod, and where they hold them. */
    void forEachHeld(RuleTerms pod, Consumer<Tally> action) {
        if (!held.isEmpty()) {
            held.forEachOf(pod.namespace(), pod.rules().labels(), namespaces(), action);
        }
    }

    /** Returns the number of nodes by value of a label. */
    DomainCounts nodesBy(String label) {
        return nodesBy.computeIfAbsent(label, key -> {
            DomainCounts counts = new DomainCounts();
            forEachNode(node -> counts.change(Places.domain(key, node.node()), 1));
            return counts;
        });
    }

    /** Whether any node is in a domain of a key, be it a label or a level; O(1) once that was asked. */
    public boolean knows(String key) {
        return nodesBy(key).sum() > 0;
    }

    /** Whether a node is in the domain in which most members of a group run, or none runs in any. */
    public boolean isNearMost(String namespace, GroupMembership group, Node node) {
        DomainCounts most = domains(namespace, group).fullest();
        return most.size() == 0 || most.get(Places.domain(Places.key(group.locality()), node)) > 0;
    }

    /** Returns what running pods hold, by term or port. */
    Map<TallyKey, DomainCounts> held() {
        return held.toMap();
    }

    /** Returns what matches the terms that are known. */
    Map<TallyKey, DomainCounts> matched() {
        return matched.toMap();
    }
}
