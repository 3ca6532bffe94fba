package io.gpusched.dialect;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * elastic-gpu's layout of shares: of all ways to give each container one GPU the one with the highest score afterwards, of
 * equals the last, GPUs counting up from the last container to the first. It has no say on pods with whole GPUs or
 * init containers, nor where there are more than {@value #MOST} ways.
 */
final class ElasticLayout {
    private static final long MOST = 20_000;

    private final NodeState node;
    private final List<GpuRequest.Share> shares = new ArrayList<>();
    private final long[] core;
    private final long[] memory;
    private final int[] tenants;
    private final int[] chosen;
    private int[] best = new int[0];
    private long bestScore = Long.MIN_VALUE;

    private ElasticLayout(NodeState node, Pod pod) {
        this.node = node;
        for (Container container : pod.containers()) {
            if (container.gpu() instanceof GpuRequest.Share share) {
                shares.add(share);
            }
        }
        int gpus = node.gpuCount();
        this.core = new long[gpus];
        this.memory = new long[gpus];
        this.tenants = new int[gpus];
        this.chosen = new int[shares.size()];
        for (int g = 0; g < gpus; g++) {
            core[g] = node.freeComputeMillis(g);
            memory[g] = node.freeMemoryMib(g);
            tenants[g] = node.isIdle(g) ? 0 : 1;
        }
    }

    static Optional<Placement> place(NodeState node, Pod pod) {
        boolean sharesOnly = pod.containers().stream()
                .allMatch(c -> c.kind() == ContainerKind.ORDINARY
                        && !(c.gpu() instanceof GpuRequest.Exclusive)
                        && !isMulti(c.gpu()));
        ElasticLayout layout = new ElasticLayout(node, pod);
        double ways = Math.pow(node.gpuCount(), layout.shares.size());
        if (!sharesOnly || layout.shares.isEmpty() || ways > MOST) {
            return Optional.empty();
        }
        layout.search(0);
        return layout.best.length == 0 ? Optional.empty() : Optional.of(layout.placement(pod));
    }

    private static boolean isMulti(GpuRequest request) {
        return request instanceof GpuRequest.WholeNode
                || request instanceof GpuRequest.Share share && share.count() > 1;
    }

    private void search(int depth) {
        if (depth == chosen.length) {
            long score = score(core, memory, tenants);
            if (score >= bestScore) {
                bestScore = score;
                best = chosen.clone();
            }
            return;
        }
        GpuRequest.Share share = shares.get(depth);
        for (int g = 0; g < core.length; g++) {
            long mib = share.memory().on(node.node().gpus().get(g).memoryMib());
            boolean accepted = share.selector().accepts(node.node().gpus().get(g));
            if (accepted && node.freeSlots(g) > 0 && share.computeMillis() <= core[g] && mib <= memory[g]) {
                take(g, share.computeMillis(), mib, 1);
                chosen[depth] = g;
                search(depth + 1);
                take(g, -share.computeMillis(), -mib, -1);
            }
        }
    }

    private void take(int gpu, long computeMillis, long mib, int tenant) {
        core[gpu] -= computeMillis;
        memory[gpu] -= mib;
        tenants[gpu] += tenant;
    }

    /** See {@link ElasticGpuDialect#score}. */
    static long score(long[] coreMillis, long[] memoryMib, int[] tenants) {
        long used = 0;
        long maxCore = 0;
        long minCore = Long.MAX_VALUE;
        long maxMemory = 0;
        long minMemory = Long.MAX_VALUE;
        for (int g = 0; g < tenants.length; g++) {
            maxCore = Math.max(maxCore, coreMillis[g] / 10);
            minCore = Math.min(minCore, coreMillis[g] / 10);
            maxMemory = Math.max(maxMemory, memoryMib[g]);
            minMemory = Math.min(minMemory, memoryMib[g]);
            used += tenants[g] > 0 ? 1 : 0;
        }
        return tenants.length == 0 ? 0 : (maxCore + maxMemory - minCore - minMemory) / 2 / (used + 1) * 100;
    }

    private Placement placement(Pod pod) {
        List<ContainerGrant> grants = new ArrayList<>();
        int next = 0;
        for (Container container : pod.containers()) {
            GpuGrant grant = GpuGrant.none();
            if (container.gpu() instanceof GpuRequest.Share share) {
                int gpu = best[next++];
                long mib = share.memory().on(node.node().gpus().get(gpu).memoryMib());
                grant = new GpuGrant.Shared(List.of(new GpuShare(gpu, share.computeMillis(), mib, share.slots())));
            }
            grants.add(new ContainerGrant(container.name(), false, grant));
        }
        return Placement.on(node, pod.id(), pod.resources(), grants);
    }
}
