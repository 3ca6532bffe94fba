package io.gpusched.internal.rules;

import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.rules.DomainRule.Test;
import io.gpusched.internal.rules.TallyKey.Holding;
import io.gpusched.internal.rules.TallyKey.Kind;
import io.gpusched.internal.rules.TallyKey.Port;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the rules of a pod, and those of running pods that mean it, come to at one snapshot: conditions on labels of nodes, in
 * the order in which kube-scheduler looks at them, and preferences. Immutable but for what is worked out late; one for each
 * decision.
 */
public final class RuleSet {
    /** So many values of a label are looked up. */
    private static final int FEW = 16;

    private final List<DomainRule> rules = new ArrayList<>();
    private final @Nullable Preferences preferences;

    private RuleSet(Pod pod, RuleCounts counts) {
        RuleTerms terms = new RuleTerms(pod.id().namespace(), pod.rules());
        pod.rules().nodeName().ifPresent(this::addName);
        if (pod.rules().concernsOthers()) {
            addOwn(pod, terms, counts);
        }
        List<Tally> wishes = addHeld(terms, counts);
        preferences = Preferences.of(pod, terms, counts, wishes);
    }

    private RuleSet(List<DomainRule> some, List<DomainRule> more) {
        rules.addAll(some);
        rules.addAll(more);
        preferences = null;
    }

    /**
     * Returns the rules of a pod at a snapshot, or null if there are none.
     *
     * @param index what the snapshot knows of the pods that run
     * @param size how many nodes it has
     * @param nodes its nodes, in any order
     */
    public static @Nullable RuleSet of(
            Pod pod, RuleIndex index, int size, Supplier<? extends Iterable<NodeState>> nodes) {
        PodRules own = pod.rules();
        boolean none = !own.concernsOthers()
                && own.nodeName().isEmpty()
                && own.preferredNodes().isEmpty();
        if (none && index.isIdle() && !index.hasAvoided()) {
            return null;
        }
        RuleSet set = new RuleSet(pod, new RuleCounts(index, size, nodes));
        return set.rules.isEmpty() && set.preferences == null ? null : set;
    }

    private void addOwn(Pod pod, RuleTerms terms, RuleCounts counts) {
        counts.prepare(terms.neededByAffinity());
        pod.rules().hostPorts().forEach(port -> addPort(port, counts));
        addSpread(pod, terms, counts);
        addAffinity(terms, counts);
        for (PodAffinity.Term term : terms.rules().antiAffinity().required()) {
            addApart(counts.counts(terms.matching(term)), term.topologyKey(), "it stays away from pods");
        }
    }

    private void addName(String name) {
        DomainCounts only = DomainCounts.of(Map.of(name, 1));
        rules.add(new DomainRule(Code.NODE_NAME, name, NodeRequirement.NAME, Test.SOME, only, 0));
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
            rules.add(new DomainRule(Code.HOST_PORT, port.toString(), NodeRequirement.NAME, Test.NONE, taken, 0));
        }
    }

    private void addSpread(Pod pod, RuleTerms terms, RuleCounts counts) {
        for (SpreadCount.Counted one : new SpreadCount(pod, terms, counts).counted()) {
            boolean itself = one.spread().pods().matches(terms.rules().labels());
            String key = one.spread().topologyKey();
            String words = key + " (max skew " + one.spread().maxSkew() + ", the fewest " + one.least() + ")";
            rules.add(new DomainRule(Code.TOPOLOGY_SPREAD, words, key, Test.AT_MOST, one.counts(), one.most(itself)));
        }
    }

    /** Where nobody matches yet, a pod that matches itself may be the first. */
    private void addAffinity(RuleTerms terms, RuleCounts counts) {
        List<PodPattern> near = terms.near();
        List<DomainRule> demanded = new ArrayList<>();
        long found = 0;
        for (PodAffinity.Term term : terms.rules().affinity().required()) {
            Counts there = counts.counts(new TallyKey.Matching(near, false, term.topologyKey()));
            found += there.sum();
            demanded.add(
                    new DomainRule(Code.POD_AFFINITY, term.topologyKey(), term.topologyKey(), Test.SOME, there, 0));
        }
        boolean first = found == 0
                && near.stream()
                        .allMatch(pattern -> pattern.matches(
                                terms.namespace(),
                                terms.rules().labels(),
                                counts.index().namespaces()));
        for (DomainRule rule : demanded) {
            Test test = first ? Test.PRESENT : Test.SOME;
            rules.add(new DomainRule(rule.code(), rule.words(), rule.key(), test, rule.counts(), 0));
        }
    }

    private void addApart(Counts there, String key, String words) {
        if (there.size() > 0) {
            rules.add(new DomainRule(Code.POD_ANTI_AFFINITY, words + " in the same " + key, key, Test.NONE, there, 0));
        }
    }

    /** Adds what running pods hold against this one; returns what they wish. */
    private List<Tally> addHeld(RuleTerms terms, RuleCounts counts) {
        List<Tally> wishes = new ArrayList<>();
        RuleIndex index = counts.index();
        index.tallies().forEachOf(terms.namespace(), terms.rules().labels(), index.namespaces(), tally -> {
            if (tally.key() instanceof Holding held && held.kind() == Kind.APART) {
                addApart(tally.counts(), held.topology(), "running pods keep it away");
            } else if (tally.key() instanceof Holding && tally.counts().size() > 0) {
                wishes.add(tally);
            }
        });
        return wishes;
    }

    /** Whether no rule keeps the pod away from a node. */
    public boolean admits(Node node) {
        for (int i = 0; i < rules.size(); i++) {
            if (!rules.get(i).admits(node)) {
                return false;
            }
        }
        return true;
    }

    /** Whether any node may be refused. */
    public boolean refuses() {
        return !rules.isEmpty();
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

    /** Returns what is demanded under a reason, in words; each once. */
    public List<String> words(Code code) {
        return rules.stream()
                .filter(rule -> rule.code() == code)
                .map(DomainRule::words)
                .distinct()
                .sorted()
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

    /**
     * Returns what gives these rules without the preferences, but for those nodes alone that preferences between pods like best; the next
     * time for those that they like second best, and so on. Gives null once the nodes that are left, if any, have to be weighed. Where
     * taints to be avoided have a say as well, only nodes without any count.
     */
    public Supplier<@Nullable RuleSet> tiers() {
        SoftTiers tiers = new SoftTiers(preferences == null ? List.of() : preferences.levels());
        return () -> {
            List<DomainRule> more = tiers.next();
            return more == null ? null : new RuleSet(rules, more);
        };
    }

    /** Returns what few labels the nodes must have that are not refused, for looking them up; empty if that is not so. */
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

    private static @Nullable NodeRequirement requirement(DomainRule rule) {
        if (rule.test() == Test.AT_MOST) {
            return withoutFull(rule);
        }
        boolean in = rule.test() == Test.SOME;
        boolean notIn = rule.test() == Test.NONE && !rule.key().equals(NodeRequirement.NAME);
        if (!in && !notIn || rule.counts().size() > FEW || rule.counts().size() == 0) {
            return null;
        }
        List<String> values = List.copyOf(rule.counts().toMap().keySet());
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
