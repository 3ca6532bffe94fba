package io.gpusched.analysis;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Unschedulable;
import io.gpusched.internal.rules.Taints;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Grows a set of nodes that can be removed, as {@link ScaleDown} says. */
final class RemovalSearch {
    private static final Comparator<NodeState> EASIEST_FIRST = Comparator.comparingInt(NodeState::podCount)
            .thenComparingInt(node -> node.gpuCount() - node.idleGpus())
            .thenComparing(node -> node.node().topology())
            .thenComparing(NodeState::name);

    private final Cluster before;
    private final GpuScheduler scheduler;

    /** The nodes of the set are cordoned and empty, their pods moved. */
    private Cluster now;

    private final List<NodeState> chosen = new ArrayList<>();

    /** Whether all refusals of the last pass over the candidates are proven. */
    private boolean isProven = true;

    RemovalSearch(Cluster before, GpuScheduler scheduler) {
        this.before = before;
        this.now = before;
        this.scheduler = scheduler;
    }

    /*
     * What does not fit elsewhere does not do so either when more nodes leave, so that one pass is enough: unless pods keep each
     * other near or apart. Then a pod may be let in where another has left, and whoever was refused before a node joined is
     * tried once more.
     */
    ScaleDown find(Collection<String> candidates) {
        List<NodeState> open = sorted(candidates);
        boolean isRuled = before.placements().stream().anyMatch(RemovalSearch::looksAtOthers);
        boolean again = true;
        while (again) {
            isProven = true;
            List<NodeState> refused =
                    open.stream().filter(node -> !hasJoined(node)).toList();
            again = isRuled && refused.size() < open.size();
            open = refused;
        }
        return isRuled ? together() : oneByOne();
    }

    private List<NodeState> sorted(Collection<String> candidates) {
        List<NodeState> sorted = new ArrayList<>();
        for (String name : new HashSet<>(candidates)) {
            sorted.add(before.node(name)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "scale-down: there is no node \"" + name + "\" in the cluster")));
        }
        sorted.sort(EASIEST_FIRST);
        return sorted;
    }

    private static boolean looksAtOthers(Placement placement) {
        return placement.group().isPresent()
                        && placement.group().get().all().stream()
                                .anyMatch(group -> group.locality().isBinding())
                || Pod.of(placement).map(Pod::rules).stream()
                        .anyMatch(rules -> !rules.affinity().required().isEmpty()
                                || !rules.antiAffinity().required().isEmpty()
                                || rules.spread().stream().anyMatch(TopologySpread::required));
    }

    private boolean hasJoined(NodeState node) {
        List<String> all = new ArrayList<>(names());
        all.add(node.name());
        NodeState present = now.node(node.name()).orElseThrow();
        Drain drain = Drain.of(now, mayGoToCordoned(present) ? all : List.of(node.name()), scheduler);
        if (!drain.isPossible() && asksKnown(node) && mayFit(node)) {
            drain = Drain.of(before, all, scheduler);
        }
        if (drain.isPossible()) {
            now = drain.after();
            chosen.add(node);
            return true;
        }
        isProven &= drain.obstacles().stream().allMatch(RemovalSearch::isProven);
        return false;
    }

    /** Whether a cordon does not keep the pods that run on a node by now, moved pods among them, off the nodes of the set. */
    private static boolean mayGoToCordoned(NodeState node) {
        return node.placements().stream()
                .anyMatch(placement -> Pod.of(placement)
                        .map(pod -> Taints.isCordonTolerated(pod.tolerations()))
                        .orElse(false));
    }

    private static boolean asksKnown(NodeState node) {
        return node.placements().stream()
                .allMatch(placement -> Pod.of(placement).isPresent());
    }

    private static boolean isProven(Drain.Obstacle obstacle) {
        return obstacle.refusal().map(Unschedulable::certainty).orElse(Certainty.PROVEN) == Certainty.PROVEN;
    }

    /** Whether what stays has room in sum for the pods of the set and of one node more. */
    private boolean mayFit(NodeState node) {
        Set<String> leaving = new HashSet<>(names());
        leaving.add(node.name());
        BulkAmounts asked = BulkAmounts.NOTHING;
        BulkAmounts free = BulkAmounts.free(before);
        for (String name : leaving) {
            NodeState leaver = before.node(name).orElseThrow();
            free = free.minus(BulkAmounts.free(leaver));
            for (Placement placement : leaver.placements()) {
                asked = asked.plus(BulkAmounts.asked(Pod.of(placement).orElseThrow()));
            }
        }
        return asked.fitsIn(free);
    }

    private List<String> names() {
        return chosen.stream().map(NodeState::name).toList();
    }

    private ScaleDown oneByOne() {
        List<Placement> moves = new ArrayList<>();
        for (NodeState node : chosen) {
            node.placements().stream()
                    .map(Placement::pod)
                    .sorted()
                    .forEach(pod -> moves.add(now.placement(pod).orElseThrow()));
        }
        return result(names(), moves, now);
    }

    /** Rules hold for all moves of one drain together, but need not for those of several; nodes that only they empty are left out. */
    private ScaleDown together() {
        for (int count = chosen.size(); count > 0; count--) {
            List<String> first = names().subList(0, count);
            Drain drain = Drain.of(before, first, scheduler);
            if (drain.isPossible()) {
                return result(first, drain.moves(), drain.after());
            }
            isProven = false;
        }
        return result(List.of(), List.of(), before);
    }

    private ScaleDown result(List<String> nodes, List<Placement> moves, Cluster cluster) {
        ClusterBatch batch = cluster.batch();
        nodes.forEach(batch::removeNode);
        return new ScaleDown(nodes, moves, isProven ? Certainty.PROVEN : Certainty.LIMIT, batch.build());
    }
}
