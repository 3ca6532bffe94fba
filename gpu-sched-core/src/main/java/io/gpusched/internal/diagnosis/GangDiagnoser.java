package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Amount;
import io.gpusched.decision.Amount.Quantity;
import io.gpusched.decision.Certainty;
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
import io.gpusched.internal.gang.Member;
import io.gpusched.internal.gang.MemberKind;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Topology;
import io.gpusched.model.TopologyDomain;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
        return diagnose(subject, certainty, couldFitEmpty());
    }

    /**
     * @param later whether all that is asked, of which this group may be a part, could start if nothing ran
     */
    Diagnosis diagnose(String subject, Certainty certainty, boolean later) {
        PodGroup.Locality locality = gang.group().locality();
        if (isClose()
                && locality.scope() == PodGroup.Locality.Scope.DOMAIN
                && cluster.size() > 0
                && cluster.domains(locality.level()).isEmpty()) {
            return MissingLevel.diagnosis(cluster, subject, locality.level(), later);
        }
        fillMost();
        Member lacking = lacking(later);
        List<Reason> reasons = new ArrayList<>();
        for (Reason reason : reasonsWithin(lacking)) {
            reasons.add(reason.code() == Code.GROUP ? groupReason(reason, lacking) : reason);
        }
        Remedy remedy = new GangRemedy(search, cluster, gang, steps).find(fill, range, places, place());
        return new Diagnosis(
                subject,
                certainty,
                cluster.size(),
                reasons,
                later,
                remedy,
                otherwise(lacking, subject, certainty, later));
    }

    /** The reasons for a member alone; nodes outside all domains that the group may go to are counted as such. */
    private List<Reason> reasonsWithin(Member lacking) {
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

    /** What keeps other shapes of a member away, which cannot fit later if the group as a whole cannot. */
    private List<Diagnosis> otherwise(Member lacking, String subject, Certainty certainty, boolean later) {
        if (lacking.demand().otherwise() == null) {
            return List.of();
        }
        List<Diagnosis> alone = Diagnoser.diagnose(cluster, lacking.demand(), subject, certainty, steps)
                .otherwise();
        return alone.stream()
                .map(one -> new Diagnosis(
                        one.subject(),
                        certainty,
                        one.nodes(),
                        one.reasons(),
                        later && one.couldFitLater(),
                        one.remedy()))
                .toList();
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

    /**
     * The member without room that is to be explained: the first whose role lacks members, else the first; where the group could
     * start later, one that could, too.
     */
    private Member lacking(boolean later) {
        Set<MemberKind> met = new LinkedHashSet<>();
        List<Member> without = new ArrayList<>();
        for (Member member : gang.members()) {
            if (!fill.isPlaced(member) && met.size() <= FEW && met.add(member.kind())) {
                without.add(member);
            }
        }
        without.sort(Comparator.comparing(member -> missing(member.kind().role()) <= 0));
        return without.stream()
                .filter(member -> !later || without.size() == 1 || couldGo(member))
                .findFirst()
                .orElseGet(() -> without.isEmpty() ? gang.members().get(0) : without.get(0));
    }

    private boolean couldGo(Member member) {
        return reasonsWithin(member).stream().anyMatch(reason -> reason.code().isTransient());
    }

    private int missing(int role) {
        int placed = 0;
        for (MemberKind kind : gang.kinds()) {
            placed += kind.role() == role ? fill.byKind()[kind.index()] : 0;
        }
        return gang.roleMinimum(role) - placed;
    }

    private Reason groupReason(Reason alone, Member lacking) {
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
        if (isClose()
                && gang.group().locality().scope() == PodGroup.Locality.Scope.DOMAIN
                && cluster.domains(gang.group().locality().level()).isEmpty()) {
            return false;
        }
        PodDemand first = gang.kinds().get(0).demand();
        if (gang.isCountable() && !gang.isRuled(search.rules(cluster)) && !isClose() && !first.looksAtUuids()) {
            return PodCapacity.onEmpty(cluster, first) >= gang.required();
        }
        SearchSteps again = SearchSteps.of(steps.left());
        GangResult result =
                new GangScheduler(search, EmptiedCluster.of(cluster), gang, again).schedule(NodeRange.EVERYWHERE);
        return result.fill() != null || !result.isProven();
    }

    /** Whether locality is required. */
    private boolean isClose() {
        PodGroup.Locality locality = gang.group().locality();
        return locality.required() && locality.scope() != PodGroup.Locality.Scope.ANYWHERE;
    }
}
