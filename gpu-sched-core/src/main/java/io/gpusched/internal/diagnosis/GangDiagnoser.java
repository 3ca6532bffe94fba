package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Amount;
import io.gpusched.decision.Amount.Quantity;
import io.gpusched.decision.Certainty;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Fact;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Reason.Code;
import io.gpusched.decision.Remedy;
import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.gang.Gang;
import io.gpusched.internal.gang.GangDomains;
import io.gpusched.internal.gang.GangFill;
import io.gpusched.internal.gang.GangHome;
import io.gpusched.internal.gang.Member;
import io.gpusched.internal.gang.MemberKind;
import io.gpusched.internal.index.Domain;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.NodeState;
import io.gpusched.model.Topology;
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
    /** How many places are looked at where members must stay close, those with most room and the largest; and how many kinds of members. */
    private static final int MOST_LOOKED_AT = 8;

    private final PlacementSearch search;
    private final Cluster cluster;
    private final Gang gang;
    private final Locality locality;
    private final SearchSteps steps;

    /** Where the group must stay because of members that run; everywhere if none do. */
    private final SlotRange home;

    public GangDiagnoser(PlacementSearch search, Cluster cluster, Gang gang, SearchSteps steps) {
        this.search = search;
        this.cluster = cluster;
        this.gang = gang;
        this.locality = gang.group().locality();
        this.steps = steps;
        this.home = GangHome.within(SlotRange.EVERYWHERE, search, cluster, gang);
    }

    public Diagnosis diagnose(String subject, Certainty certainty) {
        return MissingLevel.isOf(locality, cluster)
                ? MissingLevel.diagnosis(cluster, subject, locality.level())
                : diagnose(subject, certainty, new EmptyCounts(gang, steps).mayStart(cluster));
    }

    /**
     * @param later whether all that is asked, with this group perhaps as a part, may start if nothing ran
     */
    Diagnosis diagnose(String subject, Certainty certainty, boolean later) {
        List<GangPlace> places = places();
        GangPlace most = places.stream()
                .max(Comparator.comparingInt(GangPlace::placed))
                .orElseGet(() -> place(home, Topology.NONE, ""));
        Member lacking = lacking(most.fill(), later);
        List<Reason> reasons = new ArrayList<>();
        for (Reason reason : reasons(lacking)) {
            reasons.add(reason.code() == Code.GROUP ? groupReason(reason, lacking, most.fill()) : reason);
        }
        Remedy remedy = new GangRemedy(search, cluster, gang, steps).find(places, most);
        List<Diagnosis> otherwise = otherwise(lacking, subject, certainty, later);
        return new Diagnosis(subject, certainty, cluster.size(), reasons, later, remedy, otherwise);
    }

    /** The reasons for a member alone; nodes outside all domains that the group may go to, or outside its own, are counted as such. */
    private List<Reason> reasons(Member lacking) {
        List<NodeState> inside = new ArrayList<>();
        List<NodeState> outside = new ArrayList<>();
        List<NodeState> elsewhere = new ArrayList<>();
        for (NodeState node : cluster.nodes()) {
            boolean isNowhere = locality.scope() == Locality.Scope.DOMAIN
                    && isClose()
                    && !MissingLevel.hasLevel(node, locality.level());
            boolean isElsewhere = !home.contains(search.index(cluster).slot(node.name()));
            (isNowhere ? outside : isElsewhere ? elsewhere : inside).add(node);
        }
        List<Reason> reasons =
                new ArrayList<>(Diagnoser.reasons(cluster, inside, search.rules(cluster), lacking.demand(), steps));
        if (!outside.isEmpty()) {
            Fact fact = new Fact.NoDomain(locality.level());
            reasons.add(MissingLevel.reason(Code.TOPOLOGY_LEVEL, outside, fact));
        }
        if (!elsewhere.isEmpty()) {
            Fact fact = new Fact.Elsewhere(gang.membership(), home.isEmpty() ? 0 : 1);
            reasons.add(MissingLevel.reason(Code.GROUP_LOCALITY, elsewhere, fact));
        }
        reasons.sort(Comparator.comparingInt(Reason::nodes).reversed().thenComparing(Reason::code));
        return reasons;
    }

    /** What keeps other alternatives of a member away, which cannot fit later if the group as a whole cannot. */
    private List<Diagnosis> otherwise(Member lacking, String subject, Certainty certainty, boolean later) {
        if (lacking.demand().otherwise() == null) {
            return List.of();
        }
        return Diagnoser.diagnose(cluster, search.rules(cluster), lacking.demand(), subject, Certainty.LIMIT, steps)
                .otherwise()
                .stream()
                .map(one -> new Diagnosis(
                        one.subject(),
                        certainty,
                        one.nodes(),
                        one.reasons(),
                        later && one.couldFitLater(),
                        one.remedy()))
                .toList();
    }

    /** A few places with the members that go there: the domains or nodes with most room, and the largest, which may be full. */
    private List<GangPlace> places() {
        if (!isClose()) {
            return List.of(place(SlotRange.EVERYWHERE, Topology.NONE, ""));
        }
        if (locality.scope() == Locality.Scope.DOMAIN) {
            List<Domain> domains = new GangDomains(search, cluster, gang)
                    .roomiestFirst(locality.level(), home).stream()
                            .map(GangDomains.Candidate::domain)
                            .toList();
            return few(domains, Comparator.comparingInt(Domain::size))
                    .map(domain -> place(domain.range(), domain.path(), ""))
                    .toList();
        }
        List<NodeState> nodes = search.index(cluster).nodes(home).stream()
                .filter(node -> gang.kinds().stream().anyMatch(kind -> FitRule.atAll(kind.demand(), node) == null))
                .sorted(Comparator.comparingInt(NodeState::idleGpus).reversed())
                .toList();
        return few(nodes, Comparator.comparingInt(NodeState::gpuCount))
                .map(node -> place(SlotRange.of(search.index(cluster).slot(node.name())), Topology.NONE, node.name()))
                .toList();
    }

    private static <T> Stream<T> few(List<T> roomiestFirst, Comparator<T> size) {
        Stream<T> largest = roomiestFirst.stream().sorted(size.reversed()).limit(MOST_LOOKED_AT);
        return Stream.concat(roomiestFirst.stream().limit(MOST_LOOKED_AT), largest)
                .distinct();
    }

    private GangPlace place(SlotRange range, Topology path, String node) {
        GangFill fill = new GangFill(search, cluster, gang, steps);
        fill.fill(range);
        return new GangPlace(range, path, node, fill);
    }

    /**
     * The member without room that is to be explained: the first whose role lacks members, else the first; where the group could
     * start later, one that could, too.
     */
    private Member lacking(GangFill fill, boolean later) {
        Set<MemberKind> met = new LinkedHashSet<>();
        List<Member> without = new ArrayList<>();
        for (Member member : gang.members()) {
            if (!fill.isPlaced(member) && met.size() <= MOST_LOOKED_AT && met.add(member.kind())) {
                without.add(member);
            }
        }
        without.sort(Comparator.comparing(member -> missing(fill, member.kind().role()) <= 0));
        return without.stream()
                .filter(member -> !later || without.size() == 1 || couldGo(member))
                .findFirst()
                .orElseGet(() -> without.isEmpty() ? gang.members().get(0) : without.get(0));
    }

    private boolean couldGo(Member member) {
        return reasons(member).stream().anyMatch(reason -> reason.code().isTransient());
    }

    private int missing(GangFill fill, int role) {
        int placed = 0;
        for (MemberKind kind : gang.kinds()) {
            placed += kind.role() == role ? fill.byKind()[kind.index()] : 0;
        }
        return gang.roleMinimum(role) - placed;
    }

    private Reason groupReason(Reason alone, Member lacking, GangFill fill) {
        int role = lacking.kind().role();
        int placed = fill.placements().size();
        Fact fact = new Fact.Members(
                lacking.demand().pod().id(),
                locality,
                gang.group().roles().get(role).name(),
                Math.max(0, missing(fill, role)));
        return new Reason(
                Code.GROUP,
                alone.nodeNames(),
                List.of(new Amount(Quantity.MEMBERS, gang.required(), placed, placed)),
                List.of(fact),
                alone.gpus());
    }

    /** Whether locality is required. */
    private boolean isClose() {
        return locality.required() && locality.scope() != Locality.Scope.ANYWHERE;
    }
}
