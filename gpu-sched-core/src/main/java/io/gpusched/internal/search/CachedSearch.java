package io.gpusched.internal.search;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.score.ClassScores;
import io.gpusched.internal.score.Scored;
import io.gpusched.internal.score.ShapeScores;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.policy.ClusterAwarePolicy.Prices;
import org.jspecify.annotations.Nullable;

/** Finds the best node from remembered scores and the prices of the moment; O(classes &times; groups). */
public final class CachedSearch {
    private final Cluster cluster;
    private final ShapeScores scores;
    private final Prices prices;
    private @Nullable NodeState best;
    private long bestScore;

    public CachedSearch(Cluster cluster, ShapeScores scores, Prices prices) {
        this.cluster = cluster;
        this.scores = scores;
        this.prices = prices;
    }

    /** Returns the best node, the first in node order among equals, or null if none has room. */
    @Nullable
    public NodeState best() {
        for (ShapeScores.Group ofClass : scores.groups()) {
            for (int group = 0; group < ofClass.scores().groups(); group++) {
                consider(ofClass, ofClass.scores(), group);
            }
        }
        return best;
    }

    /** Prices are never negative, so what scores too low without one needs none. */
    private void consider(ShapeScores.Group nodes, ClassScores ofClass, int group) {
        long score = ofClass.best(group);
        if (score == Scored.NO_ROOM || best != null && score < bestScore) {
            return;
        }
        score -= prices.price(nodes.nodeClass(), ofClass.key(group));
        if (best != null && score < bestScore) {
            return;
        }
        NodeState node = ClusterIndex.of(cluster).node(nodes.nodes().get(ofClass.firstBest(group)));
        if (best == null || score > bestScore || NodeAccess.order(node) < NodeAccess.order(best)) {
            best = node;
            bestScore = score;
        }
    }
}
