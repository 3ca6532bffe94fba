package io.gpusched.internal.search;

import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.LayoutEffort;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.rules.Preferences;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.internal.score.ScoreCache;
import io.gpusched.internal.score.StatisticsTracker;
import io.gpusched.internal.select.Candidates;
import io.gpusched.internal.select.SelectionMemory;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.ClusterAwarePolicy;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds the best placement of one pod by a policy, with whatever search serves that policy. Not thread-safe. */
public final class PlacementSearch {
    /** So many nodes are looked at one by one by policies that score each. */
    private static final int FEW = 16;

    /** So few nodes are quicker looked at one by one than asked for by what they have free. */
    private static final int FETCHED = 2;

    /** So many nodes may be passed by for what they lack of resources counted by name before those that have some are looked up. */
    private static final int MOST_LACKING = 64;

    /** So many nodes are scored one by one where a ranking does not help. */
    private static final int MOST_SCORED = 2_048;

    private final PlacementPolicy policy;
    private final SearchStrategy strategy;
    private final @Nullable SelectionMemory selections;
    private final @Nullable ScoreCache cache;
    private final long cacheEntries;
    private final ScanEffort effort = new ScanEffort();

    private PlacementSearch(PlacementPolicy policy, long cacheEntries) {
        this.policy = policy;
        this.strategy = SearchStrategy.of(policy);
        this.cacheEntries = cacheEntries;
        this.selections = cacheEntries == 0 ? null : new SelectionMemory();
        this.cache = cacheEntries == 0 ? null : new ScoreCache(policy, cacheEntries);
    }

    /** Returns the search for this policy that remembers about this many node scores; 0 for none. */
    public static PlacementSearch of(PlacementPolicy policy, long cacheEntries) {
        return new PlacementSearch(policy, cacheEntries);
    }

    /** Returns the policy. */
    public PlacementPolicy policy() {
        return policy;
    }

    /** Returns how it finds the best node. */
    public SearchStrategy strategy() {
        return strategy;
    }

    /** Returns a search like this one that remembers nothing yet, and that another thread may use. */
    public PlacementSearch anew() {
        return new PlacementSearch(policy, cacheEntries);
    }

    /** Ends a decision about many pods: what was kept of the ranges that they were looked for in is forgotten. */
    public void endDecision() {
        effort.forget();
        if (cache != null) {
            cache.forgetRanges();
        }
    }

    /**
     * Returns the best way to place a pod on this one node, in the most wanted shape that fits, or null if there is none; rules
     * that look at other pods are not looked at.
     */
    public @Nullable Placement place(NodeState node, PodDemand demand, SearchSteps steps) {
        for (PodDemand shape = demand; shape != null; shape = shape.otherwise()) {
            LayoutSearch.Found found = Admission.of(shape, node) ? LayoutSearch.best(shape, node, policy, steps) : null;
            if (found != null) {
                return found.placement();
            }
        }
        return null;
    }

    /**
     * Returns the best placement in the most wanted shape that fits anywhere within a range of the node order, or null; whether anything was left out for want of
     * steps, the counter says.
     */
    public @Nullable Placement find(Cluster cluster, PodDemand demand, NodeRange range, SearchSteps steps) {
        Cluster open = RuledDemand.opened(cluster, demand);
        Placement found = null;
        for (PodDemand shape = RuledDemand.of(open, demand);
                shape != null && found == null;
                shape = shape.otherwise()) {
            found = findShape(open, shape, range, steps);
        }
        return found;
    }

    private @Nullable Placement findShape(Cluster cluster, PodDemand demand, NodeRange range, SearchSteps steps) {
        RuleSet rules = demand.rules();
        Preferences preferences = rules == null ? null : rules.preferences();
        if (rules == null || preferences == null) {
            return findByPolicy(cluster, demand, range, steps);
        }
        PreferenceTiers tiers = PreferenceTiers.of(cluster, demand, rules, policy);
        for (PodDemand tier = tiers.next(); tier != null; tier = tiers.next()) {
            Placement found = findTier(cluster, tier, range, steps);
            if (found != null) {
                return found;
            }
        }
        return tiers.isOfAllNodes() ? null : findAmongAll(cluster, demand, range, steps, preferences);
    }

    /** Where nodes are drawn, the best of these by its score is taken, as among nodes that were weighed. */
    private @Nullable Placement findTier(Cluster cluster, PodDemand tier, NodeRange range, SearchSteps steps) {
        return strategy == SearchStrategy.DRAWN_NODE
                ? scan(cluster, tier, range, indexes(cluster, candidates(cluster, tier))).best()
                : findByPolicy(cluster, tier, range, steps);
    }

    private @Nullable Candidates candidates(Cluster cluster, PodDemand demand) {
        return selections == null ? null : selections.candidates(cluster, demand);
    }

    private @Nullable Placement findAmongAll(
            Cluster cluster, PodDemand demand, NodeRange range, SearchSteps steps, Preferences preferences) {
        Candidates selected = candidates(cluster, demand);
        PreferredSearch search = new PreferredSearch(indexes(cluster, selected), demand, range, steps);
        boolean quick = LayoutEffort.isQuick(demand, cluster);
        return search.best(
                preferences,
                nodes -> quick
                        ? scan(cluster, demand, range, List.of()).bestOf(nodes)
                        : thorough(cluster, demand, range, steps).bestOf(nodes));
    }

    private @Nullable Placement findByPolicy(Cluster cluster, PodDemand demand, NodeRange range, SearchSteps steps) {
        boolean quick = LayoutEffort.isQuick(demand, cluster);
        Candidates selected = candidates(cluster, demand);
        if (strategy == SearchStrategy.TIGHTEST_ROOM && TreeSearch.canServe(cluster, demand)) {
            return tightest(cluster, demand, range, selected, steps);
        }
        if (!quick) {
            Candidates leading =
                    selected == null && selections != null ? selections.havingResources(cluster, demand) : selected;
            return thorough(cluster, demand, range, leading, steps);
        }
        if (range.isEverywhere() && strategy == SearchStrategy.DRAWN_NODE) {
            return new RandomSearch(cluster, demand, (RandomFit) policy, indexes(cluster, selected)).draw();
        }
        if (selected != null && selected.areAtMost(FEW)) {
            return bestOf(cluster, demand, range, selected.nodes(FEW));
        }
        ScoreCache scores = policy.scope() == PlacementPolicy.Scope.POD ? null : cache;
        if (!range.isEverywhere()) {
            return within(mayRank(demand) ? scores : null, cluster, demand, range, selected);
        }
        if (scores != null) {
            return selected == null
                    ? new CachedSearch(scores, policy).best(cluster, demand, range)
                    : remembered(scores, cluster, demand, selected);
        }
        return scan(cluster, demand, range, indexes(cluster, selected)).best();
    }

    /*
     * The members of a group are looked for in one range after the other. The first few are compared with its nodes; where that
     * comes to more than it takes to rank these nodes, they are ranked, for as long as the decision takes.
     */
    private @Nullable Placement within(
            @Nullable ScoreCache scores,
            Cluster cluster,
            PodDemand demand,
            NodeRange range,
            @Nullable Candidates selected) {
        long most = scores == null ? Long.MAX_VALUE : effort.left(cluster, range, demand);
        if (most > 0) {
            ScanSearch search =
                    scan(cluster, demand, range, indexes(cluster, selected)).comparingAtMost(most);
            Placement found = search.best();
            effort.add(range, demand, search.compared());
            if (!search.isCutShort()) {
                return found;
            }
        }
        CachedSearch search = new CachedSearch(Objects.requireNonNull(scores, "scores"), policy);
        CachedSearch.Outcome outcome = shared(search, cluster, demand, range, selected);
        if (outcome.isSure()) {
            return outcome.placement();
        }
        return demand.isRuled()
                ? scan(cluster, demand, range, indexes(cluster, selected)).best()
                : search.best(cluster, demand, range);
    }

    /** Whether a ranking of nodes serves a pod: what rules between pods admit changes with every pod, how nodes score does not. */
    private boolean mayRank(PodDemand demand) {
        return !demand.isRuled() || policy.scope() == PlacementPolicy.Scope.OCCUPANCY;
    }

    /** Goes down the ranking that pods of all selectors share, if the policy allows for one, until a node admits the pod. */
    private CachedSearch.Outcome shared(
            CachedSearch search, Cluster cluster, PodDemand demand, NodeRange range, @Nullable Candidates selected) {
        return selected == null || policy.scope() != PlacementPolicy.Scope.OCCUPANCY
                ? new CachedSearch.Outcome(null, false)
                : search.best(cluster, demand, range, selected::admit);
    }

    private @Nullable Placement tightest(
            Cluster cluster, PodDemand demand, NodeRange range, @Nullable Candidates selected, SearchSteps steps) {
        if (selected == null) {
            return tightest(cluster, demand, range, steps);
        }
        return selected.areAtMost(FETCHED)
                ? bestOf(cluster, demand, range, selected.nodes(FETCHED))
                : new TreeSearch(selected.indexes(), demand, range).tightest(steps);
    }

    /*
     * What is counted by name does not lead the search through the cluster's tree. Where many nodes turn out to lack it, those
     * that have some are searched instead.
     */
    private @Nullable Placement tightest(Cluster cluster, PodDemand demand, NodeRange range, SearchSteps steps) {
        TreeSearch search = new TreeSearch(cluster, demand, range);
        if (selections == null) {
            return search.tightest(steps);
        }
        Placement found = search.passingAtMost(MOST_LACKING).tightest(steps);
        if (!search.isCutShort()) {
            return found;
        }
        Candidates having = selections.havingResources(cluster, demand);
        return having == null
                ? new TreeSearch(cluster, demand, range).tightest(steps)
                : tightest(cluster, demand, range, having, steps);
    }

    private @Nullable Placement thorough(
            Cluster cluster, PodDemand demand, NodeRange range, @Nullable Candidates selected, SearchSteps steps) {
        ThoroughSearch search = thorough(cluster, demand, range, steps);
        List<NodeState> nodes = selected == null ? null : selected.nodes(cluster.size() / 4);
        return nodes == null ? search.best() : search.bestOf(nodes);
    }

    /*
     * Few nodes are scored one by one. For more the ranking that pods of all selectors share is gone down until a node admits
     * the pod; where that takes too long, the nodes that admit it are scored after all, unless they are very many: then the
     * pod's shape gets a ranking of its own. Not so where rules between pods are in play: what they admit changes with every
     * pod.
     */
    private @Nullable Placement remembered(ScoreCache scores, Cluster cluster, PodDemand demand, Candidates selected) {
        CachedSearch search = new CachedSearch(scores, policy);
        if (selected.areAtMost((int) Math.sqrt(cluster.size()) / 2)) {
            return bestOf(cluster, demand, NodeRange.EVERYWHERE, selected.nodes(cluster.size()));
        }
        CachedSearch.Outcome outcome = shared(search, cluster, demand, NodeRange.EVERYWHERE, selected);
        if (outcome.isSure()) {
            return outcome.placement();
        }
        List<NodeState> nodes = selected.nodes(demand.isRuled() ? cluster.size() : MOST_SCORED);
        return nodes == null
                ? search.best(cluster, demand, NodeRange.EVERYWHERE)
                : bestOf(cluster, demand, NodeRange.EVERYWHERE, nodes);
    }

    private ThoroughSearch thorough(Cluster cluster, PodDemand demand, NodeRange range, SearchSteps steps) {
        return new ThoroughSearch(
                ClusterIndex.of(cluster).classes(), demand, policy, strategy, tracker(cluster), range, steps);
    }

    private @Nullable Placement bestOf(
            Cluster cluster, PodDemand demand, NodeRange range, @Nullable List<NodeState> nodes) {
        return scan(cluster, demand, range, List.of()).bestOf(Objects.requireNonNull(nodes, "nodes"));
    }

    private static List<? extends NodeIndex> indexes(Cluster cluster, @Nullable Candidates selected) {
        return selected == null ? ClusterIndex.of(cluster).classes() : selected.indexes();
    }

    private ScanSearch scan(Cluster cluster, PodDemand demand, NodeRange range, List<? extends NodeIndex> trees) {
        return new ScanSearch(trees, demand, policy, strategy, tracker(cluster), range);
    }

    private StatisticsTracker tracker(Cluster cluster) {
        return cache == null || !(policy instanceof ClusterAwarePolicy)
                ? StatisticsTracker.of(policy, cluster)
                : cache.tracker(cluster);
    }
}
