package io.gpusched.manifests.dialect;

import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.hami.HamiTopology;
import java.util.HashMap;
import java.util.Map;

/** The pair scores of all nodes together, which HAMi's dialect has to know for topology-aware pods. Not thread-safe. */
public final class PairScores {
    private final Map<String, Map<String, Map<String, Integer>>> byNode = new HashMap<>();

    /** By dialect: what knows the scores of all nodes, made when asked for after a change. */
    private final Map<Dialect, Dialect> informed = new HashMap<>();

    /**
     * Takes note of what a node says.
     *
     * @param scores by UUID of both GPUs; empty if the node is gone or says nothing
     */
    public void put(String node, Map<String, Map<String, Integer>> scores) {
        Map<String, Map<String, Integer>> before = scores.isEmpty() ? byNode.remove(node) : byNode.put(node, scores);
        if (!scores.equals(before == null ? Map.of() : before)) {
            informed.clear();
        }
    }

    /** Returns a dialect that knows the scores if it can make use of them; the same object until they change; O(nodes) after that. */
    public Dialect informed(Dialect dialect) {
        return byNode.isEmpty() || !(dialect instanceof HamiDialect hami)
                ? dialect
                : informed.computeIfAbsent(dialect, any -> hami.withTopology(topology()));
    }

    private HamiTopology topology() {
        Map<String, Map<String, Integer>> all = new HashMap<>();
        byNode.values().forEach(all::putAll);
        return new HamiTopology(all);
    }
}
