package io.gpusched.internal.score;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.model.Cluster;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;
import java.util.Arrays;
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

    private final int[] log = new int[LOG_SIZE];
    private long logEnd;

    /** By node order: the place in the log where it stands last. */
    private long[] lastLogged = {};

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
        if (last == null || now == null || !last.sharesNodesWith(cluster)) {
            shapes.clear();
            held = 0;
            logEnd = 0;
            lastLogged = new long[cluster.size()];
            Arrays.fill(lastLogged, -1);
            now = MarketWatch.of(policy, cluster);
            watch = now;
        } else if (!isSame(last, cluster)) {
            catchUp(last, cluster, now);
        }
        seen = cluster;
        return now;
    }

    private void catchUp(Cluster last, Cluster cluster, MarketWatch now) {
        boolean aware = now.isAware();
        cluster.forEachChange(last, (before, after) -> {
            if (before != null && after != null) {
                append(after.order());
                if (aware) {
                    now.move(before, after);
                }
            }
        });
    }

    @SuppressWarnings(
            "ReferenceEquality") // a snapshot that is the same object has no changes; equality would cost O(n)
    private static boolean isSame(Cluster a, Cluster b) {
        return a == b;
    }

    private void append(int order) {
        log[(int) logEnd & (LOG_SIZE - 1)] = order;
        lastLogged[order] = logEnd++;
    }

    private void replay(Cluster cluster, ShapeScores scores) {
        for (long at = scores.logPosition(); at < logEnd; at++) {
            int order = log[(int) at & (LOG_SIZE - 1)];
            if (lastLogged[order] == at) {
                scores.update(cluster.node(order));
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
