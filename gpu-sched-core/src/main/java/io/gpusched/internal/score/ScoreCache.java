package io.gpusched.internal.score;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeLocation;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;
import it.unimi.dsi.fastutil.objects.Reference2LongOpenHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Remembers, for each shape of pod seen lately, the score of every node, and catches up with any snapshot of the same
 * nodes by looking at what changed. Not thread-safe.
 */
public final class ScoreCache {
    /*
     * One log of changed nodes serves all shapes: when a snapshot arrives, its difference to the one seen last is
     * appended once, O(changed nodes), and each shape replays what it has missed when it is next asked for. A node that
     * stands in the log several times is scored only at its last place. The log is a ring; a shape that has missed more
     * than the ring holds is built anew.
     */
    private static final int LOG_SIZE = 1 << 14;

    /** How many node scores all shapes together may hold, 8 bytes each. */
    private final long capacity;

    private final PlacementPolicy policy;

    private final NodeLocation[] log = new NodeLocation[LOG_SIZE];
    private long logEnd;

    /** Of each node in the log the place where it stands last. */
    private final Reference2LongOpenHashMap<NodeLocation> lastLogged = new Reference2LongOpenHashMap<>();

    private @Nullable Cluster seen;
    private @Nullable MarketWatch watch;
    private final Map<ShapeKey, ShapeScores> shapes = new LinkedHashMap<>(16, 0.75f, true);
    private long held;

    /** A pod as the key of its shape. */
    private record ShapeKey(Pod pod) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof ShapeKey key && pod.hasSameShape(key.pod);
        }

        @Override
        public int hashCode() {
            return pod.shapeHash();
        }
    }

    public ScoreCache(PlacementPolicy policy, long capacity) {
        this.policy = policy;
        this.capacity = capacity;
    }

    /** Returns the scores of the pod's shape on this snapshot; the function makes what scores a shape not seen lately. */
    public ShapeScores scores(
            Cluster cluster, PodDemand demand, BiFunction<PodDemand, MarketWatch, ShapeScores.Scorer> scorer) {
        MarketWatch now = watch(cluster);
        ShapeKey key = new ShapeKey(demand.pod());
        ShapeScores scores = shapes.get(key);
        if (scores == null) {
            scores = new ShapeScores(cluster, demand, scorer.apply(demand, now), now.tariff(demand.pod()));
            shapes.put(key, scores);
            held += cluster.size();
            evict();
        } else if (logEnd - scores.logPosition() > LOG_SIZE) {
            scores.rebuild(cluster);
        } else {
            replay(cluster, scores);
        }
        scores.caughtUp(logEnd);
        return scores;
    }

    /** Returns the watch over this snapshot, good until another one is asked for. */
    public MarketWatch watch(Cluster cluster) {
        Cluster last = seen;
        MarketWatch now = watch;
        if (last == null || now == null || !isSame(last, cluster) && !catchUp(last, cluster, now)) {
            shapes.clear();
            held = 0;
            logEnd = 0;
            lastLogged.clear();
            now = MarketWatch.of(policy, cluster);
            watch = now;
        }
        seen = cluster;
        return now;
    }

    /** Takes note of what changed, unless nodes came, went or moved. */
    private boolean catchUp(Cluster last, Cluster cluster, MarketWatch now) {
        boolean[] sameNodes = {true};
        boolean aware = now.isAware();
        cluster.forEachChange(last, (before, after) -> {
            if (before == null || after == null || !isSamePlace(before, after)) {
                sameNodes[0] = false;
                return;
            }
            append(NodeAccess.location(after));
            if (aware) {
                now.move(before, after);
            }
        });
        return sameNodes[0];
    }

    @SuppressWarnings("ReferenceEquality") // a location that did not change is the same object
    private static boolean isSamePlace(NodeState before, NodeState after) {
        return NodeAccess.location(before) == NodeAccess.location(after)
                && before.nodeClass().equals(after.nodeClass());
    }

    @SuppressWarnings(
            "ReferenceEquality") // a snapshot that is the same object has no changes; equality would cost O(n)
    private static boolean isSame(Cluster a, Cluster b) {
        return a == b;
    }

    private void append(NodeLocation location) {
        log[(int) logEnd & (LOG_SIZE - 1)] = location;
        lastLogged.put(location, logEnd++);
    }

    private void replay(Cluster cluster, ShapeScores scores) {
        ClusterIndex nodes = ClusterIndex.of(cluster);
        for (long at = scores.logPosition(); at < logEnd; at++) {
            NodeLocation location = log[(int) at & (LOG_SIZE - 1)];
            if (lastLogged.getLong(location) == at) {
                scores.update(nodes.node(location));
            }
        }
    }

    private void evict() {
        var oldest = shapes.values().iterator();
        while (held > capacity && shapes.size() > 1) {
            held -= oldest.next().size();
            oldest.remove();
        }
    }
}
