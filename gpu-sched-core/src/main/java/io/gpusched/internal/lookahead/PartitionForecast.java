package io.gpusched.internal.lookahead;

import io.gpusched.model.NodeState;
import io.gpusched.model.partition.PartitionTable;
import io.gpusched.model.partition.PartitionWorth;
import io.gpusched.workload.WorkloadProfile;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Scores placements of partitions by what a workload profile expects to be asked for: by its mix of profiles, or by all profiles
 * alike where it has none. Thread-safe.
 */
public final class PartitionForecast {
    private final Map<String, Long> partitions;
    private final long wholeWeight;
    private final Map<PartitionTable, PartitionWorth> worths = new ConcurrentHashMap<>();

    public PartitionForecast(WorkloadProfile profile) {
        this.partitions = profile.partitions();
        this.wholeWeight = profile.demands().stream()
                .filter(demand -> demand.gpuCount() > 0)
                .mapToLong(WorkloadProfile.Demand::weight)
                .sum();
    }

    /** Returns whether a placement takes partitions. */
    public static boolean isCutting(NodeState before, NodeState after) {
        return before.nodeClass().hasPartitions() && after.cutMask() != 0 && cuts(before, after);
    }

    private static boolean cuts(NodeState before, NodeState after) {
        for (int g = 0; g < before.gpuCount(); g++) {
            if (NodeChange.cuts(before, after, g)) {
                return true;
            }
        }
        return false;
    }

    /** Returns how good a placement is that takes partitions, as far as these go; higher is better. */
    public long score(NodeState before, NodeState after) {
        long score = 0;
        for (int g = 0; g < before.gpuCount(); g++) {
            PartitionTable table =
                    NodeChange.cuts(before, after, g) ? before.nodeClass().partitions(g) : null;
            if (table != null) {
                long was = before.partitionWord(g);
                score += worth(table).gain(was, after.partitionWord(g));
            }
        }
        return score;
    }

    private PartitionWorth worth(PartitionTable table) {
        PartitionWorth known = worths.get(table);
        if (known == null) {
            known = learn(table);
            worths.put(table, known);
        }
        return known;
    }

    private PartitionWorth learn(PartitionTable table) {
        boolean known = table.names().stream().anyMatch(partitions::containsKey);
        return known ? table.worth(partitions, wholeWeight) : table.worth();
    }
}
