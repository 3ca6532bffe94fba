package io.gpusched.analysis;

import io.gpusched.model.Cluster;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which pods of a cluster are in one group, the widest that each is in. */
final class GangIndex {
    private final Map<Key, List<PodId>> members = new HashMap<>();

    /** A group of a namespace. */
    record Key(String namespace, String name) {}

    GangIndex(Cluster cluster) {
        for (Placement placement : cluster.placements()) {
            placement
                    .group()
                    .ifPresent(group -> members.computeIfAbsent(key(placement.pod(), group), any -> new ArrayList<>())
                            .add(placement.pod()));
        }
    }

    /** The widest group that a pod is in. */
    static Key key(PodId pod, GroupMembership group) {
        List<String> path = group.path();
        return new Key(pod.namespace(), path.get(path.size() - 1));
    }

    /** Returns these placements and those of all other members of their groups, as they are in a cluster now. */
    List<Placement> whole(Cluster cluster, List<Placement> some) {
        Map<PodId, Placement> all = new LinkedHashMap<>();
        for (Placement placement : some) {
            all.put(placement.pod(), placement);
        }
        for (Placement placement : some) {
            placement.group().map(group -> members.get(key(placement.pod(), group))).stream()
                    .flatMap(List::stream)
                    .forEach(pod -> cluster.placement(pod).ifPresent(held -> all.putIfAbsent(pod, held)));
        }
        return List.copyOf(all.values());
    }
}
