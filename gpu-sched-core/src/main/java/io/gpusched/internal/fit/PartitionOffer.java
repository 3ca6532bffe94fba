package io.gpusched.internal.fit;

import io.gpusched.model.NodeState;
import io.gpusched.model.partition.PartitionRest;
import io.gpusched.model.partition.PartitionTable;
import io.gpusched.workload.GpuCloseness.Bond;
import io.gpusched.workload.GpuRequest;
import it.unimi.dsi.fastutil.Arrays;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongArrays;

/** Which GPUs and places of a node a unit of a pod's partitions may have, given what the units before it have. */
final class PartitionOffer {
    private final PartitionPlan plan;
    private final NodeState node;
    private final PartitionLoad load;
    private final SearchSteps steps;

    PartitionOffer(PartitionPlan plan, NodeState node, PartitionLoad load, SearchSteps steps) {
        this.plan = plan;
        this.node = node;
        this.load = load;
        this.steps = steps;
    }

    /** The GPUs and places that a unit may have, the best first: on cut devices before idle ones, then by what is left. */
    int[] candidates(int unit) {
        GpuRequest.Partition request = plan.request(unit);
        LongArrayList found = new LongArrayList();
        IntArrayList candidates = new IntArrayList();
        String mode = nodeMode();
        steps.take(2L * node.gpuCount() + unit - plan.first[unit]);
        for (int g = 0; g < node.gpuCount(); g++) {
            PartitionTable table = hasEquivalentBefore(unit, g) ? null : PartitionFit.open(request, node, g);
            int name = table == null ? -1 : table.name(request.profile());
            if (table == null || name < 0 || isOneNumaNode(request) && !isNear(unit, g)) {
                continue;
            }
            steps.take(table.stepsToFit(table.placesOf(name).length));
            PartitionRest rest = table.rest(load.held(g));
            steps.take(table.stepsToLook());
            long breaking = !load.takesFrom(g) && node.isIdle(g) ? 1L << 40 : 0;
            long before = breaking + table.worth().of(load.held(g));
            for (int place : table.placesOf(name)) {
                boolean grows = load.grows(unit, g, place, steps);
                boolean free = !grows || rest.fits(place);
                String asked = table.profile(place).nodeMode();
                if (free && (mode.isEmpty() || asked.isEmpty() || asked.equals(mode))) {
                    steps.take(table.stepsToLook());
                    found.add(grows ? before - table.worth().of(load.held(g) + table.word(place)) : -1);
                    candidates.add(PartitionLoad.candidate(g, place));
                }
            }
        }
        return sorted(found.toLongArray(), candidates.toIntArray());
    }

    private static int[] sorted(long[] costs, int[] candidates) {
        Arrays.quickSort(
                0,
                costs.length,
                (one, other) -> costs[one] != costs[other]
                        ? Long.compare(costs[one], costs[other])
                        : Integer.compare(candidates[one], candidates[other]),
                (one, other) -> {
                    LongArrays.swap(costs, one, other);
                    IntArrays.swap(candidates, one, other);
                });
        return candidates;
    }

    /** Whether a lower GPU would serve a unit as well. */
    private boolean hasEquivalentBefore(int unit, int gpu) {
        boolean found = false;
        int lower = load.kind(gpu);
        for (; lower < gpu && !found; lower++) {
            found = load.isAlike(unit, lower, gpu);
        }
        steps.take((lower - load.kind(gpu)) / 8);
        return found;
    }

    /** Partitions have no links of their own: only the NUMA node of their devices can be asked for. */
    static boolean isOneNumaNode(GpuRequest.Partition request) {
        return Bonds.include(request.selector().closeness(), Bond.NUMA_NODE);
    }

    private boolean isNear(int unit, int gpu) {
        int first = load.firstGpu(unit);
        var devices = node.nodeClass().gpus();
        return first < 0 || devices.get(first).numaNode() == devices.get(gpu).numaNode();
    }

    /** The mode that the node is in, or comes to be in, because of partitions; nothing for any. */
    private String nodeMode() {
        for (int g = 0; g < node.gpuCount(); g++) {
            PartitionTable table = load.table(g);
            String mode = table == null ? "" : table.nodeMode(load.held(g));
            if (!mode.isEmpty()) {
                return mode;
            }
        }
        return "";
    }
}
