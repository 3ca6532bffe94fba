package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.manifests.group.GroupCounts;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.objects.ManifestException;
import io.gpusched.manifests.objects.ManifestReader;
import io.gpusched.model.PodId;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts the pods of each group, also ended ones, which hold nothing any more but belong to its status. */
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

    /** The members of a group, counted as they come and go: a large group changes as often as it has pods. */
    private static final class Tally {
        final Map<PodId, Member> members = new HashMap<>();
        private final Map<String, Integer> phases = new HashMap<>();
        private final Map<String, Integer> roles = new HashMap<>();
        private final Map<String, BigDecimal> allocated = new HashMap<>();
        private int bound;
        private int foreign;

        boolean put(PodId id, Member member) {
            Member before = members.put(id, member);
            if (member.equals(before)) {
                return false;
            }
            count(before, -1);
            count(member, 1);
            return true;
        }

        void remove(PodId id) {
            count(members.remove(id), -1);
        }

        private void count(@Nullable Member member, int difference) {
            if (member == null) {
                return;
            }
            add(phases, member.phase(), difference);
            BigDecimal sign = BigDecimal.valueOf(difference);
            member.holds().forEach((resource, amount) -> add(resource, amount.multiply(sign)));
            foreign += member.ours() ? 0 : difference;
            if (!"Failed".equals(member.phase())) {
                add(roles, member.role(), difference);
                bound += member.bound() ? difference : 0;
            }
        }

        private static void add(Map<String, Integer> counts, String key, int difference) {
            int count = counts.getOrDefault(key, 0) + difference;
            if (count == 0) {
                counts.remove(key);
            } else {
                counts.put(key, count);
            }
        }

        private void add(String resource, BigDecimal difference) {
            allocated.merge(resource, difference, (one, other) -> {
                BigDecimal sum = one.add(other);
                return sum.signum() == 0 ? null : sum;
            });
        }

        Optional<GroupCounts> counts() {
            return foreign > 0
                    ? Optional.empty()
                    : Optional.of(new GroupCounts(
                            phases.getOrDefault("Pending", 0),
                            bound,
                            phases.getOrDefault("Running", 0),
                            phases.getOrDefault("Succeeded", 0),
                            phases.getOrDefault("Failed", 0),
                            phases.getOrDefault("Unknown", 0),
                            allocated,
                            new HashMap<>(roles)));
        }
    }

    private final Map<GroupKey, Tally> groups = new HashMap<>();
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
            if (groups.computeIfAbsent(key, any -> new Tally()).put(id, member)) {
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
        if (!told || pod.getSpec().getNodeName() == null || PodLives.ENDED.contains(String.valueOf(phase))) {
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
        Tally tally = key == null ? null : groups.get(key);
        Member member = tally == null ? null : tally.members.get(id);
        if (key != null && member != null && member.uid().equals(uid)) {
            remove(key, id);
        }
    }

    private void remove(GroupKey key, PodId id) {
        groupOf.remove(id);
        changed.add(key);
        groups.computeIfPresent(key, (any, tally) -> {
            tally.remove(id);
            return tally.members.isEmpty() ? null : tally;
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
        Tally tally = groups.get(key);
        return tally == null ? Optional.empty() : tally.counts();
    }
}
