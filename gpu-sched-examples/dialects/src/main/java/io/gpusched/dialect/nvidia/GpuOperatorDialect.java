package io.gpusched.dialect.nvidia;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.internal.FitReasons;
import io.gpusched.dialect.internal.GfdLabels;
import io.gpusched.dialect.internal.GpuRule;
import io.gpusched.dialect.internal.Manifests;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * A cluster as NVIDIA's GPU operator makes it: nodes with whole GPUs, with shared ones and with MIG devices side by side, each read
 * by its own labels. A node whose label {@value GfdLabels#REPLICAS} is 2 or more shares its GPUs
 * ({@link NvidiaSharingDialect}), with {@value GfdLabels#SHARING_STRATEGY} {@code mps} or by time slicing; all others have whole ones
 * and MIG devices ({@link DevicePluginDialect}). MIG devices that are offered as GPUs (strategy {@code single}) are slots of the GPUs
 * that they are cut from.
 *
 * <p>A container that asks for {@code nvidia.com/gpu} takes whole GPUs where there is room for them, else replicas, which give it
 * no more than one replica would: one on each of as many GPUs, or else all on one. {@code nvidia.com/gpu.shared}, as replicas are
 * called where the plugin renames them, is served by nodes that report it, and {@code nvidia.com/gpu} is then not.
 */
public final class GpuOperatorDialect implements Dialect {
    /** Replicas, where the plugin renames them. */
    public static final String SHARED = NvidiaSharing.RESOURCE + ".shared";

    /** Labels nodes whose replicas are renamed; it is of the snapshot, and not on the node itself. */
    public static final String RENAMED_REPLICAS = "gpu-sched.io/renamed-replicas";

    private static final NodeRequirement RENAMED = NodeRequirement.exists(RENAMED_REPLICAS);

    private static final NodeRequirement NOT_RENAMED =
            new NodeRequirement(RENAMED.key(), NodeRequirement.Operator.DOES_NOT_EXIST, List.of());

    /** With MPS the plugin refuses containers that ask for several replicas. */
    private static final NodeRequirement NOT_MPS =
            new NodeRequirement(GfdLabels.SHARING_STRATEGY, NodeRequirement.Operator.NOT_IN, List.of("mps"));

    /** GKE refuses them on all nodes that share GPUs. */
    private static final NodeRequirement NOT_GKE_SHARED =
            new NodeRequirement(GfdLabels.GKE_SHARING, NodeRequirement.Operator.DOES_NOT_EXIST, List.of());

    private static final char PART = '#';

    /** Beside whole GPUs, so many ways to lay replicas out can be asked for. */
    private static final int MOST_WAYS = 15;

    private static final int MOST_REPLICAS = 500;
    private static final int USUAL_GPUS = 8;

    private final DevicePluginDialect whole = DevicePluginDialect.of(NvidiaSharing.RESOURCE);

    private GpuOperatorDialect() {}

    /** Returns the dialect. */
    public static GpuOperatorDialect of() {
        return new GpuOperatorDialect();
    }

    @Override
    public String name() {
        return "nvidia";
    }

    @Override
    public PlacementPolicy policy() {
        return GpuRule.FEWEST_TENANTS;
    }

    @Override
    public Node node(NodeManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        if (!isShared(manifest)) {
            return whole.node(manifest);
        }
        boolean isRenamed = manifest.reports(SHARED);
        int replicas = replicas(manifest);
        boolean isCut = MigResources.slicesOfEachGpu(manifest) > 1;
        boolean isUntold =
                !isCut && replicas <= 1 && GfdLabels.count(manifest.labels()).isEmpty();
        int ofEach = isUntold ? usual(manifest.count(isRenamed ? SHARED : NvidiaSharing.RESOURCE)) : replicas;
        Node node = NvidiaSharingDialect.of(sharing(manifest.labels(), isRenamed))
                .node(manifest, Math.max(isCut || replicas > 0 ? 1 : 2, ofEach));
        Node.Builder builder = node.toBuilder();
        PartitionResources.device(manifest, node.gpus().size(), manifest.nvidiaModel())
                .ifPresent(builder::gpu);
        return (isRenamed ? builder.label(RENAMED.key(), "") : builder).build();
    }

    /**
     * Returns whether a node offers replicas of its GPUs, or their MIG devices as if they were GPUs: by the labels of NVIDIA's feature
     * discovery or of GKE, or by what it gives out, which is {@value #SHARED} or more than any node has GPUs.
     *
     * @throws IllegalArgumentException if a label or an amount is no number
     */
    public static boolean isShared(NodeManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        boolean isReported = manifest.reports(NvidiaSharing.RESOURCE);
        return manifest.reports(SHARED) && (manifest.count(SHARED) > 0 || replicas(manifest) > 1)
                || isReported
                        && (replicas(manifest) > 1
                                || manifest.count(NvidiaSharing.RESOURCE) > Node.MAX_GPUS
                                || MigResources.slicesOfEachGpu(manifest) > 1);
    }

    /** As how many each GPU is offered, by the labels; 0 where they do not say. */
    private static int replicas(NodeManifest manifest) {
        for (String label : List.of(GfdLabels.REPLICAS, GfdLabels.GKE_SHARES)) {
            String text = manifest.labels().get(label);
            if (text != null) {
                return Manifests.whole(Manifests.name(manifest), "label " + label, text);
            }
        }
        return 0;
    }

    /** Where no label says of how many GPUs the replicas are: of eight, or of as many as divide their number. */
    private static int usual(long places) {
        if (places % USUAL_GPUS == 0) {
            return (int) (places / USUAL_GPUS);
        }
        long gpus = 2 * USUAL_GPUS;
        while (places % gpus != 0) {
            gpus--;
        }
        return (int) (places / gpus);
    }

    /** How many replicas there are is the node's to say. */
    private static NvidiaSharing sharing(Map<String, String> labels, boolean isRenamed) {
        boolean isMps =
                "mps".equals(labels.getOrDefault(GfdLabels.SHARING_STRATEGY, labels.get(GfdLabels.GKE_SHARING)));
        return new NvidiaSharing(
                isMps ? NvidiaSharing.Strategy.MPS : NvidiaSharing.Strategy.TIME_SLICING, 2, isRenamed, false);
    }

    @Override
    public Pod pod(PodManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        return pod(manifest, GpuOperatorDialect::wholeOrReplicas);
    }

    /**
     * Returns the pod as the nodes that it selects serve it: where each of them shares its GPUs, or none has as many GPUs as are asked for, several replicas
     * may lie on any GPUs; where none is shared, GPUs are whole.
     */
    @Override
    public Pod pod(PodManifest manifest, Cluster cluster) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(cluster, "cluster");
        List<NodeState> selected = cluster.nodes().stream()
                .filter(node -> manifest.nodeSelector().matches(node.node()))
                .toList();
        List<NodeState> nodes = selected.isEmpty() ? cluster.nodes() : selected;
        boolean isShared = nodes.stream().anyMatch(GpuOperatorDialect::shares);
        int whole = nodes.stream()
                .filter(node -> !shares(node))
                .mapToInt(NodeState::gpuCount)
                .max()
                .orElse(0);
        return pod(
                manifest,
                count -> isShared && count > whole
                        ? replicas(count)
                        : isShared ? wholeOrReplicas(count) : wholeAlone(count));
    }

    private static boolean shares(NodeState node) {
        return node.node().mode() == NodeMode.SHARED;
    }

    private static List<GpuRequest> wholeAlone(int count) {
        return count > Node.MAX_GPUS ? replicas(count) : List.of(GpuRequest.exclusive(count));
    }

    /** How a number of {@code nvidia.com/gpu} is asked for, as one request or several. */
    private interface Counted {
        List<GpuRequest> of(int count);
    }

    /** Replicas lie as far apart as possible; where they are not as many on each GPU, one node has to be named. */
    private static List<GpuRequest> wholeOrReplicas(int count) {
        if (count > Node.MAX_GPUS) {
            return replicas(count);
        }
        List<GpuRequest> ways = new ArrayList<>(List.of(GpuRequest.exclusive(count)));
        for (int slots = 1; slots <= count && ways.size() <= MOST_WAYS; slots++) {
            if (count % slots == 0) {
                ways.add(GpuRequest.share(0, GpuMemory.none())
                        .withCount(count / slots)
                        .withSlots(slots));
            }
        }
        return List.of(new GpuRequest.FirstOf(ways));
    }

    private static List<GpuRequest> replicas(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> (GpuRequest) GpuRequest.share(0, GpuMemory.none()))
                .toList();
    }

    private static Pod pod(PodManifest manifest, Counted counted) {
        List<Container> containers = new ArrayList<>();
        NodeSelector selector = manifest.nodeSelector();
        for (ContainerManifest container : manifest.containers()) {
            List<GpuRequest> requests = new ArrayList<>();
            int gpus = count(container, NvidiaSharing.RESOURCE);
            int replicas = count(container, SHARED);
            requests.addAll(gpus == 0 ? List.of() : counted.of(gpus));
            requests.addAll(replicas(replicas));
            List<GpuRequest> mig = PartitionResources.requests(container, "nvidia");
            requests.addAll(mig);
            selector = mig.isEmpty() ? selector : selector.and(NodeSelector.all(MigResources.BY_RESOURCE));
            selector = gpus == 0 ? selector : selector.and(NodeSelector.all(NOT_RENAMED));
            selector =
                    Math.max(gpus, replicas) > 1 ? selector.and(NodeSelector.all(NOT_MPS, NOT_GKE_SHARED)) : selector;
            selector = replicas == 0 ? selector : selector.and(NodeSelector.all(RENAMED));
            add(containers, container, requests);
        }
        return Manifests.build(manifest, containers, selector, List.of());
    }

    private static int count(ContainerManifest container, String resource) {
        long count = container.extended(resource).orElse(0L);
        return count == 0 ? 0 : Manifests.within(container, resource, count, 1, MOST_REPLICAS);
    }

    /** A container of several requests becomes as many, each with one of them. */
    private static void add(List<Container> containers, ContainerManifest container, List<GpuRequest> requests) {
        GpuRequest first = requests.isEmpty() ? GpuRequest.none() : requests.get(0);
        containers.add(new Container(container.name(), container.kind(), PodManifest.resources(container), first));
        for (int i = 1; i < requests.size(); i++) {
            containers.add(
                    new Container(container.name() + PART + i, container.kind(), Resources.NONE, requests.get(i)));
        }
    }

    /** Says it in kube-scheduler's words, which counts GPUs, replicas and MIG devices. */
    @Override
    public String refusal(NodeState node, PodManifest manifest) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(manifest, "manifest");
        return FitReasons.of(node, manifest, GpuOperatorDialect::asked, name -> free(node, name));
    }

    private static Map<String, Long> asked(ContainerManifest container) {
        Map<String, Long> asked = new LinkedHashMap<>();
        for (String resource : List.of(NvidiaSharing.RESOURCE, SHARED)) {
            long count = container.extended(resource).orElse(0L);
            if (count > 0) {
                asked.put(resource, count);
            }
        }
        for (GpuRequest request : PartitionResources.requests(container, "nvidia")) {
            GpuRequest.Partition mig = (GpuRequest.Partition) request;
            asked.put(MigResources.resource(mig.profile()), (long) mig.instances());
        }
        return asked;
    }

    private long free(NodeState node, String resource) {
        boolean isReplica = resource.equals(SHARED) || resource.equals(NvidiaSharing.RESOURCE);
        if (!isReplica || node.node().mode() != NodeMode.SHARED) {
            return resource.equals(SHARED) ? 0 : whole.free(node, resource);
        }
        boolean isServed = resource.equals(SHARED) == RENAMED.matches(node.node());
        return isServed ? NvidiaSharingDialect.freeReplicas(node) : 0;
    }

    @Override
    public BindingMetadata write(PodManifest manifest, Node node, Placement placement) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(placement, "placement");
        if (node.mode() != NodeMode.SHARED) {
            return whole.write(manifest, node, placement);
        }
        NvidiaSharing sharing = sharing(node.labels(), RENAMED.matches(node));
        return NvidiaSharingDialect.of(sharing).write(manifest, node, placement);
    }
}
