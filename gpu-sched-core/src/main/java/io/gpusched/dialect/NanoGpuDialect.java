package io.gpusched.dialect;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * nano-gpu (scheduler 0.3): a container asks for a percentage of one GPU in its limit {@value #PERCENT}.
 *
 * <p>Containers get their GPUs from the largest demand to the smallest, equal demands from the last container to the
 * first. Binpack takes the GPU with the least free percentage that fits, lowest index on a tie; spread goes through the
 * same order from its end. A demand above 100 fits no GPU: nano-gpu calls that "no room", this dialect refuses it with
 * the rule.
 *
 * <p>Not copied: nano-gpu reads a missing annotation as GPU 0, rolls back wrong amounts, and caches plans by demand.
 */
public final class NanoGpuDialect implements Dialect {
    /** Percent of one GPU. */
    public static final String PERCENT = "nano-gpu/gpu-percent";

    private static final String ASSUME = "nano-gpu/assume";
    private static final String CONTAINER = "nano-gpu/container-";

    /** Which GPUs and nodes are preferred. */
    public enum Policy {
        /** The fullest that fits. */
        BINPACK,
        /** The emptiest. */
        SPREAD
    }

    private final Policy policy;

    private NanoGpuDialect(Policy policy) {
        this.policy = policy;
    }

    /** Returns the dialect with this policy. */
    public static NanoGpuDialect of(Policy policy) {
        return new NanoGpuDialect(policy);
    }

    @Override
    public String name() {
        return "nano-gpu";
    }

    @Override
    public ScanRule rule() {
        boolean pack = policy == Policy.BINPACK;
        GpuOrder order =
                pack ? GpuOrder.leastComputeFree() : GpuOrder.leastComputeFree().reversed();
        return ScanRule.of(pack ? "nano-gpu/binpack" : "nano-gpu/spread", order)
                .withContainers(NanoGpuDialect::largestFirst)
                .withNodes(Comparator.comparingLong(this::nodeScore).reversed());
    }

    private static List<Container> largestFirst(List<Container> containers) {
        List<Container> order = new ArrayList<>(containers);
        Collections.reverse(order);
        order.sort(Comparator.comparingInt(NanoGpuDialect::computeMillis).reversed());
        return order;
    }

    private static int computeMillis(Container container) {
        return container.gpu() instanceof GpuRequest.Share share ? share.computeMillis() : 0;
    }

    /**
     * Returns nano-gpu's score of a node before a placement, higher first: binpack the used percentage minus the number
     * of GPUs; spread 100 for each idle GPU plus a tenth of all free percent minus the number of GPUs. It has no bounds,
     * so it cannot be weighed against other scores; it only orders nodes here.
     */
    public long nodeScore(NodeState node) {
        int gpus = node.gpuCount();
        if (gpus == 0) {
            return 0;
        }
        long free = 0;
        int idle = 0;
        for (int g = 0; g < gpus; g++) {
            int percent = node.freeComputeMillis(g) / 10;
            free += percent;
            idle += percent == 100 ? 1 : 0;
        }
        return policy == Policy.BINPACK ? (100L * gpus - free) / gpus - gpus : 100L * idle + free / 10 - gpus;
    }

    @Override
    public Node node(NodeManifest manifest) {
        int gpus = Math.toIntExact(manifest.count(PERCENT) / 100);
        return manifest.toNode().gpus(gpus, manifest.nvidiaModel()).build();
    }

    @Override
    public Pod pod(PodManifest manifest) {
        return Pods.translate(manifest, container -> {
            String limit = container.limits().get(PERCENT);
            long percent = limit == null ? 0 : container.amount(PERCENT);
            return percent == 0
                    ? GpuRequest.none()
                    : GpuRequest.percent(Pods.within(container, PERCENT, percent, 1, 100));
        });
    }

    @Override
    public String refusal(NodeState node, Pod pod) {
        return "no assignment of containers to single GPUs";
    }

    @Override
    public List<Integer> heldGpus(PodManifest manifest, int container, Node node) {
        return Pods.indexes(
                manifest, CONTAINER + manifest.containers().get(container).name());
    }

    /** Returns the annotations {@value #CONTAINER}{@code <name>} with the GPU's index, and the mark of an assumed pod. */
    @Override
    public Writing write(PodManifest manifest, Node node, Placement placement) {
        Map<String, String> annotations = new HashMap<>();
        Map<String, Map<String, String>> environment = new LinkedHashMap<>();
        annotations.put(ASSUME, "true");
        for (ContainerGrant grant : placement.containers()) {
            if (!(grant.gpus() instanceof GpuGrant.None)) {
                annotations.put(
                        CONTAINER + grant.container(),
                        String.valueOf(grant.gpus().indexes().get(0)));
                environment.put(grant.container(), Map.of("NVIDIA_VISIBLE_DEVICES", "none"));
            }
        }
        return new Writing(environment, annotations, Map.of(ASSUME, "true"));
    }
}
