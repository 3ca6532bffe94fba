package io.gpusched.simulator.paper;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.simulator.trace.Workload;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a snapshot as plain arrays in order of rank, so that a scan from 0 on meets the winner of a tie first.
 *
 * <p>Catches up with the next snapshot by looking at changed nodes alone. Not thread-safe.
 */
final class PaperNodes {
    final int size;
    final long[] cpuLeft;
    final long[] memoryLeft;
    final int[] podsLeft;
    final int[] model;
    /** What is left of each GPU, in thousandths. */
    final int[][] left;
    /** Sum of what is left. */
    final int[] idle;
    /** The most that is left of one GPU. */
    final int[] mostLeft;
    /** How many GPUs are untouched. */
    final int[] freeGpus;
    /** Grows with each change of the node. */
    final int[] version;

    private final Map<String, Integer> models = new HashMap<>();
    private final Map<String, Integer> rankByName = new HashMap<>();
    private final String[] names;
    private @Nullable Cluster seen;

    PaperNodes(Workload workload, List<Integer> ranks) {
        size = ranks.size();
        cpuLeft = new long[size];
        memoryLeft = new long[size];
        podsLeft = new int[size];
        model = new int[size];
        left = new int[size][];
        idle = new int[size];
        mostLeft = new int[size];
        freeGpus = new int[size];
        version = new int[size];
        names = new String[size];
        for (int row = 0; row < size; row++) {
            Node node = workload.nodes().get(row);
            int rank = ranks.get(row);
            names[rank] = node.name();
            rankByName.put(node.name(), rank);
            String name =
                    node.gpus().isEmpty() ? "" : node.gpus().get(0).model().name();
            model[rank] = models.computeIfAbsent(name, unused -> models.size());
            left[rank] = new int[node.gpus().size()];
        }
    }

    /** Returns the models of the cluster with their numbers. */
    Map<String, Integer> models() {
        return models;
    }

    String name(int rank) {
        return names[rank];
    }

    /** Brings the arrays up to this snapshot. */
    void update(Cluster cluster) {
        if (seen != null) {
            cluster.forEachChange(seen, (before, after) -> read(Objects.requireNonNull(after)));
        } else {
            cluster.nodes().forEach(this::read);
        }
        seen = cluster;
    }

    private void read(NodeState state) {
        int rank = Objects.requireNonNull(rankByName.get(state.name()), "unknown node");
        cpuLeft[rank] = state.freeCpuMillis();
        memoryLeft[rank] = state.freeMemoryMib();
        podsLeft[rank] = state.node().maxPods() - state.podCount();
        int sum = 0;
        int most = 0;
        for (int gpu = 0; gpu < left[rank].length; gpu++) {
            int millis = state.freeComputeMillis(gpu);
            left[rank][gpu] = millis;
            sum += millis;
            most = Math.max(most, millis);
        }
        idle[rank] = sum;
        mostLeft[rank] = most;
        freeGpus[rank] = state.idleGpus();
        version[rank]++;
    }

    /** Returns whether a node can take a pod. */
    boolean fits(int rank, PaperRequest request) {
        if (cpuLeft[rank] < request.cpuMillis() || memoryLeft[rank] < request.memoryMib() || podsLeft[rank] <= 0) {
            return false;
        }
        if (request.gpus() == 0) {
            return true;
        }
        boolean room = request.isShare() ? mostLeft[rank] >= request.gpuMillis() : freeGpus[rank] >= request.gpus();
        return room && request.acceptsModel().test(model[rank]);
    }

    /** Returns the GPU with the least left that is enough, the first of equals. */
    int bestFittingGpu(int rank, int millis) {
        int best = -1;
        int[] gpus = left[rank];
        for (int gpu = 0; gpu < gpus.length; gpu++) {
            if (gpus[gpu] >= millis && (best < 0 || gpus[gpu] < gpus[best])) {
                best = gpu;
            }
        }
        return best;
    }
}
