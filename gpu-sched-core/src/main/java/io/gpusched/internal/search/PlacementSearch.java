package io.gpusched.internal.search;

import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.LayoutEffort;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.rank.PolicyLayouts;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.rank.ScoreCache;
import io.gpusched.internal.rules.Preferences;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.internal.select.Candidates;
import io.gpusched.internal.select.SelectionMemory;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the best placement of one pod by a policy, with whatever search serves that policy. Not thread-safe. */
public final class PlacementSearch {
    /** So few nodes are quicker looked at one by one than asked for by what they have free. */
    private static final int FETCHED = 2;

    /** So many nodes may be passed by for what they lack of resources counted by name before those that have some are looked up. */
    private static final int MOST_LACKING = 64;

    private final PlacementPolicy policy;
    private final SearchStrategy strategy;
    private final @Nullable SelectionMemory selections;
    private final long cacheEntries;
    private final NodeSearches nodes;
    private final ScoredSearch scored;
    private @Nullable PlacementSearch byBinPack;

    private PlacementSearch(PlacementPolicy policy, long cacheEntries) {
        this.policy = policy;
        this.strategy = SearchStrategy.of(policy);
        this.cacheEntries = cacheEntries;
        this.selections = cacheEntries == 0 ? null : new SelectionMemory();
        ScoreCache cache = cacheEntries == 0 ? null : new ScoreCache(policy, cacheEntries);
        this.nodes = new NodeSearches(policy, strategy, cache);
        this.scored = new ScoredSearch(policy, nodes, cache);
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

    /** Returns the search by bin-pack that serves pods for which no steps are left to compare nodes; always the same one. */
    public PlacementSearch byBinPack() {
        if (byBinPack == null) {
            byBinPack = of(BinPack.of(), cacheEntries);
        }
        return byBinPack;
    }

    /** Ends a decision about many pods: what was kept of the ranges that they were looked for in is forgotten. */
    public void forgetRanges() {
        scored.forgetRanges();
        if (byBinPack != null) {
            byBinPack.forgetRanges();
        }
    }

    /**
     * Returns the best way to place a pod on this one node, in the most wanted shape that fits, or null if there is none; rules
     * that look at other pods are not looked at.
     */
    public @Nullable Placement place(NodeState node, PodDemand demand, SearchSteps steps) {
        for (PodDemand shape = demand; shape != null; shape = shape.otherwise()) {
            LayoutSearch.Found found = Admission.of(shape, node) ? PolicyLayouts.best(shape, node, policy, steps) : null;
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
            return findByPolicy(cluster, demand, range, steps, range.isEverywhere());
        }
        PreferenceTiers tiers = PreferenceTiers.of(cluster, demand, rules, policy);
        for (PodDemand tier = tiers.next(); tier != null; tier = tiers.next()) {
            Placement found = findByPolicy(cluster, tier, range, steps, false);
            if (found != null) {
                return found;
            }
        }
        return tiers.isOfAllNodes() ? null : findAmongAll(cluster, demand, range, steps, preferences);
    }

    private @Nullable Candidates candidates(Cluster cluster, PodDemand demand) {
        return selections == null ? null : selections.candidates(cluster, demand);
    }

    private @Nullable Placement findAmongAll(
            Cluster cluster, PodDemand demand, NodeRange range, SearchSteps steps, Preferences preferences) {
        Candidates selected = candidates(cluster, demand);
        boolean quick = LayoutEffort.isQuick(demand, cluster);
        NodesWithRoom room =
                new NodesWithRoom(NodeSearches.indexes(cluster, selected), demand, new RoomTest(demand, steps));
        return PreferredSearch.best(
                room.all(range),
                preferences,
                tier -> quick
                        ? nodes.bestOf(cluster, demand, range, tier)
                        : nodes.thorough(cluster, demand, range, steps).bestOf(tier));
    }

    /**
     * Returns the best placement by the policy alone, or null.
     *
     * @param mayDraw whether a policy that draws nodes draws them of all; otherwise it takes the best by its score, as among nodes that
     *     were weighed
     */
    private @Nullable Placement findByPolicy(
            Cluster cluster, PodDemand demand, NodeRange range, SearchSteps steps, boolean mayDraw) {
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
        if (mayDraw && strategy == SearchStrategy.DRAWN_NODE) {
            return new RandomSearch(cluster, demand, (RandomFit) policy, NodeSearches.indexes(cluster, selected))
                    .draw();
        }
        return scored.best(cluster, demand, range, selected);
    }

    private @Nullable Placement tightest(
            Cluster cluster, PodDemand demand, NodeRange range, @Nullable Candidates selected, SearchSteps steps) {
        if (selected == null) {
            return tightest(cluster, demand, range, steps);
        }
        return selected.areAtMost(FETCHED)
                ? nodes.bestOf(cluster, demand, range, selected.nodes(FETCHED))
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
        ThoroughSearch search = nodes.thorough(cluster, demand, range, steps);
        List<NodeState> few = selected == null ? null : selected.nodes(cluster.size() / 4);
        return few == null ? search.best() : search.bestOf(few);
    }
}
