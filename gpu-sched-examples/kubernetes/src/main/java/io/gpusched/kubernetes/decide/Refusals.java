package io.gpusched.kubernetes.decide;

import io.gpusched.decision.Unschedulable;
import io.gpusched.kubernetes.volume.AttachLimits;
import io.gpusched.manifests.dialect.ResidentPods;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.manifests.view.SetAside;
import io.gpusched.model.Cluster;
import io.gpusched.model.PodId;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Who was refused when it was tried last, why, and what may help. */
final class Refusals {
    /** So many changed nodes and more are taken as a change of the cluster. */
    private static final int MANY_NODES = 16;

    private final Decider decider;
    private final ClusterBook book;
    private final PodTable pods;
    private final Map<PodId, Request> refused = new HashMap<>();
    private final Map<PodId, PendingReason> reasons = new HashMap<>();

    Refusals(Decider decider, ClusterBook book, PodTable pods) {
        this.pods = pods;
        this.decider = decider;
        this.book = book;
    }

    void add(Request.Blocked blocked, Decisions decisions) {
        add(blocked, blocked.reason(), blocked::message, decisions);
    }

    void add(Request request, PendingReason reason, Supplier<String> message, Decisions decisions) {
        refused.put(request.pod().id(), request);
        reasons.put(request.pod().id(), reason);
        decisions.refusals().add(new Refusal(request.pod(), reason, message));
    }

    /** The words on a request that found no room; any thread may ask for them. */
    Supplier<String> words(Request.Ready request, Unschedulable decision) {
        boolean asksGpus = !ResidentPods.asksForNoGpus(request.manifest(), request.named()::isCounted);
        List<SetAside> setAside = asksGpus ? book.setAside() : List.of();
        return () -> {
            String text = decision.diagnosis().toString();
            return text
                    + (setAside.isEmpty() ? "" : "\n  " + SetAside.words(setAside))
                    + (text.contains(AttachLimits.PREFIX) ? AttachLimits.WORDS : "");
        };
    }

    /** A pod no longer waits. */
    void forget(PodId id) {
        refused.remove(id);
        reasons.remove(id);
    }

    Map<PendingReason, Integer> byReason() {
        Map<PendingReason, Integer> counts = new EnumMap<>(PendingReason.class);
        reasons.values().forEach(reason -> counts.merge(reason, 1, Integer::sum));
        return counts;
    }

    /**
     * Whether what changed may help a pod or group that was refused; if in doubt it may. A group may be helped where a member may; what
     * becomes of its own members makes it ready at once, and is not asked about here.
     *
     * @param eased whether running pods may keep others away from fewer nodes than before
     */
    boolean mayBeHelped(
            Unit unit,
            Cluster cluster,
            Collection<String> nodes,
            boolean volumesChanged,
            boolean podsChanged,
            boolean eased) {
        if (unit instanceof Unit.Single single) {
            Request request = refused.get(single.pod());
            return request == null || mayBeHelped(request, cluster, nodes, volumesChanged, podsChanged, eased);
        }
        Set<Object> kinds = new HashSet<>();
        return pods.members(((Unit.Group) unit).key()).pending().stream()
                .map(refused::get)
                .filter(request -> request == null || kinds.add(kind(request)))
                .anyMatch(request ->
                        request == null || mayBeHelped(request, cluster, nodes, volumesChanged, podsChanged, eased));
    }

    /** What requests have in common that the same change helps. */
    private static Object kind(Request request) {
        return request instanceof Request.Ready ready
                ? List.of(
                        ready.manifest().containers(),
                        ready.manifest().nodeSelector(),
                        ready.manifest().tolerations(),
                        ready.manifest().rules(),
                        ready.volumes())
                : ((Request.Blocked) request).reason();
    }

    private boolean mayBeHelped(
            Request request,
            Cluster cluster,
            Collection<String> nodes,
            boolean volumesChanged,
            boolean podsChanged,
            boolean eased) {
        if (request instanceof Request.Blocked blocked) {
            return blocked.reason() == PendingReason.VOLUME && (volumesChanged || podsChanged);
        }
        if (!(request instanceof Request.Ready ready) || eased) {
            return true;
        }
        if (ready.looksAtOthers() || nodes.size() >= MANY_NODES) {
            return podsChanged || !nodes.isEmpty();
        }
        return nodes.stream()
                .flatMap(name -> cluster.node(name).stream())
                .anyMatch(node -> decider.fits(node, ready, cluster));
    }
}
