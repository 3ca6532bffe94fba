package io.gpusched.internal.search;

import io.gpusched.internal.rules.Preferences;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best placement of a pod that prefers some nodes: among some nodes with room, the highest score by its
 * preferences, then by the policy.
 */
final class PreferredSearch {
    private PreferredSearch() {}

    /**
     * Returns the best placement, or null if no node has room.
     *
     * @param nodes those with room that are compared
     * @param best finds the policy's best placement on some nodes
     */
    static @Nullable Placement best(
            List<NodeState> nodes, Preferences preferences, Function<List<NodeState>, @Nullable Placement> best) {
        long[] scores = preferences.scores(nodes);
        TreeMap<Long, List<NodeState>> ranks = new TreeMap<>();
        for (int i = 0; i < scores.length; i++) {
            ranks.computeIfAbsent(scores[i], score -> new ArrayList<>()).add(nodes.get(i));
        }
        for (List<NodeState> rank : ranks.descendingMap().values()) {
            Placement found = best.apply(rank);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
