package io.gpusched.internal.cycle;

import io.gpusched.decision.PendingReason;
import io.gpusched.model.Locality;
import io.gpusched.model.Placement;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodRules;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests that found no room, so that nobody asks again for what is not easier: as many equal pods or more, equally close together.
 * Holds as long as nothing is released.
 */
final class Refusals {
    private final Map<Need, Refusal> known = new HashMap<>();

    /** What equal pods ask, of one namespace and locality. */
    private record Need(Placement.Spec spec, String namespace, Locality locality) {}

    private record Refusal(int count, PendingReason reason) {}

    /** Returns why a request is refused that is not easier than one that was, or null if there was none. */
    @Nullable
    PendingReason find(Ask ask) {
        Need need = need(ask);
        Refusal refusal = need == null ? null : known.get(need);
        return refusal == null || refusal.count > ask.pods().size() ? null : refusal.reason;
    }

    void add(Ask ask, PendingReason reason) {
        Need need = need(ask);
        if (need != null) {
            Refusal added = new Refusal(ask.pods().size(), reason);
            known.merge(need, added, (old, latest) -> old.count <= latest.count ? old : latest);
        }
    }

    void clear() {
        known.clear();
    }

    /** What all pods of a request ask alike; null if they differ, or look at pods around them. */
    private static @Nullable Need need(Ask ask) {
        List<Pod> pods = ask.pods();
        Pod first = pods.get(0);
        if (!ask.group().groups().isEmpty() || !first.rules().equals(PodRules.NONE)) {
            return null;
        }
        for (Pod pod : pods) {
            if (!pod.spec().equals(first.spec())) {
                return null;
            }
        }
        return new Need(first.spec(), first.id().namespace(), ask.group().locality());
    }
}
