package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.manifests.grant.NominationRecord;
import io.gpusched.manifests.grant.PromiseRecord;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.model.PodId;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A pod that waits for a node.
 *
 * @param id its name
 * @param object what the API server says of it
 * @param group its group
 */
public record PendingPod(PodId id, Pod object, Optional<GroupKey> group) {
    static PendingPod of(Pod pod) {
        return new PendingPod(Unit.idOf(pod), pod, GroupVocabulary.groupOf(pod));
    }

    /** Returns its identity. */
    public String uid() {
        return object.getMetadata().getUid();
    }

    /** Returns whether it asks for the same as another state of it did; its status is left out. */
    boolean asksLike(PendingPod other) {
        return isAskedBy(other.object);
    }

    /** Returns whether a pod asks for the same as this one; its status is left out. */
    public boolean isAskedBy(Pod pod) {
        return Objects.equals(object.getSpec(), pod.getSpec())
                && Objects.equals(
                        object.getMetadata().getLabels(), pod.getMetadata().getLabels())
                && asked(object).equals(asked(pod));
    }

    /** The annotations but for places that are held or promised, which are the scheduler's own words. */
    private static Map<String, String> asked(Pod pod) {
        Map<String, String> all = Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
        if (!all.containsKey(NominationRecord.NOMINATION) && !all.containsKey(PromiseRecord.ANNOTATION)) {
            return all;
        }
        Map<String, String> others = new HashMap<>(all);
        others.remove(NominationRecord.NOMINATION);
        others.remove(PromiseRecord.ANNOTATION);
        return others;
    }
}
