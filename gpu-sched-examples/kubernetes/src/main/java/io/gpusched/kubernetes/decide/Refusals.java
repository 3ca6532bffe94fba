package io.gpusched.kubernetes.decide;

import io.gpusched.manifests.dialect.ResidentPods;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.manifests.view.SetAside;
import io.gpusched.model.PodId;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The pods that were refused when they were tried last, and why. */
final class Refusals {
    private final ClusterBook book;
    private final SharedVolumes shared;
    private final Map<PodId, PendingReason> reasons = new HashMap<>();

    Refusals(ClusterBook book, SharedVolumes shared) {
        this.book = book;
        this.shared = shared;
    }

    void add(Request.Blocked blocked, Decisions decisions) {
        add(blocked, blocked.reason(), blocked::message, decisions);
    }

    void add(Request request, PendingReason reason, Supplier<String> message, Decisions decisions) {
        reasons.put(request.pod().id(), reason);
        decisions.refusals().add(new Refusal(request.pod(), reason, message));
    }

    /** Returns what is added to the words on a request that found no room; any thread may ask for it. */
    Supplier<String> besides(Request.Ready request) {
        boolean asksGpus = !ResidentPods.asksForNoGpus(request.manifest(), request.named()::isCounted);
        List<SetAside> setAside = asksGpus ? book.setAside() : List.of();
        String volumes = shared.words(request);
        return () -> (setAside.isEmpty() ? "" : "\n  " + SetAside.words(setAside)) + volumes;
    }

    /** A pod no longer waits. */
    void forget(PodId id) {
        reasons.remove(id);
    }

    int count() {
        return reasons.size();
    }

    Map<PendingReason, Integer> byReason() {
        Map<PendingReason, Integer> counts = new EnumMap<>(PendingReason.class);
        reasons.values().forEach(reason -> counts.merge(reason, 1, Integer::sum));
        return counts;
    }
}
