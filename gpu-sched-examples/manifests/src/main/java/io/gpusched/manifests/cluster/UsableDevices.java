package io.gpusched.manifests.cluster;

import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a pod may use, the one answer for all commands: GPUs of its own system, and what it selects by its node selector. A pod that
 * runs goes on with the kind of device that it has: one on a whole GPU gets no slice and no replica, and the other way around.
 */
final class UsableDevices {
    /** Marks nodes whose GPUs are slices under the name of whole ones; it is of the snapshot, and not on the node itself. */
    static final String SLICES = "gpu-sched.io/slices";

    private static final NodeRequirement SLICED = NodeRequirement.exists(SLICES);
    private static final NodeRequirement WHOLE =
            new NodeRequirement(SLICES, NodeRequirement.Operator.DOES_NOT_EXIST, List.of());

    private final DialectSet dialects;
    private final boolean anyKind;
    private final boolean haveSlices;

    /**
     * Starts.
     *
     * @param anyKind whether a pod that runs may go on with another kind of device
     * @param haveSlices whether any node has slices under the name of whole GPUs
     */
    UsableDevices(DialectSet dialects, boolean anyKind, boolean haveSlices) {
        this.dialects = dialects;
        this.anyKind = anyKind;
        this.haveSlices = haveSlices;
    }

    /** Returns a pod that waits as it may go to nodes of its system alone. */
    PodManifest waiting(PodManifest pod) {
        return pod.onNodes(dialects.nodesFor(pod, dialects.ofPod(pod)));
    }

    /**
     * Returns a placement whose pod may go where it may be used, from the node that it runs on.
     *
     * @param manifest the pod
     * @param cluster the cluster by whose models of GPUs it says what it accepts
     */
    Placement running(Placement placement, NodeState on, Supplier<PodManifest> manifest, Cluster cluster) {
        Optional<Pod> pod = Pod.of(placement);
        if (pod.isEmpty() || placement.containers().stream().allMatch(grant -> grant.gpus() instanceof GpuGrant.None)) {
            return placement;
        }
        return placement.withSpec(restricted(here(pod.get(), on, manifest.get(), cluster), placement, on.node()));
    }

    /** The pod in terms of all nodes, where its terms are those of its dialect and not of a grant. */
    private Pod here(Pod pod, NodeState on, PodManifest manifest, Cluster cluster) {
        try {
            Dialect dialect = dialects.ofLabels(on.node().labels()).dialect();
            PodManifest counted =
                    manifest.counting(resource -> on.node().capacity().named().amount(resource) > 0);
            return dialect.pod(counted).spec().equals(pod.spec()) ? dialect.pod(counted, cluster) : pod;
        } catch (IllegalArgumentException e) {
            return pod; // it runs, although its dialect refuses it
        }
    }

    private PodSpec restricted(Pod pod, Placement placement, Node node) {
        NodeSelector selector = pod.nodeSelector();
        String system = node.labels().getOrDefault(DialectSet.LABEL, "");
        if (dialects.all().size() > 1 && !system.isEmpty()) {
            selector = selector.and(NodeSelector.labels(Map.of(DialectSet.LABEL, system)));
        }
        List<Container> containers = anyKind ? pod.containers() : containers(pod, placement);
        // partitions have names of their own, and slices have not
        boolean isByName = containers.stream()
                .map(Container::gpu)
                .allMatch(gpu -> gpu.isNone() || gpu instanceof GpuRequest.Partition);
        if (!anyKind && haveSlices && !isByName) {
            selector = selector.and(NodeSelector.all(node.labels().containsKey(SLICES) ? SLICED : WHOLE));
        }
        return new Pod(pod.id(), containers, selector, pod.tolerations(), pod.overhead())
                .withRules(pod.rules())
                .spec();
    }

    /** Of several ways in which a container might be served, the one in which it is. */
    private static List<Container> containers(Pod pod, Placement placement) {
        Map<String, GpuGrant> held = new HashMap<>();
        for (ContainerGrant grant : placement.containers()) {
            held.put(grant.container(), grant.gpus());
        }
        List<Container> containers = new ArrayList<>();
        for (Container container : pod.containers()) {
            GpuRequest gpu = as(container.gpu(), held.getOrDefault(container.name(), GpuGrant.none()));
            containers.add(new Container(container.name(), container.kind(), container.resources(), gpu));
        }
        return containers;
    }

    private static GpuRequest as(GpuRequest asked, GpuGrant held) {
        if (!(asked instanceof GpuRequest.FirstOf any)) {
            return asked;
        }
        List<GpuRequest> alike = any.alternatives().stream()
                .filter(one -> held instanceof GpuGrant.Whole
                        ? one instanceof GpuRequest.Exclusive
                        : held instanceof GpuGrant.Shared
                                ? one instanceof GpuRequest.Share
                                : one instanceof GpuRequest.Partition)
                .toList();
        return alike.isEmpty() ? asked : alike.size() == 1 ? alike.get(0) : new GpuRequest.FirstOf(alike);
    }
}
