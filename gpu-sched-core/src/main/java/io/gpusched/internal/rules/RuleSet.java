package io.gpusched.internal.rules;

import io.gpusched.decision.Fact;
import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.rules.DomainRule.Test;
import io.gpusched.internal.rules.TallyKey.Holding;
import io.gpusched.internal.rules.TallyKey.Port;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the rules of a pod, and those of running pods that mean it, come to at one snapshot: conditions on labels of nodes, in
 * the order in which kube-scheduler looks at them, and preferences. Immutable but for what is worked out late; one for each
 * decision.
 */
public final class RuleSet {
    /** So many values of a label are looked up. */
    private static final int MOST_LOOKED_UP = 16;

    /** Stands for any number of taints that are only to be avoided. */
    public static final int ANY_TAINTS = -1;

    private final List<DomainRule> rules = new ArrayList<>();
    private final NodeSelector within;
    private final int avoided;
    private final @Nullable Preferences preferences;

    /** Whether a running pod is one that the pod must be near. */
    private Predicate<Placement> near = placement -> false;

    private RuleSet(Pod pod, RuleCounts counts) {
        RuleTerms terms = new RuleTerms(pod.id().namespace(), pod.rules());
        pod.rules().nodeName().ifPresent(this::addName);
        if (pod.spec().concernsOthers()) {
            addOwn(pod, terms, counts);
        }
        preferences = Preferences.of(pod, terms, counts, addHeld(terms, counts), addGroups(pod, counts));
        within = NodeSelector.ANY;
        avoided = ANY_TAINTS;
    }

    private RuleSet(List<DomainRule> some, List<DomainRule> more, NodeSelector within, int avoided) {
        rules.addAll(some);
        rules.addAll(more);
        this.within = within;
        this.avoided = avoided;
        preferences = null;
    }

    /** Returns the rules of a pod at the snapshot of some counts, or null if there are none. */
    public static @Nullable RuleSet of(Pod pod, RuleCounts counts) {
        PodRules own = pod.rules();
        if (!pod.spec().concernsOthers()) {
            counts.forget();
            boolean none = own.nodeName().isEmpty() && own.preferredNodes().isEmpty();
            if (none && pod.group().isEmpty() && counts.isIdle() && !counts.hasAvoided()) {
                return null;
            }
        }
        RuleSet set = new RuleSet(pod, counts);
        return set.rules.isEmpty() && set.preferences == null ? null : set;
    }

    /**
     * Returns these rules without preferences, for fewer nodes.
     *
     * @param more what they must meet as well
     * @param labels what they must have as well
     * @param taints how many taints that are only to be avoided, and not tolerated, they must have, or {@link #ANY_TAINTS}
     */
    RuleSet narrowed(List<DomainRule> more, NodeSelector labels, int taints) {
        return new RuleSet(rules, more, labels, taints);
    }

    private void addOwn(Pod pod, RuleTerms terms, RuleCounts counts) {
        counts.prepare(terms.neededByAffinity());
        pod.rules().hostPorts().forEach(port -> addPort(port, counts));
        addSpread(pod, terms, counts);
        addAffinity(terms, counts);
        for (PodAffinity.Term term : terms.rules().antiAffinity().required()) {
            addApart(counts.counts(terms.matching(term)), terms.matching(term), false);
        }
    }

    private void add(
            Code code,
            Function<List<PodId>, Fact> fact,
            String key,
            Test test,
            DomainCounts counts,
            @Nullable TallyKey counted) {
        rules.add(new DomainRule(code, fact, key, test, counts, 0, counted));
    }

    private void addName(String name) {
        DomainCounts only = new DomainCounts();
        only.add(name, 1);
        add(Code.NODE_NAME, pods -> new Fact.OnlyNode(name), NodeRequirement.NAME, Test.SOME, only, null);
    }

    /** Adds where the running members of the groups that the pod is in demand it to be; returns where they prefer it to be. */
    private List<DomainSums> addGroups(Pod pod, RuleCounts counts) {
        List<DomainSums> preferred = new ArrayList<>();
        for (GroupMembership group : pod.group().map(GroupMembership::all).orElse(List.of())) {
            String namespace = pod.id().namespace();
            Locality locality = group.locality();
            if (locality.scope() == Locality.Scope.ANYWHERE) {
                continue;
            }
            DomainCounts domains = counts.domains(namespace, group);
            if (locality.required()) {
                // the first member needs a domain, any
                Test test = counts.running(namespace, group).isEmpty() ? Test.PRESENT : Test.SOME;
                Fact fact = new Fact.Elsewhere(group, domains.size());
                add(Code.GROUP_LOCALITY, pods -> fact, Places.key(locality), test, domains.fullest(), null);
            } else if (domains.size() > 0) {
                preferred.add(new DomainSums(Places.key(locality)).add(domains, 1));
            }
        }
        return preferred;
    }

    private void addPort(HostPort port, RuleCounts counts) {
        if (port.isOnAnyAddress()) {
            addPort(port, Port.ON_ALL, counts);
        } else {
            addPort(port, port.ip(), counts);
            addPort(port, HostPort.ANY_ADDRESS, counts);
        }
    }

    private void addPort(HostPort port, String ip, RuleCounts counts) {
        Port key = new Port(port.port(), port.protocol(), ip);
        DomainCounts taken = counts.ports(key);
        if (taken.size() > 0) {
            add(Code.HOST_PORT, pods -> new Fact.TakenPort(port, pods), NodeRequirement.NAME, Test.NONE, taken, key);
        }
    }

    private void addSpread(Pod pod, RuleTerms terms, RuleCounts counts) {
        for (SpreadCount.Counted one : SpreadCount.of(pod, terms, counts)) {
            boolean itself = one.spread().pods().matches(terms.rules().labels());
            String key = one.spread().topologyKey();
            rules.add(new DomainRule(
                    Code.TOPOLOGY_SPREAD,
                    pods -> new Fact.Spread(key, one.spread().maxSkew(), one.least(), pods),
                    key,
                    Test.AT_MOST,
                    one.counts(),
                    one.most(itself),
                    terms.matching(one.spread(), key)));
        }
    }

    /** Where no pod matches yet, a pod that matches itself may be the first. */
    private void addAffinity(RuleTerms terms, RuleCounts counts) {
        List<PodPattern> patterns = terms.near();
        List<DomainCounts> demanded = new ArrayList<>();
        long found = 0;
        for (PodAffinity.Term term : terms.rules().affinity().required()) {
            DomainCounts there = counts.counts(new TallyKey.Matching(patterns, false, term.topologyKey()));
            found += there.sum();
            demanded.add(there);
        }
        boolean first = found == 0
                && patterns.stream()
                        .allMatch(pattern ->
                                pattern.matches(terms.namespace(), terms.rules().labels(), counts.namespaces()));
        if (!first) {
            Map<String, Map<String, String>> namespaces = counts.namespaces();
            near = placement -> Pod.of(placement)
                    .filter(other -> patterns.stream()
                            .allMatch(pattern -> pattern.matches(
                                    other.id().namespace(), other.rules().labels(), namespaces)))
                    .isPresent();
        }
        for (int i = 0; i < demanded.size(); i++) {
            String key = terms.rules().affinity().required().get(i).topologyKey();
            Test test = first ? Test.PRESENT : Test.SOME;
            add(Code.POD_AFFINITY, pods -> new Fact.Near(key), key, test, demanded.get(i), null);
        }
    }

    private void addApart(DomainCounts there, TallyKey counted, boolean ofRunningPods) {
        if (there.size() > 0) {
            String key = counted.topology();
            Function<List<PodId>, Fact> fact = pods -> new Fact.Apart(key, ofRunningPods, pods);
            add(Code.POD_ANTI_AFFINITY, fact, key, Test.NONE, there, counted);
        }
    }

    /** Adds what running pods hold against this one; returns what they prefer. */
    private List<Tally> addHeld(RuleTerms terms, RuleCounts counts) {
        List<Tally> preferred = new ArrayList<>();
        counts.forEachHeld(terms, tally -> {
            if (tally.key() instanceof Holding held && held.keepsAway()) {
                addApart(tally.counts(), held, true);
            } else {
                preferred.add(tally);
            }
        });
        return preferred;
    }

    /** Returns the pods of a node that the pod must be near if no other pods like them run in the same domain; else none. O(pods of the node). */
    public List<Placement> needed(NodeState node) {
        List<Placement> here = node.placements().stream().filter(near).toList();
        boolean areOthers = rules.stream()
                .filter(rule -> rule.code() == Code.POD_AFFINITY && rule.test() == Test.SOME)
                .allMatch(rule -> rule.counts().get(Places.domain(rule.key(), node.node())) > here.size());
        return areOthers ? List.of() : here;
    }

    /** Whether any node may be refused. */
    public boolean refuses() {
        return !rules.isEmpty() || !within.terms().isEmpty();
    }

    /** How many taints that are only to be avoided, and not tolerated, a node must have, or {@link #ANY_TAINTS}. */
    public int avoided() {
        return avoided;
    }

    /** Returns the reason, the first in the order of the codes, of a rule that keeps the pod away from a node, or null. */
    public @Nullable Code refusal(Node node) {
        Code first = within.matches(node) ? null : Code.NODE_SELECTOR;
        for (int i = 0; i < rules.size(); i++) {
            DomainRule rule = rules.get(i);
            if ((first == null || rule.code().compareTo(first) < 0) && !rule.admits(node)) {
                first = rule.code();
            }
        }
        return first;
    }

    /**
     * Returns what keeps the pod away from nodes that are counted under a reason, each once, in the order of their words, with the pods
     * to blame in the domains of these nodes. O(nodes + pods).
     */
    public List<Fact> facts(Code code, List<NodeState> nodes, RuleCounts counts) {
        List<Fact> facts = new ArrayList<>();
        for (DomainRule rule : rules) {
            List<NodeState> refused = rule.code() != code
                    ? List.of()
                    : nodes.stream().filter(node -> !rule.admits(node.node())).toList();
            if (!refused.isEmpty()) {
                facts.add(rule.fact().apply(rule.counted() == null ? List.of() : counts.pods(rule.counted(), refused)));
            }
        }
        return facts.stream()
                .distinct()
                .sorted(Comparator.comparing(Fact::toString))
                .toList();
    }

    /** Returns what a node that joins must meet so that no rule keeps the pod away, for certain; null if that cannot be told. */
    public @Nullable List<NodeRequirement> ofNewNode(RuleCounts counts) {
        List<NodeRequirement> all = new ArrayList<>();
        for (DomainRule rule : rules) {
            List<NodeRequirement> some = rule.ofNewNode(counts.nodesBy(rule.key()));
            if (some == null) {
                return null;
            }
            all.addAll(some);
        }
        return all;
    }

    /** The preferences that decide among legal places, or null if there are none. */
    public @Nullable Preferences preferences() {
        return preferences;
    }

    /** Returns which labels the nodes must have beside those of the pod's own selector. */
    public NodeSelector within() {
        return within;
    }

    /** Returns which values of labels the nodes must have, or not have, where few decide; for looking them up. */
    public List<NodeRequirement> requirements() {
        List<NodeRequirement> few = new ArrayList<>();
        for (DomainRule rule : rules) {
            NodeRequirement requirement = requirement(rule);
            if (requirement != null) {
                few.add(requirement);
            }
        }
        return few;
    }

    /** Whether {@link #requirements} and {@link #within} refuse all nodes that are refused. */
    public boolean areRequirements() {
        return rules.stream().allMatch(rule -> rule.test() != Test.AT_MOST && requirement(rule) != null);
    }

    private static @Nullable NodeRequirement requirement(DomainRule rule) {
        if (rule.test() == Test.AT_MOST) {
            return withoutFull(rule);
        }
        boolean in = rule.test() == Test.SOME;
        boolean notIn = rule.test() == Test.NONE && !rule.key().equals(NodeRequirement.NAME);
        if (!in && !notIn
                || rule.counts().size() > MOST_LOOKED_UP
                || rule.counts().size() == 0) {
            return null;
        }
        List<String> values = new ArrayList<>();
        rule.counts().forEach((domain, count) -> values.add(domain));
        NodeRequirement.Operator operator = in ? NodeRequirement.Operator.IN : NodeRequirement.Operator.NOT_IN;
        return new NodeRequirement(rule.key(), operator, values);
    }

    /** The domains that have too many, to be left out; null if they are none or many. */
    private static @Nullable NodeRequirement withoutFull(DomainRule rule) {
        List<String> full = new ArrayList<>();
        rule.counts().forEach((domain, count) -> {
            if (count > rule.most() && full.size() <= MOST_LOOKED_UP) {
                full.add(domain);
            }
        });
        return full.isEmpty() || full.size() > MOST_LOOKED_UP
                ? null
                : new NodeRequirement(rule.key(), NodeRequirement.Operator.NOT_IN, full);
    }
}
