package io.gpusched.internal.search;

import io.gpusched.internal.fit.Layout;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PartitionFit;
import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuKind;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionStates;
import io.gpusched.model.partition.PartitionTable;
import io.gpusched.workload.GpuRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the tightest room for one hardware partition: on GPUs that are cut already by what is left of them, then on idle ones. */
final class OnePartitionSearch {
    private final ClassWalk walk;
    private final GpuRequest.Partition partition;

    OnePartitionSearch(ClassWalk walk, GpuRequest.Partition partition) {
        this.walk = walk;
        this.partition = partition;
    }

    @Nullable
    Placement tightest() {
        Placement cut = onCutGpu();
        return cut != null ? cut : onUncutGpu();
    }

    private @Nullable Placement onCutGpu() {
        long open = 0;
        long[] levels = new long[walk.size()];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = walk.mayTake(i) ? levels(walk.nodeClass(i)) : 0;
            open |= levels[i];
        }
        for (long rest = open; rest != 0; rest &= rest - 1) {
            int level = Long.numberOfTrailingZeros(rest);
            NodeState node = firstCut(level, levels);
            if (node != null) {
                return cut(node, node.cutMask(), level);
            }
        }
        return null;
    }

    private @Nullable NodeState firstCut(int level, long[] levels) {
        NodeState best = null;
        for (int i = 0; i < levels.length; i++) {
            if ((levels[i] >>> level & 1) != 0 && walk.tree(i).mayHavePartitions(level)) {
                NodeState found = walk.firstBefore(
                        best,
                        i,
                        CapacityQuery.withPartitions(level, walk.resources()),
                        node -> PartitionFit.hasRoomAt(partition, node, level));
                if (walk.isCutShort()) {
                    return null;
                }
                best = found == null ? best : found;
            }
        }
        return best;
    }

    /** The levels of devices of a class on which one partition more fits, as a mask. */
    private long levels(NodeClass nodeClass) {
        if (nodeClass.isMixed()) {
            return -1L >>> Long.SIZE - PartitionStates.LEVELS;
        }
        long levels = 0;
        List<GpuKind> kinds = nodeClass.gpuKinds();
        for (int i = 0; i < kinds.size(); i++) {
            PartitionTable table = kinds.get(i).sample().partitions().table();
            int name = table.name(partition.profile());
            levels |= name < 0 ? 0 : table.levels(name);
        }
        return levels;
    }

    private @Nullable Placement onUncutGpu() {
        NodeState node = walk.firstByIdleGpus(1, candidate -> NodeFit.idleFitting(partition, candidate) != 0);
        return node == null ? null : cut(node, node.idleMask(), -1);
    }

    private @Nullable Placement cut(NodeState node, long gpus, int level) {
        GpuPartition best = PartitionFit.best(partition, node, gpus, level);
        return best == null
                ? null
                : Layout.granted(walk.demand(), node, List.of(new GpuGrant.Partitions(List.of(best))));
    }
}
