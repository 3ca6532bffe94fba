package io.gpusched.internal.search;

import io.gpusched.internal.check.Checks;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.LayoutEffort;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.rules.Preferences;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.internal.rank.ScoreCache;
import io.gpusched.internal.select.Candidates;
import io.gpusched.internal.select.SelectionMemory;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
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

    private static final int MOST_EFFORT = 1_000_000;

    private final PlacementPolicy policy;
    private final int effort;
    private final SearchStrategy strategy;
    private final @Nullable SelectionMemory selections;
    private final long cacheEntries;
    private final NodeSearches nodes;
    private final ScoredSearch scored;
    private final SomeNodesSearch some;
    private Comparisons comparisons = Comparisons.unlimited();

    private boolean isPacking;

    private PlacementSearch(PlacementPolicy policy, long cacheEntries, int effort) {
        this.policy = policy;
        this.effort = effort;
        this.strategy = SearchStrategy.of(policy);
        this.cacheEntries = cacheEntries;
        this.selections = cacheEntries == 0 ? null : new SelectionMemory();
        ScoreCache cache = cacheEntries == 0 ? null : new ScoreCache(policy, cacheEntries);
        this.nodes = new NodeSearches(policy, strategy, cache);
        this.scored = new ScoredSearch(policy, nodes, cache);
        this.some = new SomeNodesSearch(nodes);
    }

    /** Returns the search for this policy that remembers about this many node scores; 0 for none. */
    public static PlacementSearch of(PlacementPolicy policy, long cacheEntries) {
        return new PlacementSearch(
                policy, cacheEntries, Checks.inRange("policy", "effort", policy.effort(), 1, MOST_EFFORT));
    }

    /** Returns the policy. */
    public PlacementPolicy policy() {
        return policy;
    }

    /** Returns how many steps a score of the policy takes. */
    public int effort() {
        return effort;
    }

    /** Returns how it finds the best node. */
    public SearchStrategy strategy() {
        return strategy;
    }

    /** Returns a search like this one that remembers nothing yet, and that another thread may use. */
    public PlacementSearch anew() {
        return new PlacementSearch(policy, cacheEntries, effort);
    }

    /**
     * Begins a decision about many pods, which must not be compared with more nodes than its steps allow; until
     * {@link #endDecision}.
     */
    public void beginDecision(int pods, SearchSteps steps) {
        comparisons = Comparisons.within(steps, effort, pods);
        some.begin();
    }

    /**
     * Says whether pods that may be compared with some nodes only go to the tightest instead, as bin-pack would have it: so most of a
     * group finds room.
     */
    public void packTightly(boolean value) {
        isPacking = value;
    }

    /** Whether any pod of the decision was compared with some nodes only. */
    public boolean hasComparedSome() {
        return comparisons.isLimited();
    }

    /** Ends a decision about many pods: what was kept of the ranges that they were looked for in is forgotten. */
    public void endDecision() {
        comparisons = Comparisons.unlimited();
        isPacking = false;
        scored.forgetRanges();
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
        comparisons.next();
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
        int most = comparisons.most(cluster, demand, range, false);
        return most == Comparisons.ALL
                ? PreferredSearch.best(
                        room.all(range),
                        preferences,
                        tier -> quick
                                ? nodes.bestOf(cluster, demand, range, tier)
                                : nodes.thorough(cluster, demand, range, steps).bestOf(tier))
                : some.preferred(cluster, demand, range, room, most, steps, preferences);
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
            return comparisons.isUnlimited()
                    ? thorough(cluster, demand, range, leading, steps)
                    : sharing(cluster, demand, range, leading, steps);
        }
        if (mayDraw && strategy == SearchStrategy.DRAWN_NODE) {
            return new RandomSearch(cluster, demand, (RandomFit) policy, NodeSearches.indexes(cluster, selected))
                    .draw();
        }
        int most = strategy == SearchStrategy.FIRST_NODE
                ? Comparisons.ALL
                : comparisons.most(cluster, demand, range, scored.mayShare(demand));
        if (most == Comparisons.ALL) {
            return scored.best(cluster, demand, range, selected);
        }
        Placement packed = isPacking && TreeSearch.canServe(cluster, demand)
                ? packed(cluster, demand, tightest(cluster, demand, range, selected, steps), steps)
                : null;
        return packed != null
                ? packed
                : some.quick(cluster, demand, range, NodeSearches.indexes(cluster, selected), most, steps);
    }

    /** Returns the policy's placement on the node that bin-pack takes, or null if there is none. */
    private @Nullable Placement packed(
            Cluster cluster, PodDemand demand, @Nullable Placement tightest, SearchSteps steps) {
        NodeState node = tightest == null ? null : cluster.node(tightest.node()).orElseThrow();
        LayoutSearch.Found found = node == null ? null : LayoutSearch.best(demand, node, policy, steps);
        return found == null ? null : found.placement();
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

    /*
     * A member of a group first takes its part of the steps, on all nodes where these are not too many to be walked over for each
     * member, then on a few nodes after the other, and at last what all members have left.
     */
    private @Nullable Placement sharing(
            Cluster cluster, PodDemand demand, NodeRange range, @Nullable Candidates selected, SearchSteps steps) {
        boolean wasReached = steps.isReached();
        long allowed = comparisons.partOf(steps);
        if (2L * ClusterIndex.of(cluster).size(range) <= allowed) {
            SearchSteps part = steps.atMost(allowed);
            Placement found = thorough(cluster, demand, range, selected, part);
            steps.spend(allowed, part);
            if (found != null || !part.isReached()) {
                return found;
            }
        }
        int few = (int) Math.max(1, Math.min(Integer.MAX_VALUE, allowed / Comparisons.STEPS_OF_LAYOUT));
        Placement found = some.hard(cluster, demand, range, NodeSearches.indexes(cluster, selected), few, steps);
        if (found == null && steps.left() > 0) {
            steps.retract(wasReached);
            found = thorough(cluster, demand, range, selected, steps);
        }
        return found;
    }

    private @Nullable Placement thorough(
            Cluster cluster, PodDemand demand, NodeRange range, @Nullable Candidates selected, SearchSteps steps) {
        ThoroughSearch search = nodes.thorough(cluster, demand, range, steps);
        List<NodeState> few = selected == null ? null : selected.nodes(cluster.size() / 4);
        return few == null ? search.best() : search.bestOf(few);
    }
}
