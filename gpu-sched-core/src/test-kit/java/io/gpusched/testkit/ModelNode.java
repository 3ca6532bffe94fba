package io.gpusched.testkit;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** A node of {@link ClusterModel}: the machine and a map of what runs there; every amount is summed up when asked for. */
public final class ModelNode {
    private Node node;
    private final Map<PodId, Placement> pods = new LinkedHashMap<>();

    ModelNode(Node node) {
        this.node = node;
    }

    public String name() {
        return node.name();
    }

    public Node node() {
        return node;
    }

    void change(Node changed) {
        node = changed;
    }

    Map<PodId, Placement> pods() {
        return pods;
    }

    public Collection<Placement> placements() {
        return pods.values();
    }

    public int gpuCount() {
        return node.gpus().size();
    }

    public Gpu gpu(int index) {
        return node.gpus().get(index);
    }

    public boolean isHealthy(int gpu) {
        return gpu(gpu).healthy();
    }

    public boolean isIdle(int gpu) {
        return isHealthy(gpu) && taken(gpu).isNothing();
    }

    public boolean isHeldWhole() {
        return placements().stream().anyMatch(ModelNode::isWholeNode);
    }

    public long freeCpuMillis() {
        long held = isHeldWhole()
                ? node.capacity().cpuMillis()
                : placements().stream()
                        .mapToLong(p -> p.resources().cpuMillis())
                        .sum();
        return node.capacity().cpuMillis() - held;
    }

    public long freeMemoryMib() {
        long held = isHeldWhole()
                ? node.capacity().memoryMib()
                : placements().stream()
                        .mapToLong(p -> p.resources().memoryMib())
                        .sum();
        return node.capacity().memoryMib() - held;
    }

    public long free(String name) {
        long held = isHeldWhole()
                ? node.capacity().amount(name)
                : placements().stream()
                        .mapToLong(p -> p.resources().amount(name))
                        .sum();
        return node.capacity().amount(name) - held;
    }

    public int freeComputeMillis(int gpu) {
        return (int) (gpu(gpu).computeMillis() - taken(gpu).compute());
    }

    public long freeMemoryMib(int gpu) {
        return gpu(gpu).memoryMib() - taken(gpu).memory();
    }

    public int freeSlots(int gpu) {
        return (int) (gpu(gpu).slots() - taken(gpu).slots());
    }

    /** What all pods here take of a GPU. */
    public Taken taken(int gpu) {
        Taken sum = Taken.NOTHING;
        for (Placement placement : placements()) {
            sum = sum.plus(takenBy(placement, gpu));
        }
        return sum;
    }

    /** What one pod takes of a GPU: the greater of the sum over its ordinary containers and sidecars,
     *  and any init container with the sidecars before it. */
    static Taken takenBy(Placement placement, int gpu) {
        Taken sum = Taken.NOTHING;
        Taken sidecars = Taken.NOTHING;
        Taken init = Taken.NOTHING;
        for (ContainerGrant container : placement.containers()) {
            Taken one = takenBy(container.gpus(), gpu);
            if (container.kind() == ContainerKind.INIT) {
                init = init.max(sidecars.plus(one));
            } else {
                sum = sum.plus(one);
                sidecars = container.kind() == ContainerKind.SIDECAR ? sidecars.plus(one) : sidecars;
            }
        }
        return sum.max(init);
    }

    static Taken takenBy(GpuGrant grant, int gpu) {
        if (grant instanceof GpuGrant.Shared shared) {
            for (GpuShare share : shared.shares()) {
                if (share.gpu() == gpu) {
                    return new Taken(false, share.computeMillis(), share.memoryMib(), share.slots());
                }
            }
            return Taken.NOTHING;
        }
        return new Taken(grant.indexes().contains(gpu), 0, 0, 0);
    }

    static boolean isWholeNode(Placement placement) {
        return placement.containers().stream().anyMatch(grant -> grant.gpus() instanceof GpuGrant.WholeNode);
    }
}
