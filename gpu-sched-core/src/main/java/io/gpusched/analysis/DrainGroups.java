package io.gpusched.analysis;

import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.model.Cluster;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodGroup.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Pods that move, as one group to be placed: the pods of a group that moves as a whole are a group in it, and may go together to wherever
 * its locality is met; if members of a group stay, its others are single pods that have to go near these.
 */
final class DrainGroups {
    private static final String NAME = "drain";

    /** Where members of groups stay; nowhere if no group is to be close. */
    private final RuleCounts staying;

    private final Part root = new Part(Locality.ANYWHERE);
    private final Map<PodId, Optional<GroupMembership>> groups = new HashMap<>();

    /** A group of pods and groups that move. */
    private static final class Part {
        private final Locality locality;
        private final List<Pod> pods = new ArrayList<>();
        private final Map<InNamespace, Part> parts = new LinkedHashMap<>();

        Part(Locality locality) {
            this.locality = locality;
        }

        PodGroup group(String name) {
            List<PodGroup> inside = new ArrayList<>();
            parts.values().forEach(part -> inside.add(part.group("group-" + inside.size())));
            List<Role> roles = pods.isEmpty() ? List.of() : List.of(new Role("pod", pods.size(), pods));
            int all = pods.size()
                    + inside.stream().mapToInt(group -> group.pods().size()).sum();
            return new PodGroup(name, all, roles, locality, inside, inside.size());
        }
    }

    private record InNamespace(String namespace, GroupMembership group) {}

    /**
     * @param pods the pods that move, with their groups
     * @param rest the snapshot without them
     */
    DrainGroups(List<Pod> pods, Cluster rest) {
        boolean areClose = pods.stream().anyMatch(pod -> isClose(pod.group()));
        staying = areClose ? RuleCounts.of(rest) : RuleCounts.create();
        pods.forEach(this::add);
    }

    private static boolean isClose(Optional<GroupMembership> group) {
        return group.isPresent() && group.get().all().stream().anyMatch(DrainGroups::isClose);
    }

    private static boolean isClose(GroupMembership group) {
        return group.locality().scope() != Locality.Scope.ANYWHERE;
    }

    private void add(Pod pod) {
        groups.put(pod.id(), pod.group());
        String namespace = pod.id().namespace();
        List<GroupMembership> whole = new ArrayList<>();
        Optional<GroupMembership> split = pod.group();
        while (split.isPresent() && staying.running(namespace, split.get()).isEmpty()) {
            whole.add(0, split.get());
            split = split.get().around();
        }
        Part part = root;
        for (GroupMembership group : whole) {
            if (isClose(group)) {
                part = part.parts.computeIfAbsent(new InNamespace(namespace, group), any -> new Part(group.locality()));
            }
        }
        part.pods.add(pod.withGroup(isClose(split) ? split : Optional.empty()));
    }

    /** Returns the group of all pods. */
    PodGroup all() {
        return root.group(NAME);
    }

    /** Returns the groups and the single pods, each to be placed alone. */
    List<PodGroup> each() {
        List<PodGroup> each = new ArrayList<>(all().groups());
        root.pods.forEach(pod -> each.add(PodGroup.of(NAME, List.of(pod))));
        return each;
    }

    /** Returns placements of these pods as members of their own groups. */
    List<Placement> ofTheirGroups(List<Placement> placements) {
        return placements.stream()
                .map(placement -> placement.withGroup(groups.getOrDefault(placement.pod(), Optional.empty())))
                .toList();
    }
}
