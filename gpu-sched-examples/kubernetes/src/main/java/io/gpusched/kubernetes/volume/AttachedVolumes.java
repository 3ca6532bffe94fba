package io.gpusched.kubernetes.volume;

import io.gpusched.model.PodId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which volumes are attached to which node, and which pods are charged with them. A node attaches a volume once, so of all pods there
 * that use it only the one that came first is charged; when it leaves, the next one is. The charges of the pods of a node
 * add up to its distinct volumes. Each change costs O(volumes of the pod). Not thread-safe.
 */
public final class AttachedVolumes {
    private record User(String node, Set<CsiVolume> volumes) {}

    private final Map<PodId, User> users = new HashMap<>();
    private final Map<String, Map<CsiVolume, Set<PodId>>> byNode = new HashMap<>();
    private final Map<CsiVolume, Set<String>> nodes = new HashMap<>();

    /**
     * Takes note that a pod uses volumes on a node, and no others any more.
     *
     * @return the other pods whose charge changed by that
     */
    public Set<PodId> put(PodId pod, String node, Set<CsiVolume> volumes) {
        Set<PodId> charged = new TreeSet<>();
        User before = users.get(pod);
        if (before != null) {
            before.volumes().stream()
                    .filter(volume -> !before.node().equals(node) || !volumes.contains(volume))
                    .forEach(volume -> detach(pod, before.node(), volume, charged));
        }
        volumes.forEach(volume -> attach(pod, node, volume));
        if (volumes.isEmpty()) {
            users.remove(pod);
        } else {
            users.put(pod, new User(node, Set.copyOf(volumes)));
        }
        return charged;
    }

    /**
     * Takes note that a pod uses no volumes any more.
     *
     * @return the other pods whose charge changed by that
     */
    public Set<PodId> remove(PodId pod) {
        return put(pod, "", Set.of());
    }

    private void attach(PodId pod, String node, CsiVolume volume) {
        byNode.computeIfAbsent(node, any -> new HashMap<>())
                .computeIfAbsent(volume, any -> new LinkedHashSet<>())
                .add(pod);
        nodes.computeIfAbsent(volume, any -> new HashSet<>()).add(node);
    }

    private void detach(PodId pod, String node, CsiVolume volume, Set<PodId> charged) {
        Map<CsiVolume, Set<PodId>> here = byNode.get(node);
        Set<PodId> sharing = here == null ? null : here.get(volume);
        if (here == null || sharing == null) {
            return;
        }
        boolean wasCharged = pod.equals(first(sharing));
        sharing.remove(pod);
        PodId next = first(sharing);
        if (next != null) {
            if (wasCharged) {
                charged.add(next);
            }
            return;
        }
        here.remove(volume);
        if (here.isEmpty()) {
            byNode.remove(node);
        }
        nodes.computeIfPresent(volume, (any, all) -> {
            all.remove(node);
            return all.isEmpty() ? null : all;
        });
    }

    private static @Nullable PodId first(Set<PodId> pods) {
        Iterator<PodId> each = pods.iterator();
        return each.hasNext() ? each.next() : null;
    }

    /** Returns what a pod is charged with, by the name of the resource. */
    public Map<String, Long> charge(PodId pod) {
        User user = users.get(pod);
        if (user == null) {
            return Map.of();
        }
        Set<CsiVolume> charged = new HashSet<>();
        Map<CsiVolume, Set<PodId>> here = byNode.getOrDefault(user.node(), Map.of());
        for (CsiVolume volume : user.volumes()) {
            if (pod.equals(first(here.getOrDefault(volume, Set.of())))) {
                charged.add(volume);
            }
        }
        return amounts(charged);
    }

    /** Returns what a pod would be charged with if it came to a node now, by the name of the resource. */
    public Map<String, Long> lacking(String node, Set<CsiVolume> volumes) {
        Set<CsiVolume> lacking = new HashSet<>(volumes);
        lacking.removeIf(volume -> isAttached(node, volume));
        return amounts(lacking);
    }

    /** Returns how many volumes there are of each driver, by the name of the resource. */
    public static Map<String, Long> amounts(Set<CsiVolume> volumes) {
        Map<String, Long> amounts = new TreeMap<>();
        volumes.forEach(volume -> amounts.merge(AttachLimits.resource(volume.driver()), 1L, Long::sum));
        return amounts;
    }

    /** Returns whether a volume is attached to any node. */
    public boolean isAttached(CsiVolume volume) {
        return nodes.containsKey(volume);
    }

    /** Returns whether a volume is attached to a node. */
    boolean isAttached(String node, CsiVolume volume) {
        return nodes.getOrDefault(volume, Set.of()).contains(node);
    }
}
