package io.gpusched.examples.place;

import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a cluster from Kubernetes manifests: nodes, and the pods that run on them. Which GPUs a running pod holds is read
 * from its annotations; where they say nothing it is given the GPUs that the dialect's rule would give.
 */
final class KubernetesCluster {
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final Dialect dialect;

    KubernetesCluster(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Returns the cluster of these objects. */
    Cluster read(List<YamlNode> objects) {
        List<Node> nodes = new ArrayList<>();
        for (YamlNode object : KubernetesPods.ofKind(objects, "Node")) {
            nodes.add(object.build(() -> dialect.node(KubernetesPods.node(object))));
        }
        if (nodes.isEmpty()) {
            throw objects.get(0).at("kind").error("at least one object must be a Node");
        }
        Cluster cluster = objects.get(0).build(() -> Cluster.of(nodes));
        for (YamlNode pod : KubernetesPods.ofKind(objects, "Pod")) {
            cluster = isRunning(pod) ? withRunning(cluster, pod) : cluster;
        }
        return cluster;
    }

    /** Returns whether a pod is bound to a node and has not ended. */
    static boolean isRunning(YamlNode pod) {
        String phase = pod.at("status").at("phase").textOr("Running");
        return pod.at("spec").at("nodeName").isPresent() && !ENDED.contains(phase);
    }

    private Cluster withRunning(Cluster cluster, YamlNode object) {
        YamlNode name = object.at("spec").at("nodeName");
        NodeState node = cluster.node(name.text())
                .orElseThrow(() -> name.error("must be a node of this file, got \"" + name.text() + "\""));
        PodManifest manifest = KubernetesPods.pod(object);
        Pod pod = object.build(() -> bound(manifest, node.node()));
        NodeState open = node.node().cordoned()
                ? cluster.withCordoned(name.text(), false).node(name.text()).orElseThrow()
                : node;
        Placement placement = GpuScheduler.of(dialect.policy(), 0)
                .place(open, pod)
                .or(() -> GpuScheduler.create().place(open, pod))
                .orElseThrow(() -> object.at("metadata")
                        .error("pod \"" + manifest.id() + "\" runs on node \"" + name.text()
                                + "\", but does not fit there with what runs before it"));
        return cluster.with(placement);
    }

    /** The pod as it runs: bound to its GPUs, whatever labels and taints its node has by now. */
    private Pod bound(PodManifest manifest, Node node) {
        Pod pod = dialect.pod(manifest);
        Map<String, Set<String>> uuids = new HashMap<>();
        for (int c = 0; c < manifest.containers().size(); c++) {
            Set<String> held = new LinkedHashSet<>();
            for (int gpu : dialect.heldGpus(manifest, c, node)) {
                if (gpu < 0 || gpu >= node.gpus().size()) {
                    throw new IllegalArgumentException(
                            "pod \"" + manifest.id() + "\" holds gpu " + gpu + ", but node \"" + node.name() + "\" has "
                                    + node.gpus().size());
                }
                held.add(node.gpus().get(gpu).uuid());
            }
            uuids.put(manifest.containers().get(c).name(), held);
        }
        List<Container> containers = pod.containers().stream()
                .map(container -> new Container(
                        container.name(),
                        container.init(),
                        container.resources(),
                        bound(container.gpu(), uuids.getOrDefault(container.name(), Set.of()))))
                .toList();
        return new Pod(pod.id(), containers, NodeSelector.ANY, List.of(Toleration.everything()));
    }

    private static GpuRequest bound(GpuRequest request, Set<String> uuids) {
        GpuSelector selector = GpuSelector.ANY.withAllowedUuids(uuids);
        if (uuids.isEmpty()) {
            return request;
        }
        if (request instanceof GpuRequest.Share share) {
            return share.withSelector(selector);
        }
        return request instanceof GpuRequest.Exclusive exclusive
                ? new GpuRequest.Exclusive(exclusive.count(), selector)
                : request;
    }
}
