package io.gpusched.dialect.internal;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What kube-scheduler's {@code NodeResourcesFit} says of a node, for systems whose devices are resources that it counts: every
 * resource of which the pod asks more than is free, such as {@code Insufficient cpu, Insufficient nvidia.com/gpu}, CPU and memory
 * first, then by name; {@code Too many pods} before them.
 */
public final class FitReasons {
    private FitReasons() {}

    /**
     * Returns the words; empty if every resource is free by its count.
     *
     * @param asked the devices that a container asks for, by resource
     * @param free how many of a device resource are free
     */
    public static String of(
            NodeState node,
            PodManifest manifest,
            Function<ContainerManifest, Map<String, Long>> asked,
            Function<String, Long> free) {
        List<Container> counted = new ArrayList<>();
        List<String> devices = new ArrayList<>();
        for (ContainerManifest container : manifest.containers()) {
            Resources resources = PodManifest.resources(container);
            for (Map.Entry<String, Long> device : asked.apply(container).entrySet()) {
                resources = resources.with(device.getKey(), device.getValue());
                devices.add(device.getKey());
            }
            counted.add(new Container(container.name(), container.kind(), resources, GpuRequest.none()));
        }
        Pod pod = Manifests.build(manifest, counted, manifest.nodeSelector(), List.of());
        return words(node, pod.resources(), name -> devices.contains(name) ? free.apply(name) : node.free(name));
    }

    private static String words(NodeState node, Resources asked, Function<String, Long> free) {
        List<String> words = new ArrayList<>();
        if (node.podCount() >= node.node().maxPods()) {
            words.add("Too many pods");
        }
        if (asked.cpuMillis() > node.freeCpuMillis()) {
            words.add("Insufficient cpu");
        }
        if (asked.memoryMib() > node.freeMemoryMib()) {
            words.add("Insufficient memory");
        }
        for (String name : asked.named().names()) {
            if (asked.amount(name) > free.apply(name)) {
                words.add("Insufficient " + name);
            }
        }
        return String.join(", ", words);
    }
}
