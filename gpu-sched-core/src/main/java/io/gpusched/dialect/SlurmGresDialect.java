package io.gpusched.dialect;

import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.policy.FirstFit;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Slurm's generic resources on one node: {@code gpu[:type]:n} are whole GPUs, {@code mps:n} and {@code shard:n} are n
 * slots of one GPU.
 *
 * <p>Lowest index first, for whole GPUs and for shares ({@link FirstFit}). A share lies on one device. Once a node serves
 * mps, further mps goes to the GPUs that serve it already (Slurm's {@code ONE_SHARING}); shard has no such limit.
 *
 * <p>Not copied: Slurm's ordering of linked GPUs picks the worst connected ones; links are not looked at here.
 */
public final class SlurmGresDialect {
    private static final GpuScheduler SCHEDULER_RULE = GpuScheduler.of(FirstFit.of(), 0);

    private SlurmGresDialect() {}

    /**
     * Returns where a job's part on one node lies, or nothing if the node cannot give it now.
     *
     * @param node the node
     * @param id the name of the job's part
     * @param resources its CPU and memory
     * @param gres what the node must give
     * @throws RefusedException if it asks for another resource than gpu, mps or shard
     */
    public static Optional<Placement> place(NodeState node, PodId id, Resources resources, List<SlurmGres> gres) {
        Pod.Builder pod = Pod.builder(id.toString());
        boolean first = true;
        for (SlurmGres item : gres) {
            if (item.count() > 0 && !SlurmNode.couldGive(node.node(), item)) {
                return Optional.empty();
            }
            Optional<GpuRequest> request = request(node, item);
            if (request.isEmpty()) {
                return Optional.empty();
            }
            String name = item.name() + (item.type().isEmpty() ? "" : "-" + item.type());
            pod.container(Container.of(name, first ? resources : Resources.NONE, request.get()));
            first = false;
        }
        if (first) {
            pod.container(Container.of("job", resources, GpuRequest.none()));
        }
        return SCHEDULER_RULE.place(node, pod.build());
    }

    /** Returns the request of one item on a node in this state, or nothing if no GPU of it can ever serve it. */
    private static Optional<GpuRequest> request(NodeState node, SlurmGres gres) {
        GpuSelector selector = gres.type().isEmpty() ? GpuSelector.ANY : GpuSelector.models(gres.type());
        if (gres.count() == 0) {
            return Optional.of(GpuRequest.none());
        }
        if (!gres.isOfGpu()) {
            throw new RefusedException("gres " + gres, "name must be gpu, mps or shard");
        }
        if (gres.name().equals(SlurmGres.GPU)) {
            return gres.count() > Node.MAX_GPUS
                    ? Optional.empty()
                    : Optional.of(GpuRequest.exclusive((int) gres.count(), selector));
        }
        int most =
                node.node().gpus().stream().mapToInt(gpu -> gpu.slots()).max().orElse(0);
        if (gres.count() > most) {
            return Optional.empty();
        }
        List<String> busy = SlurmNode.sharedGpus(node);
        if (gres.name().equals(SlurmGres.MPS) && !busy.isEmpty()) {
            selector = selector.withAllowedUuids(Set.copyOf(busy));
        }
        GpuRequest.Share share = GpuRequest.share(0, GpuMemory.none());
        return Optional.of(share.withSlots((int) gres.count()).withSelector(selector));
    }
}
