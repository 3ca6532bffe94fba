package io.gpusched.dialect.t9k;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.internal.GfdLabels;
import io.gpusched.dialect.internal.GpuRule;
import io.gpusched.dialect.internal.Manifests;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.Taint;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.Toleration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * T9k Scheduler of TensorStack: nodes are labelled for whole or shared GPUs, and a container asks for whole GPUs, for a
 * percentage of one GPU's memory, or for a node.
 *
 * <p>How T9k picks among nodes and GPUs that fit is not documented; this dialect takes the first node and the fullest
 * GPU that fits, lowest index on a tie. A container that asks for two of its resources, and a percentage outside 1..100,
 * are refused (the documents do not say what happens). Nodes in the mode {@code nvidia}, of later editions, are served by
 * NVIDIA's device plugin: {@code nvidia.com/gpu}, and {@code nvidia.com/gpu.shared} by turns of time.
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

    /** Whole GPUs of nodes that NVIDIA's device plugin serves. */
    public static final String NATIVE_GPU = "nvidia.com/gpu";

    /** A turn on a GPU that such a node shares by time slicing; at most 1. */
    public static final String NATIVE_SHARE = "nvidia.com/gpu.shared";

    /** Pod label: the name of the pod's group. */
    public static final String GROUP_NAME = "scheduler.tensorstack.dev/group-name";

    /** Pod label: the pod's role in its group. */
    public static final String ROLE = "scheduler.tensorstack.dev/role";

    /** The mark of nodes for whole GPUs. */
    public static final Taint XGN_TAINT = Taint.noSchedule("sched.tensorstack.dev/xgn-mode", "true");

    private static final List<String> ALL = Arrays.stream(T9kNodeMode.values())
            .flatMap(mode -> mode.resources().stream())
            .toList();

    private static final List<Toleration> NONE = List.of();
    private static final List<Toleration> XGN = List.of(Toleration.equal(XGN_TAINT.key(), XGN_TAINT.value()));

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
    public PlacementPolicy policy() {
        return GpuRule.LEAST_MEMORY_LEFT;
    }

    /**
     * Returns the node; one without the labels has no GPUs for T9k. The taint of xgn nodes is added. Where fewer GPUs are allocatable
     * than the label counts, as while a device plugin restarts, as many are healthy: the first, as it is not known which.
     */
    @Override
    public Node node(NodeManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        Node.Builder builder = manifest.toNode();
        String mode = manifest.labels().get(NODE_ALLOC_MODE);
        if (mode == null) {
            return builder.build();
        }
        T9kNodeMode parsed = T9kNodeMode.parse(mode);
        builder.mode(parsed.nodeMode());
        int gpus = gpuCount(manifest, parsed);
        long allocatable = allocatable(manifest, parsed);
        for (int i = 0; i < gpus; i++) {
            Gpu gpu = Gpu.of(i, Manifests.unnamed(manifest.name(), i), manifest.nvidiaModel())
                    .withHealthy(i < allocatable);
            builder.gpu(parsed == T9kNodeMode.NVIDIA ? gpu.withSlots(replicas(manifest)) : gpu);
        }
        if (parsed == T9kNodeMode.XGN && !manifest.taints().contains(XGN_TAINT)) {
            builder.taint(XGN_TAINT);
        }
        return builder.build();
    }

    private static int replicas(NodeManifest manifest) {
        String replicas = manifest.labels().getOrDefault(GfdLabels.REPLICAS, "1");
        return Math.max(1, Manifests.whole(Manifests.name(manifest), "label " + GfdLabels.REPLICAS, replicas));
    }

    /** How many GPUs the kubelet gives out; as many as there are where it reports none of the resources that the mode serves. */
    private static long allocatable(NodeManifest manifest, T9kNodeMode mode) {
        return switch (mode) {
            case XGN -> manifest.reports(GPU) ? manifest.count(GPU) : Long.MAX_VALUE;
            case SGN -> manifest.reports(GPU_PERCENT) ? manifest.count(GPU_PERCENT) / 100 : Long.MAX_VALUE;
            case NVIDIA ->
                manifest.reports(NATIVE_GPU) || manifest.reports(NATIVE_SHARE)
                        ? Math.max(manifest.count(NATIVE_GPU), manifest.count(NATIVE_SHARE) / replicas(manifest))
                        : Long.MAX_VALUE;
        };
    }

    private static int gpuCount(NodeManifest manifest, T9kNodeMode mode) {
        String labelled = manifest.labels().get(GfdLabels.COUNT);
        if (labelled != null) {
            return Manifests.whole(Manifests.name(manifest), "label " + GfdLabels.COUNT, labelled);
        }
        long whole = Math.max(manifest.count(GPU), manifest.count(NATIVE_GPU));
        long gpus = mode == T9kNodeMode.SGN && whole == 0 ? manifest.count(GPU_PERCENT) / 100 : whole;
        return Manifests.whole(Manifests.name(manifest), "number of gpus", gpus);
    }

    /**
     * Returns the pod, for nodes of the mode that serves its resource; one that asks for whole GPUs or a node tolerates the
     * taint of xgn nodes.
     */
    @Override
    public Pod pod(PodManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        Set<T9kNodeMode> modes = EnumSet.noneOf(T9kNodeMode.class);
        for (T9kNodeMode mode : T9kNodeMode.values()) {
            if (manifest.containers().stream().anyMatch(container -> asks(container, mode))) {
                modes.add(mode);
            }
        }
        if (modes.size() > 1) {
            throw new RefusedException(
                    "pod \"" + manifest.id() + "\"",
                    GPU_PERCENT + " is served by sgn nodes, " + GPU + " and " + GPU_NODE + " by xgn nodes, "
                            + NATIVE_GPU + " and " + NATIVE_SHARE
                            + " by nvidia nodes; one pod cannot have two of them");
        }
        long nodes = manifest.containers().stream()
                .filter(container -> isPositive(container, GPU_NODE))
                .count();
        if (nodes > 1) {
            throw new RefusedException(
                    "pod \"" + manifest.id() + "\"",
                    "at most one container may ask for " + GPU_NODE + ", got " + nodes);
        }
        return onNodesOf(
                modes,
                Manifests.translate(manifest, T9kDialect::request, modes.contains(T9kNodeMode.XGN) ? XGN : NONE));
    }

    private static Pod onNodesOf(Set<T9kNodeMode> modes, Pod pod) {
        NodeSelector selector = pod.nodeSelector();
        for (T9kNodeMode mode : modes) {
            selector = selector.and(NodeSelector.labels(Map.of(NODE_ALLOC_MODE, mode.label())));
        }
        return new Pod(pod.id(), pod.containers(), selector, pod.tolerations(), pod.overhead()).withRules(pod.rules());
    }

    private static boolean asks(ContainerManifest container, T9kNodeMode mode) {
        return mode.resources().stream().anyMatch(resource -> isPositive(container, resource));
    }

    private static boolean isPositive(ContainerManifest container, String resource) {
        return container.extended(resource).orElse(0L) > 0;
    }

    private static GpuRequest request(ContainerManifest container) {
        List<String> asked =
                ALL.stream().filter(resource -> isPositive(container, resource)).toList();
        if (asked.size() > 1) {
            throw new RefusedException(Manifests.name(container), "at most one of " + asked);
        }
        return asked.isEmpty() ? GpuRequest.none() : request(container, asked.get(0));
    }

    private static GpuRequest request(ContainerManifest container, String resource) {
        long amount = container.extended(resource).orElse(0L);
        return switch (resource) {
            case GPU_PERCENT -> GpuRequest.percent(Manifests.within(container, resource, amount, 1, 100));
            case GPU_NODE -> {
                Manifests.within(container, resource, amount, 1, 1);
                yield GpuRequest.wholeNode();
            }
            case NATIVE_SHARE -> {
                Manifests.within(container, resource, amount, 1, 1);
                yield GpuRequest.share(0, GpuMemory.none());
            }
            default -> GpuRequest.exclusive(Manifests.within(container, resource, amount, 1, Node.MAX_GPUS));
        };
    }

    /**
     * Returns the environment of each container that holds GPUs: {@code NVIDIA_VISIBLE_DEVICES} with ids or {@code all},
     * and for a share {@code T9K_GPU_PERCENT} and {@code T9K_GPU_MEMORY} in MB. T9k enforces neither limit.
     */
    @Override
    public BindingMetadata write(PodManifest manifest, Node node, Placement placement) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(placement, "placement");
        Map<String, Map<String, String>> environment = new LinkedHashMap<>();
        for (ContainerGrant grant : placement.containers()) {
            if (!(grant.gpus() instanceof GpuGrant.None)) {
                environment.put(grant.container(), environment(grant.gpus(), String::valueOf));
            }
        }
        return BindingMetadata.environment(environment);
    }

    /**
     * Returns the environment that goes with a grant.
     *
     * @param grant what the container holds
     * @param ids the id of each GPU by index
     */
    public static Map<String, String> environment(GpuGrant grant, IntFunction<String> ids) {
        Objects.requireNonNull(grant, "grant");
        Objects.requireNonNull(ids, "ids");
        if (grant instanceof GpuGrant.WholeNode) {
            return Map.of("NVIDIA_VISIBLE_DEVICES", "all");
        }
        String devices = grant.indexes().stream().map(ids::apply).collect(Collectors.joining(","));
        if (grant instanceof GpuGrant.Shared shared && shared.shares().get(0).computeMillis() > 0) {
            return Map.of(
                    "NVIDIA_VISIBLE_DEVICES", devices,
                    "T9K_GPU_PERCENT", String.valueOf(shared.shares().get(0).computeMillis() / 10),
                    "T9K_GPU_MEMORY", String.valueOf(shared.shares().get(0).memoryMib()));
        }
        return Map.of("NVIDIA_VISIBLE_DEVICES", devices);
    }
}
