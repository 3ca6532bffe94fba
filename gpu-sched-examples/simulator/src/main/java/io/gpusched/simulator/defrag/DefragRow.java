package io.gpusched.simulator.defrag;

import io.gpusched.simulator.defrag.MoveRule.Gain;
import java.util.List;

/**
 * What a rule made on one snapshot.
 *
 * @param rule the rule
 * @param free how many nodes had 8 free GPUs before
 * @param gains what its moves bought, in their order
 */
public record DefragRow(MoveRule rule, int free, List<Gain> gains) {
    /** Copies the list. */
    public DefragRow {
        gains = List.copyOf(gains);
    }

    /** Returns how many nodes it made with at most so many moves. */
    public int nodes(int moves) {
        int nodes = 0;
        int left = moves;
        for (Gain gain : gains) {
            left -= gain.moves();
            nodes += left < 0 ? 0 : gain.nodes();
        }
        return nodes;
    }

    /** Returns how many pods it moved in all. */
    public int moves() {
        return gains.stream().mapToInt(Gain::moves).sum();
    }

    /** Returns how many nodes it made in all. */
    public int nodes() {
        return gains.stream().mapToInt(Gain::nodes).sum();
    }
}
