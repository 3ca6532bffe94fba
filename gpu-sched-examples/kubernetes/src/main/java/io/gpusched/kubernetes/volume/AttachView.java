package io.gpusched.kubernetes.volume;

import io.gpusched.dialect.PodManifest;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The cluster as it is for those who share volumes. What a pod takes of a node's attach limit depends on what is attached there
 * already, which no fixed amount can say. So the amount is fixed, and the nodes are made to differ:
 *
 * <ul>
 *   <li>For one pod, which asks for all its volumes, a node has so many more free as are attached to it already.
 *   <li>For members of a group, the volumes that all of them share are set aside on every node that limits them and lacks them,
 *       once each; members ask for the others only. A node that cannot attach them is shut by a label.
 * </ul>
 *
 * A snapshot costs O(nodes to which the volumes are attached) for a pod and O(nodes with a limit) for a group. Not thread-safe.
 */
public final class AttachView {
    private final AttachLimits limits;
    private final AttachedVolumes attached;

    /** Creates a view of what is attached at the time when it is asked. */
    public AttachView(AttachLimits limits, AttachedVolumes attached) {
        this.limits = limits;
        this.attached = attached;
    }

    /** Returns the cluster for one pod that asks for all of these volumes. */
    public Cluster forPod(Cluster cluster, Set<CsiVolume> volumes) {
        Set<String> nodes = attached.nodesOf(volumes);
        if (nodes.isEmpty()) {
            return cluster;
        }
        ClusterBatch batch = cluster.batch();
        for (String name : nodes) {
            cluster.node(name).ifPresent(state -> batch.replaceNode(more(state.node(), here(name, volumes))));
        }
        return batch.build();
    }

    private Set<CsiVolume> here(String node, Set<CsiVolume> volumes) {
        return volumes.stream()
                .filter(volume -> attached.isAttached(node, volume))
                .collect(Collectors.toSet());
    }

    private static Node more(Node node, Set<CsiVolume> volumes) {
        Node.Builder builder = node.toBuilder();
        AttachedVolumes.amounts(volumes)
                .forEach((resource, amount) ->
                        builder.resource(resource, node.capacity().amount(resource) + amount));
        return builder.build();
    }

    /** Returns the cluster for a group whose members ask for their volumes without these, which all of them share. */
    public Cluster forGroup(Cluster cluster, Set<CsiVolume> common) {
        return common.isEmpty() ? cluster : forGroup(cluster, common, limits.limiting(drivers(common)));
    }

    /** Returns the same for a group that goes to some nodes alone; the others are left as they are. */
    public Cluster forGroup(Cluster cluster, Set<CsiVolume> common, Collection<String> nodes) {
        if (common.isEmpty()) {
            return cluster;
        }
        Set<String> drivers = drivers(common);
        ClusterBatch batch = cluster.batch();
        for (String name : nodes) {
            if (!limits.isLimiting(name, drivers)) {
                continue;
            }
            Set<CsiVolume> lacking = new HashSet<>(common);
            lacking.removeAll(here(name, common));
            cluster.node(name)
                    .filter(state -> !lacking.isEmpty())
                    .ifPresent(state -> batch.replaceNode(less(state, lacking)));
        }
        return batch.build();
    }

    private static Node less(NodeState state, Set<CsiVolume> lacking) {
        Node.Builder builder = state.node().toBuilder();
        AttachedVolumes.amounts(lacking).forEach((resource, amount) -> {
            if (state.freeNamed().amount(resource) < amount) {
                builder.label(resource, "exceeded");
            } else {
                builder.resource(resource, state.node().capacity().amount(resource) - amount);
            }
        });
        return builder.build();
    }

    /** Returns a member of a group as it asks on {@link #forGroup}. */
    public static PodManifest member(PodManifest pod, Set<CsiVolume> volumes, Set<CsiVolume> common) {
        if (common.isEmpty()) {
            return pod;
        }
        Set<CsiVolume> own = new HashSet<>(volumes);
        own.removeAll(common);
        NodeSelector open = NodeSelector.ANY;
        for (String driver : drivers(common)) {
            open = open.and(NodeSelector.all(new NodeRequirement(
                    AttachLimits.resource(driver), NodeRequirement.Operator.DOES_NOT_EXIST, List.of())));
        }
        return AttachLimits.with(pod, Map.copyOf(AttachedVolumes.amounts(own))).onNodes(open);
    }

    private static Set<String> drivers(Set<CsiVolume> volumes) {
        return volumes.stream().map(CsiVolume::driver).collect(Collectors.toCollection(TreeSet::new));
    }
}
