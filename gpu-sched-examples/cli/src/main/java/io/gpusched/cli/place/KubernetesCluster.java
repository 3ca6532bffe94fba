package io.gpusched.cli.place;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.cli.job.PodSource;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.manifests.dialect.BoundPod;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.dialect.ResidentPods;
import io.gpusched.manifests.grant.GrantAnnotations;
import io.gpusched.manifests.grant.GrantedPods;
import io.gpusched.manifests.objects.ManifestReader;
import io.gpusched.manifests.objects.UnhonouredConstraints;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.schedule.GpuScheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a cluster from Kubernetes manifests: nodes, and the pods that run on them. Which GPUs a running pod holds is read
 * from its grant by {@code kube} if it has one, else from its dialect's annotations; where they say nothing it is given the GPUs that the dialect's rule would give.
 */
final class KubernetesCluster {
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final NamedDialect named;
    private final Dialect dialect;
    private final Notes notes;

    /** The resources that nodes report and that are counted by name. */
    private final Set<String> counted = new HashSet<>();

    KubernetesCluster(NamedDialect named, Notes notes) {
        this.named = named;
        this.dialect = named.dialect();
        this.notes = notes;
    }

    /** Returns the cluster of a file; pods that wait for a node are noted. */
    Cluster read(KubernetesFile file, YamlNode first) {
        file.only("part of a cluster", kinds(file));
        RunningGroups groups = new RunningGroups(file);
        List<Node> nodes = new ArrayList<>();
        for (YamlNode object : file.ofKind("Node")) {
            nodes.add(object.build(() ->
                    dialect.node(KubernetesFile.read(object, () -> ManifestReader.node(file.node(object)))
                            .counting(named::isCounted))));
        }
        if (nodes.isEmpty()) {
            throw first.at("kind").error("at least one object must be a Node");
        }
        List<PodSource> pods = new ArrayList<>();
        for (YamlNode object : file.ofKind("Pod")) {
            pods.add(new PodSource(object, file.pod(object)));
        }
        Map<String, List<PodManifest>> residents = residents(pods, nodes);
        nodes.replaceAll(node -> ResidentPods.with(node, residents.getOrDefault(node.name(), List.of())));
        OpenNodes machines = new OpenNodes(nodes, running(pods));
        Cluster cluster = withNamespaces(first.build(machines::open), file, pods);
        counted.addAll(NamedDialect.counted(cluster));
        for (boolean told : List.of(true, false)) {
            for (PodSource pod : pods) {
                boolean now = !isResident(pod) && tellsGpus(pod, cluster) == told;
                cluster = now ? with(cluster, pod.at(), pod.pod(), groups) : cluster;
            }
        }
        return machines.close(cluster);
    }

    /** A Job that has started tells when its pods end, which are in the file too; another one is not part of a cluster. */
    private static List<String> kinds(KubernetesFile file) {
        boolean haveStarted =
                file.ofKind("Job").stream().allMatch(job -> job.at("status").isPresent());
        return haveStarted
                ? List.of("Job", "Namespace", "Node", "Pod", "PodGroup")
                : List.of("Namespace", "Node", "Pod", "PodGroup");
    }

    /** Whether it is said which GPUs a running pod holds; those go first, so that no other is given them. */
    private boolean tellsGpus(PodSource pod, Cluster cluster) {
        PodManifest manifest = manifest(pod);
        Optional<NodeState> node = cluster.node(nodeOf(pod.pod()));
        try {
            return manifest.annotations().containsKey(GrantAnnotations.GRANT)
                    || node.isPresent()
                            && BoundPod.namesGpus(dialect, manifest, node.get().node());
        } catch (IllegalArgumentException e) {
            return true; // it tells something, which is refused when its turn comes
        }
    }

    private Map<String, Integer> running(List<PodSource> pods) {
        Map<String, Integer> running = new HashMap<>();
        for (PodSource pod : pods) {
            if (!hasEnded(pod.pod()) && !isResident(pod)) {
                running.merge(nodeOf(pod.pod()), 1, Integer::sum);
            }
        }
        return running;
    }

    /** The pods that are a part of their nodes, by node. */
    private Map<String, List<PodManifest>> residents(List<PodSource> pods, List<Node> nodes) {
        Map<String, List<PodManifest>> residents = new HashMap<>();
        Set<PodId> met = new HashSet<>();
        for (PodSource pod : pods) {
            if (isResident(pod)) {
                YamlNode name = pod.at().at("spec").at("nodeName");
                if (nodes.stream().noneMatch(node -> node.name().equals(name.text()))) {
                    throw name.error("must be a node of this file, got \"" + name.text() + "\"");
                }
                PodManifest manifest = manifest(pod);
                if (!met.add(manifest.id())) {
                    throw pod.at().at("metadata").error("pod \"" + manifest.id() + "\" occurs twice");
                }
                notes.unhonoured(
                        pod.at(), UnhonouredConstraints.ofRunning(pod.pod(), named.resources(), Dialects::isDevice));
                residents.computeIfAbsent(name.text(), any -> new ArrayList<>()).add(manifest);
            }
        }
        return residents;
    }

    private boolean isResident(PodSource pod) {
        return !hasEnded(pod.pod())
                && !nodeOf(pod.pod()).isEmpty()
                && ResidentPods.isOfNode(pod.pod())
                && ResidentPods.asksForNoGpus(manifest(pod), named::isCounted);
    }

    private static PodManifest manifest(PodSource pod) {
        return KubernetesFile.read(pod.at(), () -> ManifestReader.runningPod(pod.pod()));
    }

    /** The namespaces of a file, and those that its pods are in: of these nothing but the name is known. */
    private static Cluster withNamespaces(Cluster cluster, KubernetesFile file, List<PodSource> pods) {
        Cluster with = cluster;
        for (PodSource pod : pods) {
            String name = KubernetesFile.read(pod.at(), () -> ManifestReader.pod(pod.pod()))
                    .id()
                    .namespace();
            with = with.withNamespace(name, ManifestReader.namespaceLabels(name, Map.of()));
        }
        for (YamlNode object : file.ofKind("Namespace")) {
            String name = object.need("metadata").need("name").text();
            Map<String, String> labels =
                    file.bind(object, Namespace.class).getMetadata().getLabels();
            with = with.withNamespace(
                    name, ManifestReader.namespaceLabels(name, Objects.requireNonNullElse(labels, Map.of())));
        }
        return with;
    }

    /** Returns whether a pod has come to its end and holds nothing any more. */
    static boolean hasEnded(Pod pod) {
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        return phase != null && ENDED.contains(phase);
    }

    /** Returns the name of the node that a pod is bound to, or nothing. */
    static String nodeOf(Pod pod) {
        String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
        return node == null ? "" : node;
    }

    private Cluster with(Cluster cluster, YamlNode object, Pod pod, RunningGroups groups) {
        PodManifest asked = KubernetesFile.read(object, () -> ManifestReader.runningPod(pod));
        PodManifest manifest = object.build(() -> asked.counting(counted::contains));
        if (hasEnded(pod)) {
            return cluster;
        }
        if (nodeOf(pod).isEmpty()) {
            notes.warn(object, "pod \"" + manifest.id() + "\" ", "has no node and is not placed first");
            return cluster;
        }
        notes.unhonoured(object, UnhonouredConstraints.ofRunning(pod, named.resources(), Dialects::isDevice));
        return withRunning(cluster, object, manifest, groups.of(pod));
    }

    private Cluster withRunning(
            Cluster cluster, YamlNode object, PodManifest manifest, Optional<GroupMembership> group) {
        YamlNode name = object.at("spec").at("nodeName");
        NodeState node = cluster.node(name.text())
                .orElseThrow(() -> name.error("must be a node of this file, got \"" + name.text() + "\""));
        String who = "pod \"" + manifest.id() + "\" runs on node \"" + name.text() + "\"";
        YamlNode at = object.at("metadata");
        cluster.placement(manifest.id()).ifPresent(running -> {
            throw at.error(who + ", but a pod of this name runs already on node \"" + running.node() + "\"");
        });
        Placement placement = placement(manifest, node, at, who).withGroup(group);
        try {
            return cluster.with(placement);
        } catch (PlacementConflictException e) {
            throw at.error(who + ", but what it holds there is not free: " + e.getMessage());
        }
    }

    /** By the dialect's policy; it may forbid by now what was allowed when the pod was placed. */
    private Optional<Placement> place(NodeState node, io.gpusched.workload.Pod pod) {
        return GpuScheduler.builder()
                .policy(dialect.policy())
                .memory(0)
                .build()
                .place(node, pod)
                .or(() -> GpuScheduler.create().place(node, pod));
    }

    /** Where there is too little for what runs, it holds what there is: nothing is left for others. */
    private Placement placement(PodManifest manifest, NodeState node, YamlNode at, String who) {
        try {
            Optional<Placement> granted = GrantedPods.placement(manifest, node, dialect);
            if (granted.isPresent()) {
                return granted.get();
            }
            io.gpusched.workload.Pod pod = BoundPod.of(dialect, manifest, node.node());
            Optional<Placement> placement = place(node, pod);
            if (placement.isPresent()) {
                return BoundPod.withPartitions(dialect, manifest, node.node(), placement.get());
            }
            Placement held = place(node, BoundPod.within(node, pod))
                    .orElseThrow(() -> at.error(who + ", but does not fit there with what runs before it"));
            notes.warn(
                    at,
                    who
                            + ", which has too little CPU or memory, too few GPUs, or too little of another resource for what runs there; it holds what is left");
            return BoundPod.withPartitions(dialect, manifest, node.node(), held);
        } catch (RefusedException e) {
            throw at.error(who + ", but " + dialect.name() + " refuses it: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw at.error(String.valueOf(e.getMessage()));
        }
    }
}
