package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Choice;
import io.gpusched.decision.Choice.Candidate;
import io.gpusched.decision.Choice.Rule;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.rules.Preferences;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.ClusterAwarePolicy;
import io.gpusched.policy.PlacementPolicy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says why a pod goes where it does, by what would be decided without the nodes that are better. */
public final class ChoiceExplainer {
    private final PlacementSearch search;
    private final Cluster cluster;
    private final PodDemand demand;
    private final SearchSteps steps;

    /** @param steps for all decisions together */
    public ChoiceExplainer(PlacementSearch search, Cluster cluster, PodDemand demand, SearchSteps steps) {
        this.search = search;
        this.cluster = cluster;
        this.demand = demand;
        this.steps = steps;
    }

    /** Returns the choice with at most so many candidates, null if there is no place. */
    public @Nullable Choice explain(int most) {
        List<Candidate> candidates = new ArrayList<>();
        Set<String> met = new HashSet<>();
        Cluster left = cluster;
        while (candidates.size() < most) {
            Placement found = search.find(left, demand, SlotRange.EVERYWHERE, steps);
            // a pod that does not mind a cordon comes back
            if (found == null || !met.add(found.node())) {
                break;
            }
            candidates.add(new Candidate(found, score(found)));
            left = left.withCordoned(found.node(), true);
        }
        return candidates.isEmpty() ? null : new Choice(candidates, rule(candidates));
    }

    private long score(Placement placement) {
        PlacementPolicy policy = search.policy();
        NodeState before = node(placement);
        NodeState after = before.with(placement);
        long score = policy.score(before, after, demand.pod());
        if (policy instanceof ClusterAwarePolicy aware) {
            ClusterAwarePolicy.Statistics statistics = aware.statistics();
            cluster.nodes().forEach(statistics::add);
            score -= statistics.penalties(demand.pod()).applyAsLong(aware.penaltyKey(before, after));
        }
        return score;
    }

    private NodeState node(Placement placement) {
        return cluster.node(placement.node()).orElseThrow();
    }

    private Rule rule(List<Candidate> candidates) {
        if (candidates.size() < 2) {
            return Rule.ONLY_PLACE;
        }
        NodeState first = node(candidates.get(0).placement());
        NodeState second = node(candidates.get(1).placement());
        if (demand.otherwise() != null && form(first) < form(second)) {
            return Rule.ALTERNATIVE;
        }
        RuleSet rules = demand.under(search.rules(cluster)).rules();
        Preferences preferences = rules == null ? null : rules.preferences();
        long[] preferred = preferences == null ? new long[2] : preferences.scores(List.of(first, second));
        if (preferred[0] > preferred[1]) {
            return Rule.PREFERENCE;
        }
        return candidates.get(0).score() > candidates.get(1).score() ? Rule.SCORE : Rule.ORDER;
    }

    /** The number of the first alternative that fits on a node. */
    private int form(NodeState node) {
        int number = 0;
        for (PodDemand form = demand;
                form != null && LayoutSearch.best(form, node, search.policy(), steps) == null;
                form = form.otherwise()) {
            number++;
        }
        return number;
    }
}
