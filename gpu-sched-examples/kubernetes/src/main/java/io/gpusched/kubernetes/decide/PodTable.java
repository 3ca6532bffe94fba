package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The pods that wait, are about to be bound, or run; the members of each group and the pods of each claim. */
final class PodTable {
    private static final int MOST_GONE = 10_000;

    private final Map<PodId, PodRow> rows = new HashMap<>();
    private final Map<GroupKey, Members> groups = new HashMap<>();
    private final Map<String, Integer> claimUsers = new HashMap<>();
    private final Map<PodId, PodRow> binding = new TreeMap<>();
    private int waiting;
    private final Set<PodId> claiming = new TreeSet<>();

    /** Identities of pods that are gone, so that what is said of them late is known to be late. */
    private final Map<String, Boolean> gone = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST_GONE;
        }
    };

    @Nullable
    PodRow row(PodId id) {
        return rows.get(id);
    }

    /** Whether something newer was said of the same pod already. */
    boolean isLate(Pod pod) {
        String uid = pod.getMetadata().getUid();
        PodRow row = rows.get(Unit.idOf(pod));
        return gone.containsKey(uid) || row != null && row.uid().equals(uid) && version(pod) < row.version();
    }

    static long version(Pod pod) {
        String text = Objects.requireNonNullElse(pod.getMetadata().getResourceVersion(), "");
        return isNumber(text) ? Long.parseLong(text) : Long.MAX_VALUE;
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() <= 18 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    void put(PodRow row) {
        remove(row.id());
        rows.put(row.id(), row);
        row.group()
                .ifPresent(
                        key -> groups.computeIfAbsent(key, any -> new Members()).put(row));
        row.claims().forEach(claim -> claimUsers.merge(key(row.id(), claim), 1, Integer::sum));
        if (!row.claims().isEmpty()) {
            claiming.add(row.id());
        }
        if (row.binding() != null) {
            binding.put(row.id(), row);
        }
        waiting += row.isWaiting() ? 1 : 0;
    }

    void remove(PodId id) {
        PodRow row = rows.remove(id);
        if (row == null) {
            return;
        }
        waiting -= row.isWaiting() ? 1 : 0;
        binding.remove(id);
        claiming.remove(id);
        row.claims()
                .forEach(claim -> claimUsers.computeIfPresent(
                        key(id, claim), (any, users) -> users == 1 ? null : Integer.valueOf(users - 1)));
        row.group()
                .ifPresent(key -> groups.computeIfPresent(key, (any, members) -> {
                    members.remove(id);
                    return members.isEmpty() ? null : members;
                }));
    }

    void isGone(String uid) {
        gone.put(uid, true);
    }

    Members members(GroupKey key) {
        return groups.getOrDefault(key, new Members());
    }

    boolean isClaimUsed(PodId asking, String claim) {
        return claimUsers.containsKey(key(asking, claim));
    }

    private static String key(PodId pod, String claim) {
        return pod.namespace() + "/" + claim;
    }

    /** The pods that use claims and have a place. */
    Set<PodId> claiming() {
        return claiming;
    }

    /** The pods that are about to be bound. */
    Collection<PodRow> binding() {
        return new ArrayList<>(binding.values());
    }

    int waitingCount() {
        return waiting;
    }

    int bindingCount() {
        return binding.size();
    }

    /** The pods of these names that wait, in this order. */
    List<PendingPod> waiting(Collection<PodId> ids) {
        List<PendingPod> pods = new ArrayList<>();
        for (PodId id : ids) {
            PodRow row = rows.get(id);
            if (row != null && row.isWaiting() && row.pending() != null) {
                pods.add(row.pending());
            }
        }
        return pods;
    }
}
