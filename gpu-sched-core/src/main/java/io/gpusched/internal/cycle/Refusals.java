package io.gpusched.internal.cycle;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.PendingReason;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests that found no room, so that nobody asks again for what is not easier: as many equal pods or more, equally close together.
 * Holds as long as nothing is released. From one snapshot to a later one only what is proven is kept, so that no answer depends on what
 * was asked before.
 */
final class Refusals {
    private final Map<Object, Refusal> known = new HashMap<>();
    private @Nullable Cluster seen;

    private record Refusal(int count, PendingReason reason) {}

    /** Returns why a request is refused that is not easier than one that was, or null if there was none. */
    @Nullable
    PendingReason find(Ask ask) {
        Object need = ask.need();
        Refusal refusal = need == null ? null : known.get(need);
        return refusal == null || refusal.count > ask.pods().size() ? null : refusal.reason;
    }

    boolean isEmpty() {
        return known.isEmpty();
    }

    void add(Ask ask, PendingReason reason) {
        Object need = ask.need();
        if (need != null) {
            Refusal added = new Refusal(ask.pods().size(), reason);
            known.merge(need, added, (old, latest) -> old.count <= latest.count ? old : latest);
        }
    }

    /** From now on it is about this snapshot: forgets everything if something was released since, else what is not proven. */
    void follow(Cluster now) {
        Cluster before = seen;
        if (before == null || !before.namespaces().equals(now.namespaces()) || isMoreFree(before, now)) {
            known.clear();
        }
        known.values().removeIf(refusal -> refusal.reason.certainty() != Certainty.PROVEN);
        seen = null;
    }

    /** What was refused holds for this snapshot, in which at least as much is held as whenever something was refused. */
    void hold(Cluster now) {
        seen = now;
    }

    private static boolean isMoreFree(Cluster before, Cluster now) {
        boolean[] isMore = new boolean[1];
        now.forEachChange(before, (old, changed) -> isMore[0] |= changed != null && !isAtMost(changed, old));
        return isMore[0];
    }

    /** Whether a node is as it was, but for pods that came. */
    private static boolean isAtMost(NodeState now, @Nullable NodeState before) {
        if (before == null || !Machines.isAlike(before, now) || before.isCordoned() && !now.isCordoned()) {
            return false;
        }
        Set<Placement> held = new HashSet<>(now.placements());
        return held.containsAll(before.placements());
    }
}
