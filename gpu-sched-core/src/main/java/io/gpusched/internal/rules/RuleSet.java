package io.gpusched.internal.rules;

import io.gpusched.decision.Fact;
import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.rules.DomainRule.Test;
import io.gpusched.internal.rules.TallyKey.Holding;
import io.gpusched.internal.rules.TallyKey.Port;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
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
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the rules of a pod, and those of running pods that mean it, come to at one snapshot: conditions on labels of nodes, in
 * the order in which kube-scheduler looks at them, and preferences. Immutable but for what is worked out late; one for each
 * decision.
 */
public final class RuleSet {
    /** So many values of a label are looked up. */
    private static final int FEW = 16;

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
        if (pod.rules().concernsOthers()) {
            addOwn(pod, terms, counts);
        }
        preferences = Preferences.of(pod, terms, counts, addHeld(terms, counts));
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
        if (!own.concernsOthers()) {
            counts.forget();
            boolean none = own.nodeName().isEmpty() && own.preferredNodes().isEmpty();
            if (none && counts.isIdle() && !counts.hasAvoided()) {
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
            addApart(counts.counts(terms.matching(term)), term.topologyKey(), false);
        }
    }

    private void addName(String name) {
        DomainCounts only = new DomainCounts();
        only.add(name, 1);
        rules.add(new DomainRule(Code.NODE_NAME, new Fact.OnlyNode(name), NodeRequirement.NAME, Test.SOME, only, 0));
    }

    private void addPort(HostPort port, RuleCounts counts) {
        if (port.isOnAnyAddress()) {
            addPort(port, counts.ports(new Port(port.port(), port.protocol(), Port.ON_ALL)));
        } else {
            addPort(port, counts.ports(new Port(port.port(), port.protocol(), port.ip())));
            addPort(port, counts.ports(new Port(port.port(), port.protocol(), HostPort.ANY_ADDRESS)));
        }
    }

    private void addPort(HostPort port, DomainCounts taken) {
        if (taken.size() > 0) {
            rules.add(new DomainRule(
                    Code.HOST_PORT, new Fact.TakenPort(port), NodeRequirement.NAME, Test.NONE, taken, 0));
        }
    }

    private void addSpread(Pod pod, RuleTerms terms, RuleCounts counts) {
        for (SpreadCount.Counted one : SpreadCount.of(pod, terms, counts)) {
            boolean itself = one.spread().pods().matches(terms.rules().labels());
            String key = one.spread().topologyKey();
            Fact fact = new Fact.Spread(key, one.spread().maxSkew(), one.least());
            rules.add(new DomainRule(Code.TOPOLOGY_SPREAD, fact, key, Test.AT_MOST, one.counts(), one.most(itself)));
        }
    }

    /** Where nobody matches yet, a pod that matches itself may be the first. */
    private void addAffinity(RuleTerms terms, RuleCounts counts) {
        List<PodPattern> patterns = terms.near();
        List<DomainRule> demanded = new ArrayList<>();
        long found = 0;
        for (PodAffinity.Term term : terms.rules().affinity().required()) {
            DomainCounts there = counts.counts(new TallyKey.Matching(patterns, false, term.topologyKey()));
            found += there.sum();
            demanded.add(new DomainRule(
                    Code.POD_AFFINITY, new Fact.Near(term.topologyKey()), term.topologyKey(), Test.SOME, there, 0));
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
        for (DomainRule rule : demanded) {
            Test test = first ? Test.PRESENT : Test.SOME;
            rules.add(new DomainRule(rule.code(), rule.fact(), rule.key(), test, rule.counts(), 0));
        }
    }

    private void addApart(DomainCounts there, String key, boolean ofRunningPods) {
        if (there.size() > 0) {
            rules.add(new DomainRule(
                    Code.POD_ANTI_AFFINITY, new Fact.Apart(key, ofRunningPods), key, Test.NONE, there, 0));
        }
    }

    /** Adds what running pods hold against this one; returns what they prefer. */
    private List<Tally> addHeld(RuleTerms terms, RuleCounts counts) {
        List<Tally> preferred = new ArrayList<>();
        counts.forEachHeld(terms, tally -> {
            if (tally.key() instanceof Holding held && held.keepsAway()) {
                addApart(tally.counts(), held.topology(), true);
            } else {
                preferred.add(tally);
            }
        });
        return preferred;
    }

    /** Whether no rule keeps the pod away from a node. */
    public boolean admits(Node node) {
        for (int i = 0; i < rules.size(); i++) {
            if (!rules.get(i).admits(node)) {
                return false;
            }
        }
        return within.matches(node);
    }

    /** Returns the pods of a node that the pod must be near if no other pods like them run in the same domain; else none. O(pods of the node). */
    public List<Placement> needed(NodeState node) {
        List<Placement> here = node.placements().stream().filter(near).toList();
        boolean areOthers = rules.stream()
                .filter(rule -> rule.code() == Code.POD_AFFINITY && rule.test() == Test.SOME)
                .allMatch(rule -> rule.counts().get(NodeRequirement.value(rule.key(), node.node())) > here.size());
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

    /** Returns the reason of the first rule, of these reasons, that keeps the pod away from a node, or null. */
    public @Nullable Code refusal(Node node, Set<Code> codes) {
        for (DomainRule rule : rules) {
            if (codes.contains(rule.code()) && !rule.admits(node)) {
                return rule.code();
            }
        }
        return null;
    }

    /** Returns what is demanded under a reason, each once, in the order of their words. */
    public List<Fact> facts(Code code) {
        return rules.stream()
                .filter(rule -> rule.code() == code)
                .map(DomainRule::fact)
                .distinct()
                .sorted(Comparator.comparing(Fact::toString))
                .toList();
    }

    /** Whether a new node without labels, or with labels that are not known here, is certain to be admitted. */
    public boolean admitsNodeWith(boolean noLabels) {
        return rules.stream()
                .allMatch(rule ->
                        rule.test() == Test.NONE && (noLabels || rule.key().equals(NodeRequirement.NAME)));
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
        if (!in && !notIn || rule.counts().size() > FEW || rule.counts().size() == 0) {
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
            if (count > rule.most() && full.size() <= FEW) {
                full.add(domain);
            }
        });
        return full.isEmpty() || full.size() > FEW
                ? null
                : new NodeRequirement(rule.key(), NodeRequirement.Operator.NOT_IN, full);
    }
}
