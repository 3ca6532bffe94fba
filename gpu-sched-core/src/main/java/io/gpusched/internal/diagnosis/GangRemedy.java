package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Change;
import io.gpusched.decision.NodeTemplate;
import io.gpusched.decision.Remedy;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.gang.Gang;
import io.gpusched.internal.gang.GangFill;
import io.gpusched.internal.gang.Member;
import io.gpusched.internal.gang.MemberKind;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.model.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds what would have to change for a group to start, by counts: room for one member more on a node, if that is all that lacks;
 * members that spread, if there is room for them elsewhere; else room for as many members of each kind as lack it, on nodes that
 * there are or, where these could not hold the group even if nothing ran, on nodes to be added.
 */
final class GangRemedy {
    private final PlacementSearch search;
    private final Cluster cluster;
    private final Gang gang;
    private final Locality locality;
    private final SearchSteps steps;
    private final KnownNames names;

    GangRemedy(PlacementSearch search, Cluster cluster, Gang gang, SearchSteps steps) {
        this.search = search;
        this.cluster = cluster;
        this.gang = gang;
        this.locality = gang.group().locality();
        this.steps = steps;
        this.names = new KnownNames(cluster);
    }

    /**
     * Returns the remedy.
     *
     * @param places places that the group may use
     * @param most the one where most members have room
     */
    Remedy find(List<GangPlace> places, GangPlace most) {
        EmptyCounts counts = new EmptyCounts(gang, steps);
        GangPlace place = places.stream()
                .filter(one -> counts.mayStart(nodes(one)))
                .max(Comparator.comparingInt(GangPlace::placed))
                .orElse(null);
        GangPlace best = place == null ? most : place;
        List<Member> lacking = lacking(best.fill());
        List<Change> changes = lacking.size() == 1 ? forOne(lacking.get(0).demand(), best) : List.of();
        if (changes.isEmpty() && canSpread()) {
            String level = locality.scope() == Locality.Scope.NODE ? "node" : locality.level();
            changes = List.of(new Change.SpreadGroup(level));
        }
        List<Change> choices = lacking.stream()
                .flatMap(member -> names.choices(member.demand()).stream())
                .distinct()
                .toList();
        if (changes.isEmpty() && choices.isEmpty() && place != null) {
            changes = moreRoom(lacking, best, counts);
        }
        List<PodDemand> together = together();
        boolean takesNodes = together.size() > 1 && together.stream().anyMatch(PodDemand::wholeNode);
        if (!takesNodes) {
            return Diagnoser.remedy(changes, choices, together.isEmpty() ? newNodes(lacking, best) : newNode(together));
        }
        List<Change> spread = new ArrayList<>(List.of(new Change.SpreadGroup("node")));
        spread.addAll(newNodes(lacking, best));
        return Diagnoser.remedy(changes.isEmpty() && choices.isEmpty() ? spread : changes, choices, List.of());
    }

    /** The members that have to start on one node; none if they need not. */
    private List<PodDemand> together() {
        return locality.required() && locality.scope() == Locality.Scope.NODE
                ? first(gang.members(), new int[gang.kinds().size()], 0).stream()
                        .map(Member::demand)
                        .toList()
                : List.of();
    }

    /** A node for all; none where rules of members may keep them apart. */
    private List<Change.AddNodes> newNode(List<PodDemand> together) {
        boolean areRuled =
                together.stream().anyMatch(demand -> demand.pod().spec().concernsOthers());
        NodeTemplate template = NodeTemplates.ofNew(together, names, search.rules(cluster), Topology.NONE, List.of());
        return template == null || areRuled && together.size() > 1
                ? List.of()
                : List.of(new Change.AddNodes(1, template));
    }

    /** Nodes for the members that lack room, in the place of the others; none if there can be none for some of them. */
    private List<Change.AddNodes> newNodes(List<Member> lacking, GangPlace place) {
        List<NodeState> nodes = nodes(place);
        return byKind(lacking, (kind, count) -> {
            List<PodDemand> one = List.of(ruled(kind, place));
            RuleCounts counts = search.rules(place.fill().cluster());
            NodeTemplate template = NodeTemplates.ofNew(one, names, counts, place.path(), nodes);
            return template == null ? null : new Change.AddNodes(count, template);
        });
    }

    /** A kind with what rules make of it beside the members that have room. */
    private PodDemand ruled(MemberKind kind, GangPlace place) {
        return kind.demand().under(search.rules(place.fill().cluster()));
    }

    private List<NodeState> nodes(GangPlace place) {
        return search.index(cluster).nodes(place.range());
    }

    /** What lets one member more in, beside the members that have room. */
    private List<Change> forOne(PodDemand demand, GangPlace place) {
        Set<PodId> members = gang.members().stream()
                .map(member -> member.demand().pod().id())
                .collect(Collectors.toSet());
        Cluster now = place.fill().cluster();
        List<NodeState> nodes = search.index(now).nodes(place.range());
        return Diagnoser.remedy(now, nodes, search.rules(now), demand, members::contains, steps);
    }

    /** Whether enough members have room if they may be anywhere. */
    private boolean canSpread() {
        if (!locality.required() || locality.scope() == Locality.Scope.ANYWHERE) {
            return false;
        }
        GangFill fill = new GangFill(search, cluster, gang, steps);
        fill.fill(SlotRange.EVERYWHERE);
        return gang.canStart(fill.byKind());
    }

    /** The members that have to find room beside the others: what roles lack first, then any. */
    private List<Member> lacking(GangFill fill) {
        return first(
                gang.members().stream().filter(member -> !fill.isPlaced(member)).toList(),
                fill.byKind(),
                fill.placements().size());
    }

    /** As many of some members as must start if these many have, in the group's order but for what roles lack. */
    private List<Member> first(List<Member> members, int[] byKind, int placed) {
        int[] missing = new int[gang.roles()];
        for (int role = 0; role < missing.length; role++) {
            missing[role] = gang.roleMinimum(role);
        }
        gang.kinds().forEach(kind -> missing[kind.role()] -= byKind[kind.index()]);
        List<Member> first = new ArrayList<>();
        List<Member> others = new ArrayList<>();
        for (Member member : members) {
            (missing[member.kind().role()]-- > 0 ? first : others).add(member);
        }
        int more = gang.group().minMember() - placed - first.size();
        first.addAll(others.subList(0, Math.max(0, Math.min(more, others.size()))));
        first.sort(Comparator.comparingInt(Member::index));
        return first;
    }

    private List<Change> moreRoom(List<Member> lacking, GangPlace place, EmptyCounts counts) {
        List<NodeState> nodes = nodes(place);
        return List.copyOf(byKind(lacking, (kind, count) -> {
            RuleSet rules = ruled(kind, place).rules();
            if (rules != null && nodes.stream().noneMatch(node -> rules.refusal(node.node()) == null)) {
                return null;
            }
            PodDemand form = counts.form(kind, nodes);
            return new Change.MakeRoom(count, NodeTemplates.of(List.of(form), place.path()), place.node());
        }));
    }

    /** One change for each kind of some members; none if one of them is null. */
    private static <C extends Change> List<C> byKind(
            List<Member> members, BiFunction<MemberKind, Integer, @Nullable C> change) {
        Map<MemberKind, Integer> counts = new LinkedHashMap<>();
        members.forEach(member -> counts.merge(member.kind(), 1, Integer::sum));
        List<C> changes = new ArrayList<>();
        for (Map.Entry<MemberKind, Integer> entry : counts.entrySet()) {
            C one = change.apply(entry.getKey(), entry.getValue());
            if (one == null) {
                return List.of();
            }
            changes.add(one);
        }
        return changes;
    }
}
