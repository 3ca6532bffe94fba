package io.gpusched.kubernetes.decide;

import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.view.RunningPod;
import io.gpusched.model.PodId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one pod.
 *
 * @param id its name
 * @param uid its identity
 * @param version the API server's version of it
 * @param pending the pod as it waits; null once it runs
 * @param binding where it is about to be bound; null if nowhere
 * @param group its group
 * @param claims the volume claims that it uses once it is placed
 */
record PodRow(
        PodId id,
        String uid,
        long version,
        @Nullable PendingPod pending,
        @Nullable Binding binding,
        Optional<GroupKey> group,
        List<String> claims) {
    static PodRow waiting(PendingPod pod, long version) {
        return new PodRow(pod.id(), pod.uid(), version, pod, null, pod.group(), List.of());
    }

    static PodRow running(RunningPod pod, long version) {
        return new PodRow(pod.id(), pod.uid(), version, null, null, pod.group(), pod.claims());
    }

    boolean isWaiting() {
        return pending != null && binding == null;
    }

    boolean isPlaced() {
        return !isWaiting();
    }

    PodRow bindingTo(Binding chosen, List<String> used) {
        return new PodRow(id, uid, version, pending, chosen, group, used);
    }

    PodRow waitingAgain() {
        return new PodRow(id, uid, version, pending, null, group, List.of());
    }

    PodRow seenAs(PendingPod newer, long newerVersion) {
        return new PodRow(id, uid, newerVersion, newer, binding, newer.group(), claims);
    }
}
