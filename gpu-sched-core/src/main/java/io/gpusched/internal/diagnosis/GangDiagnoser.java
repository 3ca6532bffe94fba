package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Reason.Code;
import io.gpusched.decision.Unschedulable;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.Capacity;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.gang.Gang;
import io.gpusched.internal.gang.GangDomains;
import io.gpusched.internal.gang.GangFill;
import io.gpusched.internal.gang.GangScheduler;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.TopologyDomain;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Works out why a group cannot start: it places as many members as go where most go, and explains the first of those
 * that lack room.
 */
public final class GangDiagnoser {
    private final PlacementSearch search;
    private final Cluster cluster;
    private final Gang gang;

    /** The members that found room, where most did, and the range of that place. */
    private GangFill fill;

    private NodeRange range = NodeRange.EVERYWHERE;

    public GangDiagnoser(PlacementSearch search, Cluster cluster, Gang gang) {
        this.search = search;
        this.cluster = cluster;
        this.gang = gang;
        this.fill = new GangFill(search, cluster, gang);
    }

    public Diagnosis diagnose(String subject, Certainty certainty) {
        fillMost();
        Gang.Member lacking = lacking();
        List<Reason> reasons = new ArrayList<>();
        for (Reason reason : Diagnoser.reasons(cluster, lacking.demand())) {
            reasons.add(reason.code() == Code.GROUP ? groupReason(reason, lacking) : reason);
        }
        boolean later = reasons.stream().anyMatch(reason -> reason.code().isTransient()) && couldFitEmpty();
        return new Diagnosis(subject, certainty, cluster.size(), reasons, later, remedy(lacking));
    }

    private void fillMost() {
        if (!isClose()) {
            fill.fill(NodeRange.EVERYWHERE);
            return;
        }
        boolean first = true;
        for (TopologyDomain place : places(gang.group().locality())) {
            GangFill here = new GangFill(search, cluster, gang);
            here.fill(NodeRange.of(place));
            if (first || here.placements().size() > fill.placements().size()) {
                fill = here;
                range = NodeRange.of(place);
                first = false;
            }
        }
    }

    /** A few places worth a look: the domains with most room, or the nodes with most idle GPUs. */
    private List<TopologyDomain> places(PodGroup.Locality locality) {
        int few = 8;
        if (locality.scope() == PodGroup.Locality.Scope.DOMAIN) {
            return new GangDomains(cluster, gang)
                    .roomiestFirst().stream().limit(few).toList();
        }
        List<NodeState> nodes = new ArrayList<>();
        for (NodeState node : cluster.nodes()) {
            if (gang.kinds().stream().anyMatch(kind -> Admission.of(kind.demand(), node))) {
                nodes.add(node);
            }
        }
        nodes.sort(Comparator.comparingInt(NodeState::idleGpus).reversed());
        return nodes.stream()
                .limit(few)
                .map(node -> new TopologyDomain(node.node().topology(), node.order(), node.order() + 1))
                .toList();
    }

    /** The first member without room whose role lacks members, else the first without room. */
    private Gang.Member lacking() {
        Gang.Member first = null;
        for (Gang.Member member : gang.members()) {
            if (fill.isPlaced(member)) {
                continue;
            }
            first = first == null ? member : first;
            if (missing(member.kind().role()) > 0) {
                return member;
            }
        }
        return first == null ? gang.members().get(0) : first;
    }

    private int missing(int role) {
        int placed = 0;
        for (Gang.Kind kind : gang.kinds()) {
            placed += kind.role() == role ? fill.byKind()[kind.index()] : 0;
        }
        return gang.roleMinimum(role) - placed;
    }

    private Reason groupReason(Reason alone, Gang.Member lacking) {
        int role = lacking.kind().role();
        String roleName = gang.group().roles().get(role).name();
        String missing = missing(role) > 0 ? "; role \"" + roleName + "\" lacks " + missing(role) : "";
        return new Reason(
                Code.GROUP,
                alone.nodes(),
                "member \"" + lacking.demand().pod().id() + "\" (" + new Asked(lacking.demand()).gpus()
                        + ") alone would fit, but of " + gang.required() + " members needed together"
                        + where() + " " + fill.placements().size() + " have room" + missing);
    }

    private String where() {
        PodGroup.Locality locality = gang.group().locality();
        if (!isClose()) {
            return "";
        }
        if (locality.scope() == PodGroup.Locality.Scope.NODE) {
            return " on one node";
        }
        return " in one " + locality.level();
    }

    private String remedy(Gang.Member lacking) {
        int missing = Math.max(1, gang.required() - fill.placements().size());
        String first = Diagnoser.remedy(fill.cluster(), lacking.demand(), range);
        return missing == 1
                ? first
                : missing + " more members lack room" + where() + "; for the first of them: " + first;
    }

    /** Whether the group could start if nothing ran and everything were healthy and open. */
    private boolean couldFitEmpty() {
        PodDemand first = gang.kinds().get(0).demand();
        if (gang.isCountable() && !isClose() && !first.looksAtUuids()) {
            return Capacity.onEmpty(cluster, first) >= gang.required();
        }
        List<Node> nodes = cluster.nodes().stream()
                .map(state -> Capacity.healed(state.node()))
                .toList();
        var decision =
                new GangScheduler(PlacementSearch.of(search.policy(), 0), Cluster.of(nodes), gang.group()).schedule();
        return decision.isPlaced() || decision instanceof Unschedulable no && no.certainty() == Certainty.LIMIT;
    }

    /** Whether closeness is required. */
    private boolean isClose() {
        PodGroup.Locality locality = gang.group().locality();
        return locality.required() && locality.scope() != PodGroup.Locality.Scope.ANYWHERE;
    }
}
