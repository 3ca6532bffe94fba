package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Change;
import io.gpusched.decision.Change.Kind;
import io.gpusched.decision.Remedy;
import io.gpusched.internal.diagnosis.Rehearsal.Generosity;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.gang.Gang;
import io.gpusched.internal.gang.GangFill;
import io.gpusched.internal.gang.Member;
import io.gpusched.internal.gang.MemberKind;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeClass;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the least that would have to change for a group to start: room for one member more, if that is all that lacks;
 * else the fewest concessions (pods that leave, members that spread, tolerate or accept more) with which it is known to
 * start; else nodes that would have to be added.
 */
final class GangRemedy {
    private final PlacementSearch search;
    private final Cluster cluster;
    private final Gang gang;
    private final SearchSteps steps;

    GangRemedy(PlacementSearch search, Cluster cluster, Gang gang, SearchSteps steps) {
        this.search = search;
        this.cluster = cluster;
        this.gang = gang;
        this.steps = steps;
    }

    /**
     * Returns the remedy.
     *
     * @param fill the members that found room, where most did
     * @param best that place
     * @param places others worth a look, and the best one
     * @param where the best place in words, as the end of a sentence; empty for everywhere
     */
    Remedy find(GangFill fill, NodeRange best, List<NodeRange> places, String where) {
        Rehearsal rehearsal = new Rehearsal(search, cluster, gang, steps);
        List<Member> lacking = lacking(fill);
        if (lacking.size() == 1) {
            Set<String> taken = new HashSet<>();
            fill.placements().forEach(placement -> taken.add(placement.node()));
            List<Change> changes =
                    Diagnoser.freeing(fill.cluster(), lacking.get(0).demand(), best, taken, steps);
            if (!changes.isEmpty()) {
                return new Remedy(rehearsal.fewest(changes));
            }
        }
        for (Set<Generosity> generosities : attempts()) {
            boolean spread = generosities.contains(Generosity.SPREAD) || !isClose();
            List<NodeRange> vacated = spread ? List.of(NodeRange.EVERYWHERE) : places;
            List<Change> changes = rehearsal.changes(generosities, vacated);
            if (changes != null) {
                return new Remedy(changes);
            }
        }
        return new Remedy(moreNodes(lacking, where));
    }

    /** The members that have to find room beside those that have it: what roles lack first, then anyone. */
    private List<Member> lacking(GangFill fill) {
        int[] missing = new int[gang.roles()];
        for (int role = 0; role < missing.length; role++) {
            missing[role] = gang.roleMinimum(role);
        }
        gang.kinds().forEach(kind -> missing[kind.role()] -= fill.byKind()[kind.index()]);
        List<Member> lacking = new ArrayList<>();
        List<Member> others = new ArrayList<>();
        for (Member member : gang.members()) {
            if (!fill.isPlaced(member)) {
                (missing[member.kind().role()]-- > 0 ? lacking : others).add(member);
            }
        }
        int more = gang.group().minMember() - fill.placements().size() - lacking.size();
        lacking.addAll(others.subList(0, Math.max(0, Math.min(more, others.size()))));
        return lacking;
    }

    /** The combinations of concessions that can make a difference, the smallest first. */
    private List<Set<Generosity>> attempts() {
        EnumSet<Generosity> useful = EnumSet.of(Generosity.VACATED);
        if (isClose()) {
            useful.add(Generosity.SPREAD);
        }
        if (gang.kinds().stream().anyMatch(this::meetsTaints)) {
            useful.add(Generosity.TOLERANT);
        }
        if (gang.kinds().stream()
                .anyMatch(kind -> !kind.demand().pod().nodeSelector().terms().isEmpty())) {
            useful.add(Generosity.ANY_LABELS);
        }
        List<Set<Generosity>> attempts = new ArrayList<>();
        attempts.add(EnumSet.noneOf(Generosity.class));
        for (Generosity one : useful) {
            for (Set<Generosity> others : List.copyOf(attempts)) {
                EnumSet<Generosity> with = EnumSet.of(one);
                with.addAll(others);
                attempts.add(with);
            }
        }
        attempts.remove(0);
        attempts.sort(Comparator.comparingInt(Set::size));
        return attempts;
    }

    private boolean meetsTaints(MemberKind kind) {
        for (NodeClass nodeClass : cluster.classes().keySet()) {
            if (!kind.demand().tolerates(nodeClass.taints())) {
                return true;
            }
        }
        return false;
    }

    private List<Change> moreNodes(List<Member> lacking, String where) {
        if (!lacking.stream().map(Member::demand).allMatch(Contradictions::areNone)) {
            return List.of();
        }
        if (isClose() && gang.group().locality().scope() == PodGroup.Locality.Scope.NODE) {
            return List.of(new Change(Kind.ADD_NODE, "", -1, 1, NodeNeeds.together(required())));
        }
        Map<MemberKind, Integer> counts = new LinkedHashMap<>();
        lacking.forEach(member -> counts.merge(member.kind(), 1, Integer::sum));
        List<Change> changes = new ArrayList<>();
        counts.forEach((kind, count) ->
                changes.add(new Change(Kind.ADD_NODE, "", -1, count, NodeNeeds.of(kind.demand()) + where)));
        return changes;
    }

    /** As many members as must start, taken in the group's order. */
    private List<Member> required() {
        int[] left = new int[gang.roles()];
        int more = gang.required();
        for (int role = 0; role < left.length; role++) {
            left[role] = gang.roleMinimum(role);
            more -= left[role];
        }
        List<Member> required = new ArrayList<>();
        for (Member member : gang.members()) {
            if (left[member.kind().role()]-- > 0 || more-- > 0) {
                required.add(member);
            }
        }
        return required;
    }

    /** Whether locality is required. */
    private boolean isClose() {
        PodGroup.Locality locality = gang.group().locality();
        return locality.required() && locality.scope() != PodGroup.Locality.Scope.ANYWHERE;
    }
}
