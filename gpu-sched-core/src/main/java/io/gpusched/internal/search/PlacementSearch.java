package io.gpusched.internal.search;

import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.LayoutCount;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodCapacity;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.CandidateSet;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.index.SnapshotIndex;
import io.gpusched.internal.rules.Preferences;
import io.gpusched.internal.rules.RankedRules;
import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best placement of one pod by a policy, with whatever search serves that policy. Not thread-safe.
 *
 * <table>
 * <caption>Which search</caption>
 * <tr><th>policy<th>request<th>search<th>cost
 * <tr><td>bin-pack<td>one GPU container, GPUs alike<td>{@link TightestSearch}<td>O(kinds of room &middot; log n)
 * <tr><td>any<td>many layouts on a node<td>{@link ThoroughSearch}<td>the steps of the decision
 * <tr><td>random<td>few layouts, any node<td>{@link RandomSearch}<td>O(log n), typically
 * <tr><td>first fit<td>few layouts<td>{@link ScanSearch}<td>O(log n), typically
 * <tr><td>others<td>few layouts<td>{@link ScoredSearch}<td>O(nodes changed since &middot; log n)
 * </table>
 */
public final class PlacementSearch {
    private final PlacementPolicy policy;
    private final SearchStrategy strategy;
    private final long memory;
    private final SnapshotIndex index;
    private @Nullable ScoredSearch scored;
    private @Nullable PlacementSearch byBinPack;

    private PlacementSearch(PlacementPolicy policy, long memory, SnapshotIndex index) {
        this.policy = policy;
        this.strategy = SearchStrategy.of(policy);
        this.memory = memory;
        this.index = index;
    }

    /** Returns the search for this policy that remembers about this many node scores; 0 for none. */
    public static PlacementSearch of(PlacementPolicy policy, long memory) {
        return new PlacementSearch(policy, memory, SnapshotIndex.create());
    }

    /** Returns about how many scores it remembers. */
    public long memory() {
        return memory;
    }

    /** Returns the policy. */
    public PlacementPolicy policy() {
        return policy;
    }

    /** Returns how it finds the best node. */
    public SearchStrategy strategy() {
        return strategy;
    }

    /** Returns the index of the cluster, at this snapshot. */
    public SnapshotIndex index(Cluster cluster) {
        index.follow(cluster);
        return index;
    }

    /** Returns the counts of rules between pods, at this snapshot. */
    public RuleCounts rules(Cluster cluster) {
        return index(cluster).rules();
    }

    /** Returns a search like this one that remembers nothing yet, and that another thread may use. */
    public PlacementSearch anew() {
        return of(policy, memory);
    }

    /** Returns the search by bin-pack that serves pods for which no steps are left to compare nodes; always the same one. */
    public PlacementSearch byBinPack() {
        if (byBinPack == null) {
            byBinPack = new PlacementSearch(BinPack.of(), memory, index);
        }
        return byBinPack;
    }

    /** Made when first asked for: what it remembers follows every node that changes. */
    private ScoredSearch scored() {
        if (scored == null) {
            scored = new ScoredSearch(policy, index, memory);
        }
        return scored;
    }

    /** Ends a decision about many pods: what was kept of the ranges that they were looked for in is forgotten. */
    public void forgetRanges() {
        if (scored != null) {
            scored.forgetRanges();
        }
        if (byBinPack != null) {
            byBinPack.forgetRanges();
        }
    }

    /**
     * Returns the best way to place a pod on this one node, in the most wanted form that fits, or null if there is none; rules
     * that look at other pods are not looked at.
     */
    public @Nullable Placement place(NodeState node, PodDemand demand, SearchSteps steps) {
        for (PodDemand form = demand; form != null; form = form.otherwise()) {
            LayoutSearch.Found found =
                    FitRule.atAll(form, node) == null ? LayoutSearch.best(form, node, policy, steps) : null;
            if (found != null) {
                return found.placement();
            }
        }
        return null;
    }

    /** Returns how many pods like this the nodes of a range take, rules between pods aside, or so many if these are no more; counted. */
    public long count(Cluster cluster, PodDemand demand, SlotRange range, long most) {
        CandidateSet candidates = index(cluster).candidates(demand);
        long[] count = {0};
        candidates.first(Query.rooms(index, demand), range, slot -> {
            count[0] += PodCapacity.of(demand, candidates.state(slot));
            return count[0] >= most;
        });
        return count[0];
    }

    /**
     * Returns the best placement in the most wanted form that fits anywhere within a range, or null; whether anything was left out
     * for want of steps, the counter says.
     */
    public @Nullable Placement find(Cluster cluster, PodDemand demand, SlotRange range, SearchSteps steps) {
        index.follow(cluster);
        Placement found = null;
        for (PodDemand form = demand.under(index.rules()); form != null && found == null; form = form.otherwise()) {
            found = findForm(form, range, steps);
        }
        return found;
    }

    private @Nullable Placement findForm(PodDemand demand, SlotRange range, SearchSteps steps) {
        RuleSet rules = demand.rules();
        Preferences preferences = rules == null ? null : rules.preferences();
        if (rules == null || preferences == null) {
            return findByPolicy(demand, range, steps, range.isEverywhere());
        }
        // what takes steps to lay out is weighed, so that none are taken twice
        if (LayoutCount.isQuick(demand, index.classes())) {
            RankedRules ranks = RankedRules.of(rules, preferences);
            for (RuleSet rank = ranks.next(); rank != null; rank = ranks.next()) {
                Placement found = findByPolicy(demand.with(rank), range, steps, false);
                if (found != null) {
                    return found;
                }
            }
            if (ranks.isOfAllNodes()) {
                return null;
            }
        }
        return findAmongAll(demand, range, steps, preferences);
    }

    private @Nullable Placement findAmongAll(
            PodDemand demand, SlotRange range, SearchSteps steps, Preferences preferences) {
        Query query = Query.of(index, demand, range, steps);
        List<NodeState> nodes = query.withRoom();
        if (!steps.take(nodes.size())) {
            return findByPolicy(demand, range, steps, false);
        }
        boolean quick = LayoutCount.isQuick(demand, index.classes());
        return PreferredSearch.best(
                nodes,
                preferences,
                rank -> quick
                        ? scored().scan(query).bestOf(slots(rank))
                        : thorough(query).bestOf(slots(rank)));
    }

    private IntList slots(List<NodeState> nodes) {
        IntArrayList slots = new IntArrayList(nodes.size());
        nodes.forEach(node -> slots.add(index.slot(node.name())));
        return slots;
    }

    private ThoroughSearch thorough(Query query) {
        return new ThoroughSearch(query, policy, scored().tracker());
    }

    /**
     * Returns the best placement by the policy alone, or null.
     *
     * @param mayDraw whether a policy that draws nodes draws them of all; otherwise it takes the best by its score, as among nodes that
     *     were weighed
     */
    private @Nullable Placement findByPolicy(PodDemand demand, SlotRange range, SearchSteps steps, boolean mayDraw) {
        if (strategy == SearchStrategy.TIGHTEST_ROOM && TightestSearch.serves(demand, index.classes())) {
            return new TightestSearch(index.candidates(demand), demand, range).best(index.classes(), steps);
        }
        Query query = Query.of(index, demand, range, steps);
        if (!LayoutCount.isQuick(demand, index.classes())) {
            return thorough(query).best();
        }
        return mayDraw && strategy == SearchStrategy.DRAWN_NODE
                ? new RandomSearch(query, (RandomFit) policy).draw()
                : scored().best(query);
    }
}
