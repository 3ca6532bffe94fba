package io.gpusched.dialect.nvidia;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.internal.FitReasons;
import io.gpusched.dialect.internal.GfdLabels;
import io.gpusched.dialect.internal.GpuRule;
import io.gpusched.dialect.internal.Manifests;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * NVIDIA's device plugin with shared GPUs: each GPU is offered as a number of replicas, which are slots here.
 *
 * <p>A container that asks for several replicas gets no larger part; they may lie on one GPU. Replicas go to the GPU with
 * the fewest in use (<em>distributed</em>) or with the most (<em>packed</em>), lowest index on a tie. The plugin refuses
 * what it must refuse only after the pod is on its node; here the pod is refused at once.
 *
 * <p>Time slicing bounds no memory. With mps a tenant may use an equal part of memory and threads, see
 * {@link NvidiaSharing#limits}.
 */
public final class NvidiaSharingDialect implements Dialect {
    private static final char REPLICA = '#';

    private final NvidiaSharing sharing;
    private final ReplicaChoice choice;

    private NvidiaSharingDialect(NvidiaSharing sharing, ReplicaChoice choice) {
        this.sharing = sharing;
        this.choice = choice;
    }

    /** Returns the dialect with this configuration and the distributed choice. */
    public static NvidiaSharingDialect of(NvidiaSharing sharing) {
        Objects.requireNonNull(sharing, "sharing");
        return of(sharing, ReplicaChoice.DISTRIBUTED);
    }

    /** Returns the dialect with this configuration and choice. */
    public static NvidiaSharingDialect of(NvidiaSharing sharing, ReplicaChoice choice) {
        Objects.requireNonNull(sharing, "sharing");
        Objects.requireNonNull(choice, "choice");
        return new NvidiaSharingDialect(sharing, choice);
    }

    @Override
    public String name() {
        return "nvidia-sharing";
    }

    @Override
    public PlacementPolicy policy() {
        return choice == ReplicaChoice.DISTRIBUTED ? GpuRule.FEWEST_TENANTS : GpuRule.MOST_TENANTS;
    }

    /**
     * Returns the node; its label {@value GfdLabels#REPLICAS} overrides the configured number of replicas. What is allocatable is what
     * the kubelet gives out: where it is more than the labels count, GPUs have more replicas; where it is less, as while the plugin
     * restarts or where GPUs are cut by MIG, the last ones have fewer, or are out of order.
     */
    @Override
    public Node node(NodeManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        String label = manifest.labels().get(GfdLabels.REPLICAS);
        return node(
                manifest,
                label == null
                        ? sharing.replicas()
                        : Math.max(1, Manifests.whole(Manifests.name(manifest), "label " + GfdLabels.REPLICAS, label)));
    }

    /**
     * Returns the node.
     *
     * @param ofEach as how many each GPU is offered, or each MIG device where these are offered as GPUs
     */
    Node node(NodeManifest manifest, int ofEach) {
        int slices = MigResources.slicesOfEachGpu(manifest);
        int told = ofEach * slices;
        long places = allocatable(manifest);
        long gpus = gpus(manifest, places, told, slices);
        int replicas = places == Long.MAX_VALUE || gpus == 0 ? told : (int) Math.max(told, (places + gpus - 1) / gpus);
        Node.Builder builder = manifest.toNode().mode(NodeMode.SHARED);
        for (int i = 0; i < gpus; i++) {
            long left = places == Long.MAX_VALUE ? replicas : Math.min(replicas, places - (long) i * replicas);
            builder.gpu(Gpu.of(i, Manifests.unnamed(manifest.name(), i), manifest.nvidiaModel())
                    .withSlots((int) (left > 0 ? left : replicas))
                    .withHealthy(left > 0));
        }
        return builder.build();
    }

    /** As many as a label says, else as few as the replicas are of. Of cut GPUs some label counts the slices, and some the GPUs. */
    private static long gpus(NodeManifest manifest, long places, int replicas, int slices) {
        Optional<String> count = GfdLabels.count(manifest.labels());
        long least = places == Long.MAX_VALUE ? 0 : Math.min(Node.MAX_GPUS, ceil(places, replicas));
        if (count.isEmpty()) {
            return least;
        }
        String text = manifest.labels().getOrDefault(count.get(), "");
        int told = Manifests.whole(Manifests.name(manifest), "label " + count.get(), text);
        boolean areSlices =
                slices > 1 && count.get().equals(GfdLabels.COUNT) && told * (long) replicas / slices >= places;
        return areSlices ? Math.max(least, ceil(told, slices)) : slices > 1 ? Math.max(least, told) : told;
    }

    private static long ceil(long number, int of) {
        return (number + of - 1) / of;
    }

    /** How many replicas can be given out; as many as the labels count where nothing says it. */
    private long allocatable(NodeManifest manifest) {
        boolean isCut = manifest.allocatable().keySet().stream().anyMatch(name -> name.startsWith(MigResources.PREFIX));
        return manifest.reports(sharing.resource()) || isCut ? manifest.count(sharing.resource()) : Long.MAX_VALUE;
    }

    /** Returns the pod; a container with several replicas becomes as many containers that ask for one each. */
    @Override
    public Pod pod(PodManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        List<Container> containers = new ArrayList<>();
        for (ContainerManifest container : manifest.containers()) {
            long replicas = replicas(container);
            Resources resources = PodManifest.resources(container);
            GpuRequest one = GpuRequest.share(0, GpuMemory.none());
            containers.add(new Container(
                    container.name(), container.kind(), resources, replicas == 0 ? GpuRequest.none() : one));
            for (int i = 1; i < replicas; i++) {
                containers.add(new Container(container.name() + REPLICA + i, container.kind(), Resources.NONE, one));
            }
        }
        return Manifests.build(manifest, containers, manifest.nodeSelector(), List.of());
    }

    private long replicas(ContainerManifest container) {
        String resource = sharing.resource();
        long replicas = container.extended(resource).orElse(0L);
        if (replicas > 1 && sharing.failRequestsGreaterThanOne()) {
            throw new RefusedException(
                    Manifests.name(container),
                    "UnexpectedAdmissionError: requests for more than one replica of " + resource
                            + " are refused (failRequestsGreaterThanOne), got " + replicas);
        }
        return replicas == 0 ? 0 : Manifests.within(container, resource, replicas, 1, 500);
    }

    /** Says it in kube-scheduler's words, which counts the replicas: each resource that is short, CPU and memory too. */
    @Override
    public String refusal(NodeState node, PodManifest manifest) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(manifest, "manifest");
        return FitReasons.of(node, manifest, this::asked, name -> freeReplicas(node));
    }

    private Map<String, Long> asked(ContainerManifest container) {
        long replicas = replicas(container);
        return replicas == 0 ? Map.of() : Map.of(sharing.resource(), replicas);
    }

    /** How many replicas of a node are free; its MIG devices have none. */
    static long freeReplicas(NodeState node) {
        return IntStream.range(0, node.gpuCount())
                .filter(gpu -> node.node().gpus().get(gpu).partitions().isNone())
                .mapToLong(node::freeSlots)
                .sum();
    }

    /** Returns {@code NVIDIA_VISIBLE_DEVICES} by container, and for mps where its control pipe is. */
    @Override
    public BindingMetadata write(PodManifest manifest, Node node, Placement placement) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(placement, "placement");
        Map<String, Set<Integer>> gpus = new LinkedHashMap<>();
        for (ContainerGrant grant : placement.containers()) {
            if (grant.gpus() instanceof GpuGrant.Shared) {
                int end = grant.container().indexOf(REPLICA);
                String container =
                        end < 0 ? grant.container() : grant.container().substring(0, end);
                gpus.computeIfAbsent(container, name -> new TreeSet<>())
                        .addAll(grant.gpus().indexes());
            }
        }
        Map<String, Map<String, String>> environment = new LinkedHashMap<>();
        gpus.forEach((container, held) -> environment.put(container, environment(node, held)));
        return BindingMetadata.environment(environment);
    }

    private Map<String, String> environment(Node node, Set<Integer> gpus) {
        String ids = gpus.stream().map(gpu -> Manifests.deviceId(node, gpu)).collect(Collectors.joining(","));
        Map<String, String> values = new LinkedHashMap<>();
        values.put("NVIDIA_VISIBLE_DEVICES", ids);
        if (sharing.strategy() == NvidiaSharing.Strategy.MPS) {
            values.put("CUDA_MPS_PIPE_DIRECTORY", "/mps/" + sharing.resource() + "/pipe");
        }
        return values;
    }
}
