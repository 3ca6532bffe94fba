package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.ContainerExtendedResourceRequest;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.model.PodId;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What an API server does with pods, nodes and bindings, in memory; every change is told to all who watch. */
final class FakeApi {
    final Map<String, Node> nodes = new TreeMap<>();
    final Map<String, Pod> pods = new TreeMap<>();
    final Map<GroupKey, GroupSpec> groups = new HashMap<>();
    final List<List<Change>> watchers = new ArrayList<>();

    /** Every pod there ever was by its UID; of two of one name, the first may have gone without a word. */
    private final Map<String, PodId> created = new LinkedHashMap<>();

    private final Set<String> removed = new TreeSet<>();

    /** All that was ever told, in its order. */
    final List<Change> told = new ArrayList<>();

    int bindings;
    private long version = 100;

    /** Returns a scheduler of the nodes of one dialect, at a fixed time. */
    static SchedulerState scheduler(String dialect) {
        Clock clock = Clock.fixed(Instant.ofEpochSecond(1_777_636_800), ZoneOffset.UTC);
        DialectSet dialects = new DialectSet(List.of(Dialects.find(dialect).orElseThrow()));
        return new SchedulerState(
                dialects, Scope.of("gpu-sched"), new Backoff(1_000, 10_000), 600_000, clock, QueueSettings.NONE);
    }

    /** Returns a pod as one that kube bound to a node, of which it holds the first GPU. */
    Pod bound(String name, String node) {
        return new PodBuilder(pods.get(name))
                .editMetadata()
                .addToAnnotations(
                        "gpu-sched.io/grant",
                        "{\"version\":1,\"node\":\"" + node + "\",\"containers\":{\"main\":{\"gpus\":[\"" + node
                                + "-gpu-0\"]}}}")
                .endMetadata()
                .editSpec()
                .withNodeName(node)
                .endSpec()
                .build();
    }

    List<Change> watch() {
        List<Change> changes = list();
        watchers.add(changes);
        return changes;
    }

    /** What a watch tells that has missed something and reads all anew: what is gone, and what is there. */
    List<Change> list() {
        List<Change> changes = new ArrayList<>();
        List<String> there =
                pods.values().stream().map(pod -> pod.getMetadata().getUid()).toList();
        created.forEach((uid, id) -> {
            if (!there.contains(uid)) {
                changes.add(new Change.PodGone(id, uid));
            }
        });
        removed.stream()
                .filter(name -> !nodes.containsKey(name))
                .forEach(name -> changes.add(new Change.NodeGone(name)));
        nodes.values().forEach(node -> changes.add(new Change.NodePut(node)));
        pods.values().forEach(pod -> changes.add(new Change.PodPut(pod)));
        groups.values().forEach(group -> changes.add(new Change.GroupPut(group, Map.of(), "1")));
        return changes;
    }

    private void tell(Change change) {
        told.add(change);
        watchers.forEach(changes -> changes.add(change));
    }

    void put(Node node) {
        nodes.put(node.getMetadata().getName(), node);
        tell(new Change.NodePut(node));
    }

    void removeNode(String name) {
        nodes.remove(name);
        removed.add(name);
        tell(new Change.NodeGone(name));
    }

    void put(GroupSpec group) {
        groups.put(group.key(), group);
        tell(new Change.GroupPut(group, Map.of(), "1"));
    }

    void create(Pod pod) {
        String name = pod.getMetadata().getName();
        version++;
        String uid = name + "-" + version;
        created.put(uid, new PodId("default", name));
        store(new PodBuilder(pod)
                .editMetadata()
                .withUid(uid)
                .withResourceVersion(String.valueOf(version))
                .endMetadata()
                .build());
    }

    private void store(Pod pod) {
        pods.put(pod.getMetadata().getName(), pod);
        tell(new Change.PodPut(pod));
    }

    /** Someone else changes a label of a pod. */
    void relabel(String name) {
        version++;
        store(new PodBuilder(pods.get(name))
                .editMetadata()
                .withResourceVersion(String.valueOf(version))
                .addToLabels("changed", String.valueOf(version))
                .endMetadata()
                .build());
    }

    /** Someone writes a pod. */
    void replace(Pod pod) {
        version++;
        store(new PodBuilder(pod)
                .editMetadata()
                .withResourceVersion(String.valueOf(version))
                .endMetadata()
                .build());
    }

    void delete(String name) {
        Pod pod = pods.remove(name);
        tell(new Change.PodGone(new PodId("default", name), pod.getMetadata().getUid()));
    }

    /** A pod that knows the claim which stands for its extended resources. */
    private static Pod told(Pod pod, Binding binding) {
        return binding.devices().stream()
                .filter(claim -> claim.extended().isPresent())
                .map(claim -> new PodBuilder(pod)
                        .editOrNewStatus()
                        .withNewExtendedResourceClaimStatus()
                        .withResourceClaimName(claim.name())
                        .withRequestMappings(claim.extended().orElseThrow().mappings().stream()
                                .map(one -> new ContainerExtendedResourceRequest(
                                        one.container(), one.request(), one.resource()))
                                .toList())
                        .endExtendedResourceClaimStatus()
                        .endStatus()
                        .build())
                .findFirst()
                .orElse(pod);
    }

    /** Returns what stands against a binding; nothing if it was written. */
    Optional<Change> bind(Binding binding) {
        Pod pod = pods.get(binding.pod().id().name());
        boolean same = pod != null
                && pod.getMetadata().getUid().equals(binding.pod().uid())
                && pod.getMetadata()
                        .getResourceVersion()
                        .equals(binding.pod().object().getMetadata().getResourceVersion())
                && pod.getSpec().getNodeName() == null;
        if (!same) {
            return Optional.of(
                    new Change.NotBound(binding.pod().id(), binding.pod().uid(), "conflict"));
        }
        bindings++;
        version++;
        store(new PodBuilder(told(pod, binding))
                .editMetadata()
                .withResourceVersion(String.valueOf(version))
                .addToAnnotations(binding.write().annotations())
                .endMetadata()
                .editSpec()
                .withNodeName(binding.placement().node())
                .endSpec()
                .build());
        return Optional.empty();
    }
}
