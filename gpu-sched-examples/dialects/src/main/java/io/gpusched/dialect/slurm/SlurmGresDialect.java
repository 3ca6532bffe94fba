package io.gpusched.dialect.slurm;

import io.gpusched.dialect.RefusedException;
import io.gpusched.model.Node;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Objects;

/**
 * Slurm's generic resources on one node: {@code gpu[:type]:n} are whole GPUs, {@code mps:n} and {@code shard:n} are n
 * slots of one GPU.
 *
 * <p>Lowest index first, for whole GPUs and for shares. A share lies on one device. Once a node serves mps, further mps
 * goes to the GPUs that serve it already (Slurm's {@code ONE_SHARING}); shard has no such limit.
 *
 * <p>Not copied: Slurm's ordering of linked GPUs picks the worst connected ones; links are not looked at here.
 */
public final class SlurmGresDialect {
    /** The most slots that a request can name. */
    private static final long MOST_SLOTS = (1L << 18) - 1;

    private SlurmGresDialect() {}

    /** Returns how Slurm chooses among the GPUs of a node; nodes are taken in their order. */
    public static PlacementPolicy policy() {
        return SlurmPolicy.FIRST_FIT;
    }

    /**
     * Returns a job's part on one node in the library's terms.
     *
     * @param id the name of the job's part
     * @param resources its CPU and memory
     * @param gres what the node must give; items with a count of 0 ask for nothing
     * @throws RefusedException if it asks for another resource than gpu, mps or shard, or for more than any node has
     */
    public static Pod pod(PodId id, Resources resources, List<SlurmGres> gres) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(gres, "gres");
        Pod.Builder pod = Pod.builder(id.toString());
        NodeSelector nodes = NodeSelector.ANY;
        boolean first = true;
        for (SlurmGres item : gres) {
            String name = item.name() + (item.type().isEmpty() ? "" : "-" + item.type());
            pod.container(Container.of(name, first ? resources : Resources.NONE, request(item)));
            if (item.isShared() && item.count() > 0) {
                nodes = nodes.and(NodeSelector.all(NodeRequirement.exists(SlurmNode.label(item.name()))));
            }
            first = false;
        }
        if (first) {
            pod.container(Container.of("job", resources, GpuRequest.none()));
        }
        return pod.nodeSelector(nodes).build();
    }

    private static GpuRequest request(SlurmGres gres) {
        if (gres.count() == 0) {
            return GpuRequest.none();
        }
        if (!gres.isOfGpu()) {
            throw new RefusedException("gres " + gres, "name must be gpu, mps or shard");
        }
        GpuSelector selector = gres.type().isEmpty() ? GpuSelector.ANY : GpuSelector.models(gres.type());
        long most = gres.isShared() ? MOST_SLOTS : Node.MAX_GPUS;
        if (gres.count() > most) {
            throw new RefusedException("gres " + gres, "count must be in 0.." + most + ", got " + gres.count());
        }
        return gres.isShared()
                ? GpuRequest.share(0, GpuMemory.none())
                        .withSlots((int) gres.count())
                        .withSelector(selector)
                : GpuRequest.exclusive((int) gres.count(), selector);
    }
}
