package io.gpusched.manifests.dialect;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Pods that are a part of their node and no tenants of it: pods of a DaemonSet, and pods that the kubelet runs from files, as
 * long as they ask for no GPUs. What they take is left out of what the node has to give.
 */
public final class ResidentPods {
    /** The kubelet marks what it runs from files on the node. */
    private static final String MIRROR = "kubernetes.io/config.mirror";

    /** Knows no GPUs, and refuses no pod. */
    private static final Dialect PLAIN = DevicePluginDialect.of("gpu-sched.io/none");

    private ResidentPods() {}

    /** Returns whether a pod belongs to its node, whatever it asks for. */
    public static boolean isOfNode(Pod pod) {
        ObjectMeta metadata = pod.getMetadata();
        return metadata.getAnnotations() != null && metadata.getAnnotations().containsKey(MIRROR)
                || metadata.getOwnerReferences().stream()
                        .anyMatch(owner ->
                                "DaemonSet".equals(owner.getKind()) && Boolean.TRUE.equals(owner.getController()));
    }

    /** Returns whether nothing that a pod asks for means GPUs. */
    public static boolean asksForNoGpus(PodManifest pod, Predicate<String> isCounted) {
        return pod.containers().stream()
                .flatMap(container ->
                        Stream.concat(container.limits().keySet().stream(), container.requests().keySet().stream()))
                .allMatch(isCounted);
    }

    /** Returns the node with its own pods, which take their part before all others; where it has less than that, all it has. */
    public static Node with(Node node, Collection<PodManifest> residents) {
        if (residents.isEmpty()) {
            return node;
        }
        Node.Builder builder = node.toBuilder().maxPods(Math.max(0, node.maxPods() - residents.size()));
        Node roomy = node.toBuilder()
                .maxPods(Math.max(node.maxPods(), residents.size()))
                .build();
        Cluster alone = Cluster.of(List.of(roomy));
        for (PodManifest resident : residents) {
            Placement placement = withoutGpus(resident, alone.node(0));
            Resources part = placement.resources().min(free(alone.node(0)));
            Placement held = new Placement(placement.pod(), node.name(), part, placement.containers());
            alone = alone.with(placement.spec().map(held::withSpec).orElse(held));
            builder.resident(placement);
        }
        return builder.capacity(free(alone.node(0))).build();
    }

    /** Returns a placement of a pod on a node that holds no GPU, but all else that the pod asks and the node has. */
    public static Placement withoutGpus(PodManifest manifest, NodeState node) {
        io.gpusched.workload.Pod pod =
                PLAIN.pod(manifest.counting(resource -> node.capacity().named().amount(resource) > 0));
        List<ContainerGrant> none = pod.containers().stream()
                .map(container -> new ContainerGrant(container.name(), container.kind(), GpuGrant.none()))
                .toList();
        return new Placement(pod.id(), node.name(), pod.resources(), none).withSpec(pod.spec());
    }

    private static Resources free(NodeState state) {
        return new Resources(state.freeCpuMillis(), state.freeMemoryMib(), state.freeNamed());
    }
}
