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
    private boolean isProven = true;

    RemovalSearch(Cluster before, GpuScheduler scheduler) {
        this.before = before;
        this.now = before;
        this.scheduler = scheduler;
    }

    ScaleDown find(Collection<String> candidates) {
        List<NodeState> sorted = new ArrayList<>();
        for (String name : new HashSet<>(candidates)) {
            sorted.add(before.node(name)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "scale-down: there is no node \"" + name + "\" in the cluster")));
        }
        sorted.sort(EASIEST_FIRST);
        sorted.forEach(this::offer);
        return result();
    }

    private void offer(NodeState node) {
        List<String> all = new ArrayList<>(names());
        all.add(node.name());
        Drain drain = Drain.of(now, mayGoToCordoned(node) ? all : List.of(node.name()), scheduler);
        if (!drain.isPossible() && asksKnown(node) && mayFit(node)) {
            drain = Drain.of(before, all, scheduler);
        }
        if (drain.isPossible()) {
            now = drain.after();
            chosen.add(node);
        } else {
            isProven &= drain.obstacles().stream().allMatch(RemovalSearch::isProven);
        }
    }

    /** Whether the nodes of the set, empty though they are, have to be kept free of its pods by more than a cordon. */
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
                asked = asked.plus(BulkAmounts.asked(placement));
            }
        }
        return asked.fitsIn(free);
    }

    private List<String> names() {
        return chosen.stream().map(NodeState::name).toList();
    }

    private ScaleDown result() {
        List<Placement> moves = new ArrayList<>();
        ClusterBatch batch = now.batch();
        for (NodeState node : chosen) {
            batch.removeNode(node.name());
            node.placements().stream()
                    .map(Placement::pod)
                    .sorted()
                    .forEach(pod -> moves.add(now.placement(pod).orElseThrow()));
        }
        return new ScaleDown(names(), moves, isProven ? Certainty.PROVEN : Certainty.LIMIT, batch.build());
    }
}
