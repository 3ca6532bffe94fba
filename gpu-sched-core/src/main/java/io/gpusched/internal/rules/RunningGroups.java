package io.gpusched.internal.rules;

import io.gpusched.model.GroupMembership;
import io.gpusched.model.Placement;
import it.unimi.dsi.fastutil.objects.Object2IntMap;
import it.unimi.dsi.fastutil.objects.Object2IntMaps;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** On which nodes the members of groups run. Not thread-safe. */
final class RunningGroups {
    private final Map<Key, Object2IntOpenHashMap<String>> groups = new HashMap<>();

    /** What members of one group have in common. */
    private record Key(String namespace, List<String> path) {}

    void clear() {
        groups.clear();
    }

    /** Takes note of a member that runs now, or does no more. */
    void count(Placement pod, GroupMembership group, int change) {
        for (GroupMembership one : group.all()) {
            Key key = new Key(pod.pod().namespace(), one.path());
            Object2IntOpenHashMap<String> byNode = groups.computeIfAbsent(key, any -> new Object2IntOpenHashMap<>());
            if (byNode.addTo(pod.node(), change) + change == 0) {
                byNode.removeInt(pod.node());
                if (byNode.isEmpty()) {
                    groups.remove(key);
                }
            }
        }
    }

    /** Returns how many members of a group run on each node on which any do. */
    Object2IntMap<String> byNode(String namespace, GroupMembership group) {
        Object2IntMap<String> byNode = groups.get(new Key(namespace, group.path()));
        return byNode == null ? Object2IntMaps.emptyMap() : byNode;
    }
}
