package io.gpusched.internal.rules;

import io.gpusched.internal.rules.TallyKey.Holding;
import io.gpusched.internal.rules.TallyKey.Matching;
import io.gpusched.internal.rules.TallyKey.Port;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.PodSpec;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The rules of one pod as keys of counts.
 *
 * @param namespace its namespace
 * @param rules its rules
 */
record RuleTerms(String namespace, PodRules rules) {
    /** The weight that kube-scheduler gives to a running pod's required affinity as a preference. */
    static final int NEAR_WEIGHT = 1;

    static RuleTerms of(Placement placement) {
        return new RuleTerms(placement.pod().namespace(), rules(placement));
    }

    /** Returns all whose rules count on a node: its tenants and its residents. */
    static List<Placement> pods(NodeState node) {
        List<Placement> residents = node.node().residents();
        if (residents.isEmpty()) {
            return node.placements();
        }
        List<Placement> all = new ArrayList<>(node.placements());
        all.addAll(residents);
        return all;
    }

    /** Returns the rules of a running pod; none if its placement does not tell. */
    static PodRules rules(Placement placement) {
        return placement.spec().orElse(null) instanceof PodSpec spec ? spec.rules() : PodRules.NONE;
    }

    /** The pods that must all be matched to serve the pod's required affinity. */
    List<PodPattern> near() {
        return patterns(rules.affinity().required());
    }

    private List<PodPattern> patterns(List<PodAffinity.Term> terms) {
        return terms.stream().map(term -> PodPattern.of(term, namespace)).toList();
    }

    /** What is counted for a required or preferred affinity term alone. */
    Matching matching(PodAffinity.Term term) {
        return new Matching(List.of(PodPattern.of(term, namespace)), false, term.topologyKey());
    }

    /** What is counted for a spread constraint, over its own domains or over others. */
    Matching matching(TopologySpread spread, String topology) {
        // kube-scheduler counts no pod where the selector is empty
        LabelSelector pods = spread.pods().requirements().isEmpty() ? LabelSelector.NOBODY : spread.pods();
        return new Matching(List.of(PodPattern.within(namespace, pods)), true, topology);
    }

    /** Returns what is counted for affinity and anti-affinity, each once. */
    Set<Matching> neededByAffinity() {
        Set<Matching> keys = new LinkedHashSet<>();
        List<PodPattern> near = near();
        for (PodAffinity.Term term : rules.affinity().required()) {
            keys.add(new Matching(near, false, term.topologyKey()));
        }
        rules.antiAffinity().required().forEach(term -> keys.add(matching(term)));
        rules.affinity().preferred().forEach(preferred -> keys.add(matching(preferred.term())));
        rules.antiAffinity().preferred().forEach(preferred -> keys.add(matching(preferred.term())));
        return keys;
    }

    /** Returns what the pod does to others while it runs; what it does twice is there twice. */
    List<TallyKey> held() {
        List<TallyKey> keys = new ArrayList<>();
        rules.antiAffinity().required().forEach(term -> keys.add(holding(term, 0)));
        rules.affinity().required().forEach(term -> keys.add(holding(term, NEAR_WEIGHT)));
        rules.affinity().preferred().forEach(preferred -> keys.add(holding(preferred.term(), preferred.weight())));
        rules.antiAffinity().preferred().forEach(preferred -> keys.add(holding(preferred.term(), -preferred.weight())));
        for (HostPort port : rules.hostPorts()) {
            keys.add(new Port(port.port(), port.protocol(), port.ip()));
            keys.add(new Port(port.port(), port.protocol(), Port.ON_ALL));
        }
        return keys;
    }

    private Holding holding(PodAffinity.Term term, int weight) {
        return new Holding(List.of(PodPattern.of(term, namespace)), weight, term.topologyKey());
    }
}
