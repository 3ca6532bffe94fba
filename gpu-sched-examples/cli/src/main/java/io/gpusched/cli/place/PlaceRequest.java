package io.gpusched.cli.place;

import io.gpusched.dialect.PodManifest;
import io.gpusched.kubernetes.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Topology;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is to be placed.
 *
 * @param pods single pods, one after the other
 * @param group a group, all at once and before the single pods
 * @param closer a domain that the group goes to if there is room, narrower than the one that it must stay within
 * @param manifests the manifests of the pods, where they came as manifests
 * @param file where all this stands
 */
record PlaceRequest(
        List<Pod> pods,
        Optional<PodGroup> group,
        Optional<Locality> closer,
        Map<PodId, PodManifest> manifests,
        YamlNode file) {
    PlaceRequest(List<Pod> pods, Optional<PodGroup> group, Map<PodId, PodManifest> manifests, YamlNode file) {
        this(pods, group, Optional.empty(), manifests, file);
    }

    /** Returns this with a domain in which the group is tried first. */
    PlaceRequest withCloser(Optional<Locality> value) {
        return new PlaceRequest(pods, group, value, manifests, file);
    }

    /** Returns the group in the ways to be tried one after the other, the closest first. */
    List<PodGroup> ways() {
        List<PodGroup> ways = new ArrayList<>();
        group.flatMap(any -> closer.map(any::withLocality)).ifPresent(ways::add);
        group.ifPresent(ways::add);
        return ways;
    }

    /** Returns a cluster with the labels that the group stays within as levels of its topology. */
    Cluster leveled(Cluster cluster) {
        List<PodGroup> ways = ways();
        return ways.isEmpty() ? cluster : LabelLevels.with(cluster, ways, file);
    }

    /** Returns all pods, those of the group first. */
    List<Pod> all() {
        List<Pod> all = new ArrayList<>();
        group.ifPresent(members -> all.addAll(members.pods()));
        all.addAll(pods);
        return all;
    }

    /**
     * Checks that a cluster can be asked for this at all.
     *
     * @throws io.gpusched.kubernetes.yaml.InputException if a pod runs already or occurs twice, or no node has the
     *     topology level that the group must stay within
     */
    void check(Cluster cluster) {
        Set<PodId> ids = new HashSet<>();
        for (Pod pod : all()) {
            if (!ids.add(pod.id())) {
                throw file.error("pod \"" + pod.id() + "\" occurs twice");
            }
            Optional<Placement> running = cluster.placement(pod.id());
            if (running.isPresent()) {
                throw file.error("pod \"" + pod.id() + "\" already runs on node \""
                        + running.get().node()
                        + "\". Maybe take it out of the cluster file, or give the new pod another name");
            }
        }
        ways().stream()
                .map(PodGroup::locality)
                .filter(locality -> locality.scope() == Locality.Scope.DOMAIN)
                .forEach(locality -> checkLevel(locality.level(), cluster));
    }

    private void checkLevel(String level, Cluster cluster) {
        Set<String> levels = new TreeSet<>();
        cluster.nodes()
                .forEach(node -> node.node().topology().domains().stream()
                        .map(Topology.Domain::level)
                        .forEach(levels::add));
        if (!levels.contains(level)) {
            throw file.nearest("group.locality.level")
                    .error("no node has the topology level \"" + level + "\"; the cluster has "
                            + (levels.isEmpty() ? "none" : String.join(", ", levels)));
        }
    }
}
