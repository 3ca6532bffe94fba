package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Amount;
import io.gpusched.decision.Amount.Quantity;
import io.gpusched.decision.Certainty;
import io.gpusched.decision.Change;
import io.gpusched.decision.Change.Kind;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Reason.Code;
import io.gpusched.decision.Remedy;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.PodCapacity;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.gang.Gang;
import io.gpusched.internal.gang.GangDomains;
import io.gpusched.internal.gang.GangFill;
import io.gpusched.internal.gang.GangResult;
import io.gpusched.internal.gang.GangScheduler;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Topology;
import io.gpusched.model.TopologyDomain;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Works out why a group cannot start: it places as many members as go where most go, and explains the first of those
 * that lack room.
 */
public final class GangDiagnoser {
    /** How many places are looked at where members must stay close. */
    private static final int FEW = 8;

    private final PlacementSearch search;
    private final Cluster cluster;
    private final Gang gang;
    private final SearchSteps steps;

    /** The members that found room, where most did, and the range of that place. */
    private GangFill fill;

    private NodeRange range = NodeRange.EVERYWHERE;

    /** Where else a look is worth it. */
    private List<NodeRange> places = List.of(NodeRange.EVERYWHERE);

    public GangDiagnoser(PlacementSearch search, Cluster cluster, Gang gang, SearchSteps steps) {
        this.search = search;
        this.cluster = cluster;
        this.gang = gang;
        this.steps = steps;
        this.fill = new GangFill(search, cluster, gang, steps);
    }

    public Diagnosis diagnose(String subject, Certainty certainty) {
        PodGroup.Locality locality = gang.group().locality();
        if (isClose()
                && locality.scope() == PodGroup.Locality.Scope.DOMAIN
                && cluster.size() > 0
                && cluster.domains(locality.level()).isEmpty()) {
            return noSuchLevel(subject, locality.level());
        }
        fillMost();
        Gang.Member lacking = lacking();
        List<Reason> reasons = new ArrayList<>();
        for (Reason reason : reasonsWithin(lacking)) {
            reasons.add(reason.code() == Code.GROUP ? groupReason(reason, lacking) : reason);
        }
        Remedy remedy = new GangRemedy(search, cluster, gang, steps).find(fill, range, places, place());
        boolean later = reasons.stream().anyMatch(reason -> reason.code().isTransient()) && couldFitEmpty();
        List<Diagnosis> otherwise = lacking.demand().otherwise() == null
                ? List.of()
                : Diagnoser.diagnose(cluster, lacking.demand(), subject, certainty, steps)
                        .otherwise();
        return new Diagnosis(subject, certainty, cluster.size(), reasons, later, remedy, otherwise);
    }

    /** The reasons for a member alone; nodes outside all domains that the group may go to are counted as such. */
    private List<Reason> reasonsWithin(Gang.Member lacking) {
        PodGroup.Locality locality = gang.group().locality();
        String level = locality.level();
        List<String> outside = new ArrayList<>();
        if (isClose() && locality.scope() == PodGroup.Locality.Scope.DOMAIN) {
            for (NodeState node : cluster.nodes()) {
                if (!hasLevel(node, level)) {
                    outside.add(node.name());
                }
            }
        }
        if (outside.isEmpty()) {
            return Diagnoser.reasons(cluster, lacking.demand(), steps);
        }
        List<Reason> reasons =
                new ArrayList<>(Diagnoser.reasons(cluster, lacking.demand(), node -> hasLevel(node, level), steps));
        reasons.add(new Reason(
                Code.TOPOLOGY_LEVEL,
                outside.size(),
                outside.stream().limit(Reason.MOST_NAMES).toList(),
                List.of(),
                List.of("no topology level \"" + level + "\", in one domain of which the group must stay"),
                level));
        reasons.sort(Comparator.comparingInt(Reason::nodes).reversed().thenComparing(Reason::code));
        return reasons;
    }

    private static boolean hasLevel(NodeState node, String level) {
        return !node.node().topology().upTo(level).equals(Topology.NONE);
    }

    private Diagnosis noSuchLevel(String subject, String level) {
        return noSuchLevel(cluster, subject, level);
    }

    static Diagnosis noSuchLevel(Cluster cluster, String subject, String level) {
        TreeSet<String> levels = new TreeSet<>();
        for (NodeState node : cluster.nodes()) {
            node.node().topology().domains().forEach(domain -> levels.add(domain.level()));
        }
        String known = levels.isEmpty() ? "no node says where it stands" : "levels are " + String.join(", ", levels);
        List<String> names = cluster.nodes().stream()
                .limit(Reason.MOST_NAMES)
                .map(NodeState::name)
                .toList();
        Reason reason = new Reason(
                Code.TOPOLOGY_LEVEL,
                cluster.size(),
                names,
                List.of(),
                List.of("no node has the topology level \"" + level + "\"", known),
                level);
        List<Change> changes = levels.isEmpty()
                ? List.of(Change.of(Kind.ADD_NODE, "", "the topology level \"" + level + "\""))
                : List.of(Change.of(Kind.CHOOSE_LEVEL, "", String.join(", ", levels)));
        return new Diagnosis(subject, Certainty.PROVEN, cluster.size(), List.of(reason), false, new Remedy(changes));
    }

    private void fillMost() {
        if (!isClose()) {
            fill.fill(NodeRange.EVERYWHERE);
            return;
        }
        boolean first = true;
        places = places(gang.group().locality());
        for (NodeRange place : places) {
            GangFill here = new GangFill(search, cluster, gang, steps);
            here.fill(place);
            if (first || here.placements().size() > fill.placements().size()) {
                fill = here;
                range = place;
                first = false;
            }
        }
    }

    /** A few places worth a look: the domains or nodes with most room, and the largest, which may be full. */
    private List<NodeRange> places(PodGroup.Locality locality) {
        if (locality.scope() == PodGroup.Locality.Scope.DOMAIN) {
            List<TopologyDomain> domains = new GangDomains(cluster, gang)
                    .roomiestFirst(locality.level(), NodeRange.EVERYWHERE).stream()
                            .map(GangDomains.Candidate::domain)
                            .toList();
            List<TopologyDomain> largest = new ArrayList<>(domains);
            largest.sort(Comparator.comparingInt(TopologyDomain::size).reversed());
            return few(domains.stream().map(NodeRange::of), largest.stream().map(NodeRange::of));
        }
        List<NodeState> nodes = new ArrayList<>();
        for (NodeState node : cluster.nodes()) {
            if (gang.kinds().stream().anyMatch(kind -> Admission.of(kind.demand(), node))) {
                nodes.add(node);
            }
        }
        nodes.sort(Comparator.comparingInt(NodeState::idleGpus).reversed());
        List<NodeState> largest = new ArrayList<>(nodes);
        largest.sort(Comparator.comparingInt(NodeState::gpuCount).reversed());
        return few(nodes.stream().map(NodeRange::of), largest.stream().map(NodeRange::of));
    }

    private static List<NodeRange> few(Stream<NodeRange> roomiest, Stream<NodeRange> largest) {
        return Stream.concat(roomiest.limit(FEW), largest.limit(FEW)).distinct().toList();
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
        String gpus = new RequestFormatter(lacking.demand()).gpus();
        int placed = fill.placements().size();
        return new Reason(
                Code.GROUP,
                alone.nodes(),
                alone.firstNodes(),
                List.of(new Amount(Quantity.MEMBERS, gang.required(), placed, placed)),
                List.of("\"" + lacking.demand().pod().id() + "\" (" + gpus + ")", where(), missing),
                gpus);
    }

    private String where() {
        PodGroup.Locality locality = gang.group().locality();
        if (!isClose()) {
            return "";
        }
        return locality.scope() == PodGroup.Locality.Scope.NODE ? " on one node" : " in one " + locality.level();
    }

    /** Where nodes would have to be added, in words. */
    private String place() {
        PodGroup.Locality locality = gang.group().locality();
        if (!isClose() || locality.scope() == PodGroup.Locality.Scope.NODE) {
            return "";
        }
        for (TopologyDomain domain : cluster.domains(locality.level())) {
            if (NodeRange.of(domain).equals(range)) {
                return ", in " + domain.path();
            }
        }
        return ", all in one " + locality.level();
    }

    /** Whether the group could start if nothing ran and everything were healthy and open. */
    private boolean couldFitEmpty() {
        PodDemand first = gang.kinds().get(0).demand();
        if (gang.isCountable() && !gang.isRuled(cluster) && !isClose() && !first.looksAtUuids()) {
            return PodCapacity.onEmpty(cluster, first) >= gang.required();
        }
        List<Node> nodes = cluster.nodes().stream()
                .map(state -> PodCapacity.healed(state.node()))
                .toList();
        SearchSteps again = SearchSteps.of(steps.left());
        GangResult result = new GangScheduler(
                        PlacementSearch.of(search.policy(), 0), withNamespaces(nodes), gang, again)
                .schedule(NodeRange.EVERYWHERE);
        return result.fill() != null || !result.isProven();
    }

    private Cluster withNamespaces(List<Node> nodes) {
        Cluster empty = Cluster.of(nodes);
        for (Map.Entry<String, Map<String, String>> entry : cluster.namespaces().entrySet()) {
            empty = empty.withNamespace(entry.getKey(), entry.getValue());
        }
        return empty;
    }

    /** Whether closeness is required. */
    private boolean isClose() {
        PodGroup.Locality locality = gang.group().locality();
        return locality.required() && locality.scope() != PodGroup.Locality.Scope.ANYWHERE;
    }
}
