package io.gpusched.examples.kubernetes.decide;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.examples.kubernetes.group.GroupCounts;
import io.gpusched.examples.kubernetes.group.GroupKey;
import io.gpusched.examples.kubernetes.group.GroupVocabulary;
import io.gpusched.examples.manifest.ManifestException;
import io.gpusched.examples.manifest.ManifestReader;
import io.gpusched.model.PodId;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts the pods of each group, those that have ended too, which hold nothing any more but belong to its status. */
final class GroupTally {
    /**
     * A pod of a group.
     *
     * @param uid its identity
     * @param phase how far it is, as the kubelet says
     * @param bound whether it has a node
     * @param role its role in the group
     * @param holds what it holds of its node, where the vocabulary tells it
     * @param ours whether it is of this scheduler
     */
    private record Member(
            String uid, String phase, boolean bound, String role, Map<String, BigDecimal> holds, boolean ours) {}

    private final Map<GroupKey, Map<PodId, Member>> groups = new HashMap<>();
    private final Map<PodId, GroupKey> groupOf = new HashMap<>();
    private final Set<GroupKey> changed = new LinkedHashSet<>();

    /** Takes note of a pod, new or changed. */
    void put(PodId id, Pod pod, boolean ours) {
        Optional<GroupKey> group = GroupVocabulary.groupOf(pod);
        GroupKey before = groupOf.get(id);
        if (before != null && !before.equals(group.orElse(null))) {
            remove(before, id);
        }
        group.ifPresent(key -> {
            Member member = member(key, pod, ours);
            groupOf.put(id, key);
            if (!member.equals(
                    groups.computeIfAbsent(key, any -> new HashMap<>()).put(id, member))) {
                changed.add(key);
            }
        });
    }

    private static Member member(GroupKey key, Pod pod, boolean ours) {
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        return new Member(
                pod.getMetadata().getUid(),
                Objects.requireNonNullElse(phase, "Pending"),
                pod.getSpec().getNodeName() != null,
                key.vocabulary()
                        .roleOf(
                                Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of()),
                                Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of())),
                holds(key, pod, phase),
                ours);
    }

    /** What cannot be read is not told; that it is wrong is said of the pod elsewhere. */
    private static Map<String, BigDecimal> holds(GroupKey key, Pod pod, @Nullable String phase) {
        boolean told = key.vocabulary() == GroupVocabulary.T9K;
        if (!told || pod.getSpec().getNodeName() == null || SchedulerState.ENDED.contains(String.valueOf(phase))) {
            return Map.of();
        }
        try {
            return ManifestReader.requests(pod);
        } catch (ManifestException e) {
            return Map.of();
        }
    }

    /** Takes note that a pod is gone; nothing happens if it is not there, or another of its name is. */
    void remove(PodId id, String uid) {
        GroupKey key = groupOf.get(id);
        Member member = key == null ? null : groups.getOrDefault(key, Map.of()).get(id);
        if (key != null && member != null && member.uid().equals(uid)) {
            remove(key, id);
        }
    }

    private void remove(GroupKey key, PodId id) {
        groupOf.remove(id);
        changed.add(key);
        groups.computeIfPresent(key, (any, members) -> {
            members.remove(id);
            return members.isEmpty() ? null : members;
        });
    }

    /** Lets the status of a group be written again. */
    void touch(GroupKey key) {
        changed.add(key);
    }

    /** Returns the groups whose counts changed since this was asked last. */
    List<GroupKey> changed() {
        List<GroupKey> keys = new ArrayList<>(changed);
        changed.clear();
        return keys;
    }

    /** Returns the counts of a group; nothing if it has no pods, or one that another scheduler places. */
    Optional<GroupCounts> counts(GroupKey key) {
        Collection<Member> members = groups.getOrDefault(key, Map.of()).values();
        if (members.isEmpty() || !members.stream().allMatch(Member::ours)) {
            return Optional.empty();
        }
        Map<String, Integer> phases = new HashMap<>();
        Map<String, Integer> roles = new HashMap<>();
        Map<String, BigDecimal> allocated = new HashMap<>();
        int bound = 0;
        for (Member member : members) {
            member.holds().forEach((resource, amount) -> allocated.merge(resource, amount, BigDecimal::add));
            phases.merge(member.phase(), 1, Integer::sum);
            if (!"Failed".equals(member.phase())) {
                roles.merge(member.role(), 1, Integer::sum);
                bound += member.bound() ? 1 : 0;
            }
        }
        return Optional.of(new GroupCounts(
                phases.getOrDefault("Pending", 0),
                bound,
                phases.getOrDefault("Running", 0),
                phases.getOrDefault("Succeeded", 0),
                phases.getOrDefault("Failed", 0),
                phases.getOrDefault("Unknown", 0),
                allocated,
                roles));
    }
}
