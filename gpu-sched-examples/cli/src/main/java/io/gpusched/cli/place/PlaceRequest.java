package io.gpusched.cli.place;

import io.gpusched.dialect.PodManifest;
import io.gpusched.manifests.forecast.RunTime;
import io.gpusched.manifests.yaml.YamlNode;
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
import java.util.stream.Stream;

/**
 * What is to be placed.
 *
 * @param pods single pods, one after the other
 * @param groups groups, one after the other and before the single pods
 * @param manifests the manifests of the pods, where they came as manifests
 * @param runTimes how long pods run, as far as they say
 * @param priority the lowest priority of the pods; 0 where they have none
 * @param file where all this stands
 */
record PlaceRequest(
        List<Pod> pods,
        List<AskedGroup> groups,
        Map<PodId, PodManifest> manifests,
        Map<PodId, RunTime> runTimes,
        int priority,
        YamlNode file) {
    private List<PodGroup> ways() {
        return groups.stream().flatMap(group -> group.ways().stream()).toList();
    }

    /** Returns a cluster with the labels that the groups stay within as levels of its topology. */
    Cluster leveled(Cluster cluster) {
        List<PodGroup> ways = ways();
        return ways.isEmpty() ? cluster : LabelLevels.with(cluster, ways, file);
    }

    /** Returns all pods, those of groups first. */
    List<Pod> all() {
        List<Pod> all = new ArrayList<>();
        groups.forEach(asked -> all.addAll(asked.group().pods()));
        all.addAll(pods);
        return all;
    }

    /**
     * Checks that a cluster can be asked for this at all.
     *
     * @throws io.gpusched.manifests.yaml.InputException if a pod runs already or occurs twice, or no node has the
     *     topology level that a group must stay within
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
                .flatMap(PlaceRequest::parts)
                .map(PodGroup::locality)
                .filter(locality -> locality.scope() == Locality.Scope.DOMAIN)
                .forEach(locality -> checkLevel(locality.level(), cluster));
    }

    /** A group and its parts; not the parts where some may be left out. */
    private static Stream<PodGroup> parts(PodGroup group) {
        int least = group.minGroups();
        boolean mayLeaveOut = least > 0 && least < group.groups().size();
        Stream<PodGroup> parts = mayLeaveOut ? Stream.empty() : group.groups().stream();
        return Stream.concat(Stream.of(group), parts.flatMap(PlaceRequest::parts));
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
