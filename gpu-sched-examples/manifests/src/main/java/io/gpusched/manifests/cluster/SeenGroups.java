package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupLocality;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.view.RunningPod;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Placement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which groups the running pods of a cluster belong to, so that a drain keeps together what must stay together. */
public final class SeenGroups {
    private final Map<GroupKey, GroupLocality> localities = new HashMap<>();
    private final Map<String, Set<GroupKey>> byName = new HashMap<>();

    SeenGroups(List<GenericKubernetesResource> groups) {
        for (GenericKubernetesResource group : groups) {
            spec(group).ifPresent(spec -> localities.put(spec.key(), spec.locality()));
        }
    }

    /** Returns the cluster with the group of each pod at its placement, and what the pod may use. A group that is not known may be anywhere. */
    Cluster in(Cluster cluster, List<Pod> running, UsableDevices usable) {
        ClusterBatch batch = cluster.batch();
        running.forEach(pod -> GroupVocabulary.groupOf(pod)
                .ifPresent(key -> byName.computeIfAbsent(key.name(), any -> new HashSet<>())
                        .add(key)));
        for (Pod pod : running) {
            Optional<Placement> placement = cluster.placement(SeenCluster.idOf(pod));
            if (placement.isPresent()) {
                Placement held = placement.get();
                Placement now = usable.running(
                        held,
                        cluster.node(held.node()).orElseThrow(),
                        () -> RunningPod.of(pod).manifest(),
                        cluster);
                Optional<GroupKey> key = GroupVocabulary.groupOf(pod);
                now = key.isPresent() ? now.withGroup(membership(key.get())) : now;
                if (!now.equals(held)) {
                    batch.release(held.pod()).placeRunning(now);
                }
            }
        }
        return batch.build();
    }

    private Optional<GroupMembership> membership(GroupKey key) {
        return Optional.of(GroupMembership.of(
                name(key), localities.getOrDefault(key, GroupLocality.ANYWHERE).widest()));
    }

    /** Groups of one name in several namespaces are not one group. */
    private String name(GroupKey key) {
        return byName.getOrDefault(key.name(), Set.of()).size() > 1 ? key.toString() : key.name();
    }

    /** Returns what a group object demands; empty if no known API defines it. */
    public static Optional<GroupSpec> spec(GenericKubernetesResource object) {
        return GroupVocabulary.ofApi(String.valueOf(object.getApiVersion())).map(vocabulary -> vocabulary.read(object));
    }
}
