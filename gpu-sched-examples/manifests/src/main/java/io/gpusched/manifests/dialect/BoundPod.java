package io.gpusched.manifests.dialect;

import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.Toleration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A running pod as a request that only its own GPUs serve, whatever labels and taints its node has by now. */
public final class BoundPod {
    private BoundPod() {}

    /**
     * Returns the request. Containers whose partitions an annotation names ask for no GPU: see
     * {@link #withPartitions}.
     *
     * @throws IllegalArgumentException if the dialect refuses the pod, or an annotation names a GPU that is not there
     */
    public static Pod of(Dialect dialect, PodManifest manifest, Node node) {
        Pod pod = dialect.pod(manifest, Cluster.of(List.of(node)));
        Map<String, Set<String>> uuids = new HashMap<>();
        Set<String> named = new HashSet<>(partitions(dialect, manifest, node).keySet());
        for (int c = 0; c < manifest.containers().size(); c++) {
            Set<String> held = new LinkedHashSet<>();
            for (int gpu : dialect.heldGpus(manifest, c, node)) {
                held.add(uuid(manifest, node, gpu));
            }
            uuids.put(manifest.containers().get(c).name(), held);
        }
        List<Container> containers = pod.containers().stream()
                .map(container -> new Container(
                        container.name(),
                        container.kind(),
                        container.resources(),
                        named.contains(container.name())
                                ? GpuRequest.none()
                                : bound(container.gpu(), uuids.getOrDefault(container.name(), Set.of()))))
                .toList();
        return new Pod(pod.id(), containers, NodeSelector.ANY, List.of(Toleration.everything()), pod.overhead())
                .withRules(pod.rules());
    }

    /**
     * Returns what a running pod holds: its placement as found for the request, and the partitions that its annotations name.
     *
     * @throws IllegalArgumentException if an annotation cannot be read
     */
    public static Placement withPartitions(Dialect dialect, PodManifest manifest, Node node, Placement found) {
        Map<String, List<GpuPartition>> held = partitions(dialect, manifest, node);
        if (held.isEmpty()) {
            return found;
        }
        List<ContainerGrant> containers = found.containers().stream()
                .map(grant -> held.containsKey(grant.container())
                        ? new ContainerGrant(
                                grant.container(), grant.kind(), new GpuGrant.Partitions(held.get(grant.container())))
                        : grant)
                .toList();
        return new Placement(found.pod(), found.node(), found.resources(), containers);
    }

    private static Map<String, List<GpuPartition>> partitions(Dialect dialect, PodManifest manifest, Node node) {
        Map<String, List<GpuPartition>> held = new HashMap<>();
        for (int c = 0; c < manifest.containers().size(); c++) {
            List<GpuPartition> named = dialect.heldPartitions(manifest, c, node);
            if (!named.isEmpty()) {
                held.put(manifest.containers().get(c).name(), named);
            }
        }
        return held;
    }

    /** Returns whether annotations of the dialect say of any container which GPUs it holds. */
    public static boolean namesGpus(Dialect dialect, PodManifest manifest, Node node) {
        for (int c = 0; c < manifest.containers().size(); c++) {
            if (!dialect.heldGpus(manifest, c, node).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the request for GPUs alone: a pod that runs holds its own, however little CPU or memory its node has left. */
    public static Pod gpusOnly(Pod pod) {
        List<Container> bare = pod.containers().stream()
                .map(container -> new Container(container.name(), container.kind(), Resources.NONE, container.gpu()))
                .toList();
        return new Pod(pod.id(), bare, pod.nodeSelector(), pod.tolerations());
    }

    private static String uuid(PodManifest manifest, Node node, int gpu) {
        if (gpu < 0 || gpu >= node.gpus().size()) {
            throw new IllegalArgumentException("pod \"" + manifest.id() + "\" holds gpu " + gpu + ", but node \""
                    + node.name() + "\" has " + node.gpus().size());
        }
        return node.gpus().get(gpu).uuid();
    }

    private static GpuRequest bound(GpuRequest request, Set<String> uuids) {
        return uuids.isEmpty() || request instanceof GpuRequest.WholeNode
                ? request
                : request.withSelector(GpuSelector.ANY.withAllowedUuids(uuids));
    }
}
