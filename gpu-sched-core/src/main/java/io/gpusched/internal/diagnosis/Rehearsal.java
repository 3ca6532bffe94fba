package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Change;
import io.gpusched.decision.Change.Kind;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.PodCapacity;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.fit.SharedValues;
import io.gpusched.internal.gang.Gang;
import io.gpusched.internal.gang.GangFill;
import io.gpusched.internal.gang.GangScheduler;
import io.gpusched.internal.gang.Member;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Places a group in a world that is more generous than the real one, and says which of the generosities it made use of.
 * What it says would work, because it has been played through. Not thread-safe.
 */
final class Rehearsal {
    /** In what a world may be more generous. */
    enum Generosity {
        /** Nodes are emptied, open and healthy. */
        VACATED,
        /** The members may be anywhere. */
        SPREAD,
        /** The members tolerate every taint. */
        TOLERANT,
        /** The members accept all labels. */
        ANY_LABELS
    }

    /** How many members are placed again, all tries together, to leave out changes that are not needed. */
    private static final int MOST_PLACED_AGAIN = 20_000;

    /** What {@link #changed} plays through. */
    private static final Set<Kind> PLAYED =
            EnumSet.of(Kind.UNCORDON, Kind.REPAIR_GPU, Kind.RELEASE_POD, Kind.EMPTY_NODE);

    private final PlacementSearch search;
    private final Cluster cluster;
    private final Gang gang;
    private final SearchSteps steps;
    private final Map<PodId, Member> members = new HashMap<>();

    Rehearsal(PlacementSearch search, Cluster cluster, Gang gang, SearchSteps steps) {
        this.search = search;
        this.cluster = cluster;
        this.gang = gang;
        this.steps = steps;
        gang.members().forEach(member -> members.put(member.demand().pod().id(), member));
    }

    /**
     * Returns what has to change for the group to start, or null if it cannot start even so.
     *
     * @param places where nodes may be emptied, one place after the other; the one with the fewest changes is taken
     */
    @Nullable
    List<Change> changes(Set<Generosity> generosities, List<NodeRange> places) {
        Gang asking = generous(generosities);
        List<Change> fewest = null;
        if (!generosities.contains(Generosity.VACATED)) {
            return changes(asking, cluster, generosities);
        }
        for (NodeRange place : places) {
            List<Change> changes = vacating(asking, place, generosities);
            if (changes != null && (fewest == null || changes.size() < fewest.size())) {
                fewest = changes;
            }
        }
        return fewest;
    }

    /** Empties the nodes of a place on which least runs, and twice as many each time, until the group can start. */
    private @Nullable List<Change> vacating(Gang asking, NodeRange place, Set<Generosity> generosities) {
        List<NodeState> nodes = new ArrayList<>();
        for (NodeState node : cluster.nodes()) {
            // of thousands of members, each asks of a node what takes time
            if (place.contains(node) && asking.kinds().stream().anyMatch(kind -> Admission.of(kind.demand(), node))) {
                nodes.add(node);
            }
        }
        nodes.sort(Comparator.comparingInt(Rehearsal::use));
        List<Change> all = changes(asking, vacated(nodes), generosities);
        for (int few = 1; all != null && few < nodes.size(); few *= 2) {
            List<Change> changes = changes(asking, vacated(nodes.subList(0, few)), generosities);
            if (changes != null) {
                return changes;
            }
        }
        return all;
    }

    /** How much runs on a node: GPUs first, then pods. */
    private static int use(NodeState node) {
        return (node.gpuCount() - node.idleGpus()) * 1_000 + Math.min(999, node.podCount());
    }

    private Cluster vacated(List<NodeState> nodes) {
        ClusterBatch batch = cluster.batch();
        for (NodeState node : nodes) {
            node.placements().forEach(placement -> batch.release(placement.pod()));
            batch.replaceNode(PodCapacity.healed(node.node()));
        }
        return batch.build();
    }

    private Gang generous(Set<Generosity> generosities) {
        PodGroup group = gang.group();
        List<PodGroup.Role> roles = new ArrayList<>();
        for (PodGroup.Role role : group.roles()) {
            List<Pod> pods = role.pods().stream()
                    .map(pod -> WiderPod.of(
                            cluster,
                            pod,
                            generosities.contains(Generosity.ANY_LABELS),
                            generosities.contains(Generosity.TOLERANT)))
                    .toList();
            roles.add(new PodGroup.Role(role.name(), role.minMember(), pods));
        }
        PodGroup.Locality locality =
                generosities.contains(Generosity.SPREAD) ? PodGroup.Locality.ANYWHERE : group.locality();
        return new Gang(new PodGroup(group.name(), group.minMember(), roles, locality), new SharedValues());
    }

    /** Plays the group through in a world, and again in the real one with what that took of it. */
    private @Nullable List<Change> changes(Gang asking, Cluster world, Set<Generosity> generosities) {
        GangFill fill = schedule(asking, world);
        if (fill == null) {
            return null;
        }
        List<Change> changes = changes(needed(fill.placements()), generosities);
        if (!generosities.contains(Generosity.VACATED)) {
            return changes;
        }
        return schedule(asking, changed(changes)) == null ? null : fewest(asking, changes, generosities);
    }

    /** Returns those of some changes that the group needs to start, if all can be played through; else all. */
    List<Change> fewest(List<Change> changes) {
        boolean arePlayed = changes.stream().allMatch(change -> PLAYED.contains(change.kind()));
        return arePlayed ? fewest(gang, changes, EnumSet.noneOf(Generosity.class)) : changes;
    }

    /** Leaves out each change, one after the other, without which the group starts as well; of very many only some are tried. */
    private List<Change> fewest(Gang asking, List<Change> changes, Set<Generosity> generosities) {
        List<Change> kept = changes;
        Gang now = asking;
        int tries = MOST_PLACED_AGAIN / Math.max(1, gang.members().size());
        for (int at = 0; at < changes.size() && tries > 0 && kept.size() > 1; at++) {
            Change change = changes.get(at);
            if (change.kind() == Kind.TOLERATE_TAINT || change.kind() == Kind.ACCEPT_LABELS) {
                continue; // what members accept is not played through change by change
            }
            List<Change> fewer = new ArrayList<>(kept);
            fewer.remove(change);
            Gang then = change.kind() == Kind.SPREAD_GROUP ? generous(without(Generosity.SPREAD, generosities)) : now;
            if (schedule(then, changed(fewer)) != null) {
                kept = List.copyOf(fewer);
                now = then;
            }
            tries--;
        }
        return kept;
    }

    private static Set<Generosity> without(Generosity one, Set<Generosity> all) {
        EnumSet<Generosity> others = EnumSet.noneOf(Generosity.class);
        others.addAll(all);
        others.remove(one);
        return others;
    }

    private @Nullable GangFill schedule(Gang asking, Cluster world) {
        long allowed = steps.left() / 2;
        SearchSteps mine = SearchSteps.of(allowed);
        GangFill fill = new GangScheduler(search, world, asking, mine)
                .schedule(NodeRange.EVERYWHERE)
                .fill();
        steps.spend(allowed, mine);
        return fill;
    }

    /** The real cluster once pods left, and nodes are open and healthy, as these changes say. */
    private Cluster changed(List<Change> changes) {
        ClusterBatch batch = cluster.batch();
        for (Change change : changes) {
            switch (change.kind()) {
                case UNCORDON -> batch.cordon(change.node(), false);
                case REPAIR_GPU -> batch.gpuHealth(change.node(), change.gpu(), true);
                case RELEASE_POD -> batch.release(PodId.of(change.what()));
                case EMPTY_NODE ->
                    cluster.node(change.node())
                            .orElseThrow()
                            .placements()
                            .forEach(placement -> batch.release(placement.pod()));
                default -> {}
            }
        }
        return batch.build();
    }

    /** The placements of as many members as must start. */
    private List<Placement> needed(List<Placement> placements) {
        int[] left = new int[gang.roles()];
        int more = gang.required();
        for (int role = 0; role < left.length; role++) {
            left[role] = gang.roleMinimum(role);
            more -= left[role];
        }
        List<Placement> needed = new ArrayList<>();
        List<Placement> others = new ArrayList<>();
        for (Placement placement : placements) {
            int role = member(placement).kind().role();
            (left[role]-- > 0 ? needed : others).add(placement);
        }
        needed.addAll(others.subList(0, Math.min(Math.max(0, more), others.size())));
        return needed;
    }

    private Member member(Placement placement) {
        Member member = members.get(placement.pod());
        if (member == null) {
            throw new IllegalStateException("no member of the group: " + placement.pod());
        }
        return member;
    }

    private List<Change> changes(List<Placement> placements, Set<Generosity> generosities) {
        Map<String, List<Member>> byNode = new LinkedHashMap<>();
        placements.forEach(placement -> byNode.computeIfAbsent(placement.node(), any -> new ArrayList<>())
                .add(member(placement)));
        Set<Change> changes = new LinkedHashSet<>();
        if (generosities.contains(Generosity.SPREAD)) {
            changes.add(spread());
        }
        EnumSet<Generosity> ofPods = EnumSet.of(Generosity.TOLERANT, Generosity.ANY_LABELS);
        ofPods.retainAll(generosities);
        byNode.forEach((name, here) -> {
            NodeState node = cluster.node(name).orElseThrow();
            if (!ofPods.isEmpty()) {
                here.forEach(member ->
                        changes.addAll(WiderPod.changes(member.demand().pod(), node)));
            }
            if (generosities.contains(Generosity.VACATED)) {
                changes.addAll(new Vacancy(node, here, search.policy()).changes());
            }
        });
        return List.copyOf(changes);
    }

    private Change spread() {
        PodGroup.Locality locality = gang.group().locality();
        String level = locality.scope() == PodGroup.Locality.Scope.NODE ? "node" : locality.level();
        return Change.of(Kind.SPREAD_GROUP, "", level);
    }
}
