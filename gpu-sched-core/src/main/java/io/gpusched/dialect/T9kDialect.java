package io.gpusched.dialect;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.Taint;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.Toleration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * T9k Scheduler of TensorStack: nodes are labelled for whole or shared GPUs, and a container asks for whole GPUs, for a
 * percentage of one GPU's memory, or for a node.
 *
 * <p>How T9k picks among nodes and GPUs that fit is not documented; this dialect takes the first node and the fullest
 * GPU that fits, lowest index on a tie. A container that asks for two of the three resources, and a percentage outside
 * 1..100, are refused (the documents do not say what happens).
 */
public final class T9kDialect implements Dialect {
    /** Node label: {@code nvidia-gpu}, {@code amd-gpu} or {@code huawei-npu}. */
    public static final String ACCELERATOR = "sched.tensorstack.dev/accelerator";

    /** Node label: {@code xgn}, {@code sgn} or {@code nvidia}. */
    public static final String NODE_ALLOC_MODE = "sched.tensorstack.dev/node-alloc-mode";

    /** Whole GPUs. */
    public static final String GPU = "tensorstack.dev/nvidia-gpu";

    /** Percent of one GPU's memory. */
    public static final String GPU_PERCENT = "tensorstack.dev/nvidia-gpu-percent";

    /** A whole node. */
    public static final String GPU_NODE = "tensorstack.dev/nvidia-gpu-node";

    /** Pod label: the name of the pod's group. */
    public static final String GROUP_NAME = "scheduler.tensorstack.dev/group-name";

    /** Pod label: the pod's role in its group. */
    public static final String ROLE = "scheduler.tensorstack.dev/role";

    /** The mark of nodes for whole GPUs. */
    public static final Taint XGN_TAINT = Taint.noSchedule("sched.tensorstack.dev/xgn-mode", "true");

    private static final T9kDialect INSTANCE = new T9kDialect();

    private T9kDialect() {}

    /** Returns the dialect. */
    public static T9kDialect of() {
        return INSTANCE;
    }

    @Override
    public String name() {
        return "t9k";
    }

    @Override
    public ScanRule rule() {
        return ScanRule.of("t9k", GpuOrder.leastMemoryFree());
    }

    /** Returns the node; one without the labels has no GPUs for T9k. The taint of xgn nodes is added. */
    @Override
    public Node node(NodeManifest manifest) {
        Node.Builder builder = manifest.toNode();
        String mode = manifest.labels().get(NODE_ALLOC_MODE);
        if (mode == null) {
            return builder.build();
        }
        T9kNodeMode parsed = T9kNodeMode.parse(mode);
        builder.mode(parsed.nodeMode()).gpus(gpuCount(manifest, parsed), manifest.nvidiaModel());
        if (parsed == T9kNodeMode.XGN && !manifest.taints().contains(XGN_TAINT)) {
            builder.taint(XGN_TAINT);
        }
        return builder.build();
    }

    private static int gpuCount(NodeManifest manifest, T9kNodeMode mode) {
        String labelled = manifest.labels().get(GfdLabels.COUNT);
        if (labelled != null) {
            return Math.toIntExact(Quantity.parse(labelled).wholeNumber());
        }
        long whole = Math.max(manifest.count(GPU), manifest.count("nvidia.com/gpu"));
        return Math.toIntExact(mode == T9kNodeMode.SGN && whole == 0 ? manifest.count(GPU_PERCENT) / 100 : whole);
    }

    /** Returns the pod; one that asks for whole GPUs or a node tolerates the taint of xgn nodes. */
    @Override
    public Pod pod(PodManifest manifest) {
        boolean exclusive = manifest.containers().stream().anyMatch(c -> isPositive(c, GPU) || isPositive(c, GPU_NODE));
        boolean shared = manifest.containers().stream().anyMatch(c -> isPositive(c, GPU_PERCENT));
        if (exclusive && shared) {
            throw new RefusedException(
                    "pod \"" + manifest.id() + "\"",
                    GPU_PERCENT + " is served by sgn nodes, " + GPU + " and " + GPU_NODE
                            + " by xgn nodes; one pod cannot have both");
        }
        long nodes = manifest.containers().stream()
                .filter(c -> isPositive(c, GPU_NODE))
                .count();
        if (nodes > 1) {
            throw new RefusedException(
                    "pod \"" + manifest.id() + "\"",
                    "at most one container may ask for " + GPU_NODE + ", got " + nodes);
        }
        Toleration xgn = Toleration.equal(XGN_TAINT.key(), XGN_TAINT.value());
        return Pods.translate(manifest, T9kDialect::request, exclusive ? List.of(xgn) : List.of());
    }

    private static boolean isPositive(ContainerManifest container, String resource) {
        return container.extended(resource).orElse(0L) > 0;
    }

    private static GpuRequest request(ContainerManifest container) {
        long gpus = container.extended(GPU).orElse(0L);
        long percent = container.extended(GPU_PERCENT).orElse(0L);
        long node = container.extended(GPU_NODE).orElse(0L);
        if ((gpus > 0 ? 1 : 0) + (percent > 0 ? 1 : 0) + (node > 0 ? 1 : 0) > 1) {
            throw new RefusedException(
                    Pods.name(container), "at most one of " + GPU + ", " + GPU_PERCENT + " and " + GPU_NODE);
        }
        if (gpus > 0) {
            return GpuRequest.exclusive(Pods.within(container, GPU, gpus, 1, Node.MAX_GPUS));
        }
        if (percent > 0) {
            return GpuRequest.percent(Pods.within(container, GPU_PERCENT, percent, 1, 100));
        }
        if (node > 0) {
            Pods.within(container, GPU_NODE, node, 1, 1);
            return GpuRequest.wholeNode();
        }
        return GpuRequest.none();
    }

    /**
     * Returns the environment of each container that holds GPUs: {@code NVIDIA_VISIBLE_DEVICES} with ids or {@code all},
     * and for a share {@code T9K_GPU_PERCENT} and {@code T9K_GPU_MEMORY} in MB. T9k enforces neither limit.
     */
    @Override
    public Writing write(PodManifest manifest, Node node, Placement placement) {
        Map<String, Map<String, String>> environment = new LinkedHashMap<>();
        for (ContainerGrant grant : placement.containers()) {
            if (!(grant.gpus() instanceof GpuGrant.None)) {
                environment.put(grant.container(), environment(grant.gpus()));
            }
        }
        return Writing.environment(environment);
    }

    /** Returns the environment that goes with a grant; GPUs are named by index. */
    public static Map<String, String> environment(GpuGrant grant) {
        return environment(grant, String::valueOf);
    }

    /**
     * Returns the environment that goes with a grant.
     *
     * @param grant what the container holds
     * @param ids the id of each GPU by index
     */
    public static Map<String, String> environment(GpuGrant grant, IntFunction<String> ids) {
        if (grant instanceof GpuGrant.WholeNode) {
            return Map.of("NVIDIA_VISIBLE_DEVICES", "all");
        }
        String devices = grant.indexes().stream().map(ids::apply).collect(Collectors.joining(","));
        if (grant instanceof GpuGrant.Shared shared) {
            return Map.of(
                    "NVIDIA_VISIBLE_DEVICES", devices,
                    "T9K_GPU_PERCENT", String.valueOf(shared.shares().get(0).computeMillis() / 10),
                    "T9K_GPU_MEMORY", String.valueOf(shared.shares().get(0).memoryMib()));
        }
        return Map.of("NVIDIA_VISIBLE_DEVICES", devices);
    }
}
