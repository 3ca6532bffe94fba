package io.gpusched.internal.rules;

import io.gpusched.model.GroupMembership;
import io.gpusched.model.Placement;
import it.unimi.dsi.fastutil.objects.Object2IntMap;
import it.unimi.dsi.fastutil.objects.Object2IntMaps;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** On which nodes the members of groups run. Not thread-safe. */
final class RunningGroups {
    private final Map<Key, Members> groups = new HashMap<>();

    /** The group of the pod that was counted last and those around it; members of one group mostly come and go together. */
    private List<Members> latest = List.of();

    private @Nullable GroupMembership latestGroup;
    private String latestNamespace = "";

    /** What members of one group have in common. */
    private record Key(String namespace, List<String> path) {}

    /** How many members of a group run on each node on which any do. */
    private record Members(Key key, Object2IntOpenHashMap<String> byNode) {}

    void clear() {
        groups.clear();
        latestGroup = null;
    }

    /** Takes note of a member that runs now, or does no more. */
    void count(Placement pod, GroupMembership group, int change) {
        for (Members members : members(pod.pod().namespace(), group)) {
            if (members.byNode.addTo(pod.node(), change) + change == 0) {
                members.byNode.removeInt(pod.node());
                if (members.byNode.isEmpty()) {
                    groups.remove(members.key);
                    latestGroup = null;
                }
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // quicker than to compare all names
    private List<Members> members(String namespace, GroupMembership group) {
        if (group != latestGroup || !namespace.equals(latestNamespace)) {
            List<Members> found = new ArrayList<>();
            for (GroupMembership one : group.all()) {
                Key key = new Key(namespace, one.path());
                found.add(groups.computeIfAbsent(key, known -> new Members(known, new Object2IntOpenHashMap<>())));
            }
            latest = found;
            latestGroup = group;
            latestNamespace = namespace;
        }
        return latest;
    }

    /** Returns how many members of a group run on each node on which any do. */
    Object2IntMap<String> byNode(String namespace, GroupMembership group) {
        Members members = groups.get(new Key(namespace, group.path()));
        return members == null ? Object2IntMaps.emptyMap() : members.byNode;
    }
}
