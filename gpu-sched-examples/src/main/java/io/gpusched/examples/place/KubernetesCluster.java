package io.gpusched.examples.place;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.examples.manifest.ManifestReader;
import io.gpusched.examples.manifest.UnhonouredConstraints;
import io.gpusched.examples.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a cluster from Kubernetes manifests: nodes, and the pods that run on them. Which GPUs a running pod holds is read
 * from its annotations; where they say nothing it is given the GPUs that the dialect's rule would give.
 */
final class KubernetesCluster {
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final NamedDialect named;
    private final Dialect dialect;
    private final Notes notes;

    KubernetesCluster(NamedDialect named, Notes notes) {
        this.named = named;
        this.dialect = named.dialect();
        this.notes = notes;
    }

    /** Returns the cluster of a file; pods that wait for a node are noted. */
    Cluster read(KubernetesFile file, YamlNode first) {
        file.only("part of a cluster", List.of("Node", "Pod"));
        List<Node> nodes = new ArrayList<>();
        for (YamlNode object : file.ofKind("Node")) {
            nodes.add(object.build(
                    () -> dialect.node(KubernetesFile.read(object, () -> ManifestReader.node(file.node(object))))));
        }
        if (nodes.isEmpty()) {
            throw first.at("kind").error("at least one object must be a Node");
        }
        OpenNodes machines = new OpenNodes(nodes);
        Cluster cluster = first.build(machines::open);
        for (YamlNode object : file.ofKind("Pod")) {
            cluster = with(cluster, object, file.pod(object));
        }
        return machines.close(cluster);
    }

    /** Returns whether a pod has come to its end and holds nothing any more. */
    static boolean hasEnded(Pod pod) {
        return pod.getStatus() != null && ENDED.contains(pod.getStatus().getPhase());
    }

    /** Returns the name of the node that a pod is bound to, or nothing. */
    static String nodeOf(Pod pod) {
        String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
        return node == null ? "" : node;
    }

    private Cluster with(Cluster cluster, YamlNode object, Pod pod) {
        PodManifest manifest = KubernetesFile.read(object, () -> ManifestReader.runningPod(pod));
        if (hasEnded(pod)) {
            return cluster;
        }
        if (nodeOf(pod).isEmpty()) {
            notes.warn(object, "pod \"" + manifest.id() + "\" has no node and is not placed first");
            return cluster;
        }
        notes.unhonoured(object, UnhonouredConstraints.ofRunning(pod, named.resources(), Dialects::isDevice));
        return withRunning(cluster, object, manifest);
    }

    private Cluster withRunning(Cluster cluster, YamlNode object, PodManifest manifest) {
        YamlNode name = object.at("spec").at("nodeName");
        NodeState node = cluster.node(name.text())
                .orElseThrow(() -> name.error("must be a node of this file, got \"" + name.text() + "\""));
        String who = "pod \"" + manifest.id() + "\" runs on node \"" + name.text() + "\"";
        YamlNode at = object.at("metadata");
        cluster.placement(manifest.id()).ifPresent(twin -> {
            throw at.error(who + ", but a pod of this name runs already on node \"" + twin.node() + "\"");
        });
        Placement placement = placement(manifest, node, at, who)
                .orElseThrow(() -> at.error(who + ", but does not fit there with what runs before it"));
        return cluster.with(placement);
    }

    private Optional<Placement> placement(PodManifest manifest, NodeState node, YamlNode at, String who) {
        try {
            return dialect.rule().place(node, BoundPod.of(dialect, manifest, node.node()));
        } catch (RefusedException e) {
            throw at.error(who + ", but " + dialect.name() + " refuses it: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw at.error(String.valueOf(e.getMessage()));
        }
    }
}
