package io.gpusched.kubebench;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The objects of a benchmark. */
final class BenchObjects {
    /** Namespace of pods and groups. */
    static final String NAMESPACE = "kube-bench";

    /** Label of nodes: the rack. */
    static final String RACK = "topology.kubernetes.io/rack";

    /** The resource that nodes have and pods ask for. */
    static final String GPU = "nvidia.com/gpu";

    private BenchObjects() {}

    static String nodeName(int index) {
        return "node-" + index;
    }

    static Node node(int index, BenchSettings settings, BenchShape.Offer offer) {
        Map<String, Quantity> amounts = new HashMap<>(
                Map.of("cpu", new Quantity("64"), "memory", new Quantity("256Gi"), "pods", new Quantity("110")));
        if (offer == BenchShape.Offer.COUNTED) {
            amounts.put(GPU, new Quantity(String.valueOf(settings.gpusPerNode())));
        }
        String name = nodeName(index);
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("kubernetes.io/hostname", name)
                .addToLabels(RACK, "rack-" + index / settings.nodesPerRack())
                .endMetadata()
                .withNewStatus()
                .withCapacity(amounts)
                .withAllocatable(amounts)
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }

    /** Returns the pod of this index; pods that follow each other are in one group. */
    static Pod pod(String prefix, int index, BenchShape shape, String schedulerName) {
        boolean isCounted = shape.offer() == BenchShape.Offer.COUNTED;
        Map<String, Quantity> gpus = isCounted ? Map.of(GPU, new Quantity("1")) : Map.of();
        PodBuilder pod = new PodBuilder()
                .withNewMetadata()
                .withName(prefix + index)
                .withNamespace(NAMESPACE)
                .endMetadata()
                .withNewSpec()
                .withSchedulerName(schedulerName)
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .withNewResources()
                .withRequests(Map.of("cpu", new Quantity("100m"), "memory", new Quantity("100Mi")))
                .addToRequests(gpus)
                .withLimits(gpus)
                .endResources()
                .endContainer()
                .endSpec();
        if (shape.isGrouped()) {
            pod.editSpec()
                    .withNewSchedulingGroup(groupName(prefix, index / shape.podsPerGroup()))
                    .endSpec();
        }
        if (!isCounted) {
            pod.editSpec()
                    .addNewResourceClaim()
                    .withName("gpu")
                    .withResourceClaimName(prefix + index)
                    .endResourceClaim()
                    .editFirstContainer()
                    .editResources()
                    .addNewClaim("gpu", null)
                    .endResources()
                    .endContainer()
                    .endSpec();
        }
        return pod.build();
    }

    static String groupName(String prefix, int group) {
        return prefix + "group-" + group;
    }

    /** Returns a group of Kubernetes' own vocabulary. */
    static Map<String, Object> group(String name, BenchShape shape) {
        Map<String, Object> gang = Map.of("gang", Map.of("minCount", shape.podsPerGroup()));
        Map<String, Object> spec = shape.kind() == BenchShape.Kind.RACKS
                ? Map.of(
                        "schedulingPolicy",
                        gang,
                        "schedulingConstraints",
                        Map.of("topology", List.of(Map.of("key", RACK))))
                : Map.of("schedulingPolicy", gang);
        return Map.of(
                "apiVersion",
                "scheduling.k8s.io/v1beta1",
                "kind",
                "PodGroup",
                "metadata",
                Map.of("name", name, "namespace", NAMESPACE),
                "spec",
                spec);
    }
}
