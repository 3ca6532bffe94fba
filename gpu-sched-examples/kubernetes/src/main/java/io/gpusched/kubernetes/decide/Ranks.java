package io.gpusched.kubernetes.decide;

import io.gpusched.kubernetes.queue.Priorities;
import io.gpusched.kubernetes.queue.Rank;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupSpec;
import java.util.Map;
import java.util.Optional;

/** Says who is tried first: by priority, then by age; a group that runs in part before all others of its priority. Reads its tables as they are. */
final class Ranks {
    private final PodTable pods;
    private final Map<GroupKey, GroupSpec> groups;
    private final Priorities priorities;

    Ranks(PodTable pods, Map<GroupKey, GroupSpec> groups, Priorities priorities) {
        this.pods = pods;
        this.groups = groups;
        this.priorities = priorities;
    }

    /** Returns the rank of a pod that waits, or of its group. */
    Rank of(PendingPod pod) {
        int own = priorities.of(pod.object());
        long since = JobPod.created(pod.object());
        Optional<GroupKey> key = pod.group();
        GroupSpec group = key.map(groups::get).orElse(null);
        int priority = group == null ? own : priorities.of(group, own);
        return new Rank(
                priority,
                group != null && isInterrupted(group) ? Long.MIN_VALUE : since,
                key.map(GroupKey::unique)
                        .orElseGet(() ->
                                "pod " + pod.id().namespace() + "/" + pod.id().name()));
    }

    /** Returns the priority of a group; one that states nothing has that of its first pod. */
    int priorityOf(GroupSpec group, int ofPod) {
        return priorities.of(group, ofPod);
    }

    /**
     * A group that was interrupted when only a part of it ran comes first: its room may still be there. But no further than before
     * others of its priority, as any tenant can raise the minimum of his group once a part of it runs.
     */
    private boolean isInterrupted(GroupSpec group) {
        int placed = pods.members(group.key()).placed().size();
        return placed > 0 && placed < group.minimum();
    }
}
