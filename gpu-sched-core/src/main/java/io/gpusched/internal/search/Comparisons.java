package io.gpusched.internal.search;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.rank.SpecKey;
import io.gpusched.model.Cluster;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * With how many nodes the members of a group may be compared, so that members of many shapes on many nodes do not take more
 * than the steps of the decision. Not thread-safe; one for each decision.
 */
final class Comparisons {
    /*
     * To compare a pod with all nodes takes a score of each. Pods of one shape can share them; then the nodes count that changed
     * since the shape was last asked for. What a scheduler remembers from decisions before does not count: it must not
     * change an answer. So as not to punish groups for that, the first two shapes are compared with all nodes whatever it
     * takes, as single pods are.
     *
     * As long as a comparison takes a small part of the steps that are left, it is made. Else the member is compared with some of
     * the nodes that have room, as many as the steps allow for each member. Scores have steps of their own, as many as the
     * decision has for all else: they must not use up what it takes to find a place at all.
     */

    /** All nodes. */
    static final int ALL = Integer.MAX_VALUE;

    /** What it takes to lay a pod out on a node, where that can be done in very many ways but is not hard. */
    static final long STEPS_OF_LAYOUT = 500;

    /** So few nodes are compared without being counted: members take time for each anyway. */
    private static final int FEW = 16;

    /** So many times all nodes are compared whatever it takes. */
    private static final int MOST_AT_ANY_PRICE = 2;

    /** A comparison may take one part in so many of the steps that are left. */
    private static final int PARTS = 8;

    /** To score a node for a partition takes as long as so many scores for others: there are many ways to cut a GPU. */
    private static final int EFFORT_OF_PARTITIONS = 16;

    /** So many shapes are told apart in one range; more are not taken for known. */
    private static final int MOST_SHAPES = 256;

    private final @Nullable SearchSteps steps;
    private final int effort;
    private final int members;

    /** By shape: when it was last compared with all nodes of the range. */
    private final Map<SpecKey, Long> known = new HashMap<>();

    private NodeRange range = NodeRange.EVERYWHERE;
    private long now;
    private int atAnyPrice;

    private boolean isLimited;

    /** How many times a pod was begun with. */
    private long begun;

    /** What was said of the present pod; 0 if nothing was. */
    private int decided;

    /** The steps that are left for scores. */
    private long left;

    private Comparisons(@Nullable SearchSteps steps, int effort, int members) {
        this.steps = steps;
        this.left = steps == null ? 0 : steps.left();
        this.effort = effort;
        this.members = members;
    }

    /** Returns what lets everything be compared. */
    static Comparisons unlimited() {
        return new Comparisons(null, 1, 1);
    }

    /**
     * Returns what limits the comparisons of a decision.
     *
     * @param steps the steps of the decision
     * @param effort the steps that a score takes
     * @param members how many pods are placed
     */
    static Comparisons within(SearchSteps steps, int effort, int members) {
        return new Comparisons(steps, effort, Math.max(1, members));
    }

    /** Begins with another pod. What is said of it first holds for all ways to ask for it, by preferred labels or in another shape. */
    void next() {
        decided = 0;
        begun++;
    }

    /**
     * Returns with how many nodes that have room a pod may be compared, at least 1; {@link #ALL} if with all.
     *
     * @param asked the range it is looked for in
     * @param isShared whether pods of its shape can share the scores
     */
    int most(Cluster cluster, PodDemand demand, NodeRange asked, boolean isShared) {
        if (steps == null || decided > 0) {
            return steps == null ? ALL : decided;
        }
        decided = decide(cluster, demand, asked, isShared);
        return decided;
    }

    private int decide(Cluster cluster, PodDemand demand, NodeRange asked, boolean isShared) {
        int nodes = ClusterIndex.of(cluster).size(asked);
        now++;
        SpecKey shape = isShared ? SpecKey.of(demand) : null;
        long cost = shape == null ? nodes : toCatchUp(shape, asked, nodes);
        long each = (long) effort * (demand.needsPartitions() ? EFFORT_OF_PARTITIONS : 1);
        if (!mayCompare(cost, each)) {
            isLimited = true;
            int most = (int) Math.max(1, Math.min(left / (each * members), nodes));
            left = Math.max(0, left - most * each);
            return most;
        }
        if (shape != null && (known.size() < MOST_SHAPES || known.containsKey(shape))) {
            known.put(shape, now);
        }
        return ALL;
    }

    /** Whether any pod was to be compared with some nodes only. */
    boolean isLimited() {
        return isLimited;
    }

    /** Returns the part of a decision's steps that one pod may take that can be laid out in very many ways; all if nothing is limited. */
    long partOf(SearchSteps all) {
        return steps == null ? all.left() : all.left() / Math.max(1, members - begun + 1);
    }

    /** Whether nothing is limited. */
    boolean isUnlimited() {
        return steps == null;
    }

    private boolean mayCompare(long nodes, long each) {
        if (nodes <= FEW) {
            return true;
        }
        if (nodes * each <= left / PARTS) {
            left -= nodes * each;
            return true;
        }
        return atAnyPrice++ < MOST_AT_ANY_PRICE;
    }

    /** Returns how many nodes of a range may have changed since a shape was compared with all of them; all if it was not. */
    private long toCatchUp(SpecKey shape, NodeRange asked, int nodes) {
        if (!asked.equals(range)) {
            range = asked;
            known.clear();
        }
        Long last = known.get(shape);
        return last == null ? nodes : Math.min(nodes, now - last);
    }
}
