package io.gpusched.analysis;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Unschedulable;
import io.gpusched.internal.rules.Taints;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Grows a set of nodes that can be removed, as {@link ScaleDown} says. */
final class RemovalSearch {
    private static final Comparator<NodeState> EASIEST_FIRST = Comparator.comparingInt(NodeState::podCount)
            .thenComparingInt(node -> node.gpuCount() - node.idleGpus())
            .thenComparing(node -> node.node().topology())
            .thenComparing(NodeState::name);

    private final Cluster before;

    /** The pods that go with their node. */
    private final Set<PodId> bound;

    private final AnalysisSteps steps;
    private final GpuScheduler scheduler;
    private final boolean isRuled;

    /** The nodes of the set are cordoned and empty, their pods moved. */
    private Cluster now;

    private final List<NodeState> chosen = new ArrayList<>();

    /** What the pods of the set take at least, and what the other nodes have free at most. */
    private BulkAmounts asked = BulkAmounts.NOTHING;

    private BulkAmounts free;

    private final Deque<NodeState> untried = new ArrayDeque<>();

    /** The nodes that were refused beside what was moved before, but may join if all pods are placed again. */
    private final Deque<NodeState> refused = new ArrayDeque<>();

    /** The nodes that were refused, whatever is moved. */
    private final List<NodeState> rejected = new ArrayList<>();

    private boolean isProven = true;

    RemovalSearch(Cluster before, Set<PodId> bound, GpuScheduler scheduler, AnalysisSteps steps) {
        this.before = before;
        this.bound = bound;
        this.now = before;
        this.steps = steps;
        this.scheduler = steps.count(scheduler);
        this.free = BulkAmounts.free(before);
        this.isRuled = before.placements().stream().anyMatch(RemovalSearch::looksAtOthers);
    }

    ScaleDown find(Collection<String> candidates) {
        untried.addAll(
                nodes(new HashSet<>(candidates)).stream().sorted(EASIEST_FIRST).toList());
        return grow();
    }

    /** Goes on where an earlier search ended. */
    ScaleDown resume(ScaleDown found) {
        ClusterBatch batch = before.batch();
        nodes(found.nodes()).forEach(node -> {
            note(node);
            batch.cordon(node.name(), true);
            node.placements().forEach(placement -> batch.release(placement.pod()));
        });
        found.moves().forEach(batch::place);
        now = batch.build();
        untried.addAll(nodes(found.untried()));
        refused.addAll(nodes(found.refused()));
        isProven = found.certainty() == Certainty.PROVEN;
        return grow();
    }

    private List<NodeState> nodes(Collection<String> names) {
        return names.stream().map(before::requireNode).toList();
    }

    private void note(NodeState node) {
        chosen.add(node);
        asked = asked.plus(asked(node));
        free = free.minus(BulkAmounts.free(node));
    }

    /*
     * What does not fit elsewhere does not do so either when more nodes leave, so that one pass is enough: unless pods keep each
     * other near or apart. Then a pod may be let in where another has left, and a node that was refused before another joined is
     * tried once more.
     */
    private ScaleDown grow() {
        int size;
        do {
            size = chosen.size();
            while (!untried.isEmpty() && steps.areLeft()) {
                tryBeside(untried.removeFirst());
            }
            while (untried.isEmpty() && !refused.isEmpty() && steps.areLeft()) {
                tryAnew(refused.removeFirst());
            }
            if (isRuled && chosen.size() > size && steps.areLeft()) {
                untried.addAll(rejected);
                rejected.clear();
                isProven = true;
            }
        } while (!untried.isEmpty() && steps.areLeft());
        return isRuled ? together() : oneByOne();
    }

    private void tryBeside(NodeState node) {
        Cluster left = withoutBound(now, List.of(node.name()));
        NodeState present = left.node(node.name()).orElseThrow();
        Drain drain =
                Drain.of(left, mayGoToCordoned(present) ? namesAnd(node) : List.of(node.name()), scheduler, steps);
        if (!drain.isPossible() && asksKnown(node) && mayFit(node)) {
            refused.add(node);
        } else {
            settle(node, drain);
        }
    }

    private void tryAnew(NodeState node) {
        if (mayFit(node)) {
            settle(node, drainAnew(namesAnd(node)));
        } else {
            rejected.add(node);
        }
    }

    private Drain drainAnew(List<String> nodes) {
        return Drain.of(withoutBound(before, nodes), nodes, scheduler, steps);
    }

    private Cluster withoutBound(Cluster cluster, List<String> nodes) {
        if (bound.isEmpty()) {
            return cluster;
        }
        ClusterBatch batch = cluster.batch();
        for (String node : nodes) {
            cluster.node(node).orElseThrow().placements().stream()
                    .map(Placement::pod)
                    .filter(bound::contains)
                    .forEach(batch::release);
        }
        return batch.build();
    }

    /** The pods of a node that need another place. */
    private Stream<Placement> toMove(NodeState node) {
        return node.placements().stream().filter(placement -> !bound.contains(placement.pod()));
    }

    private void settle(NodeState node, Drain drain) {
        if (drain.isPossible()) {
            now = drain.after();
            note(node);
        } else {
            rejected.add(node);
            isProven &= drain.obstacles().stream().allMatch(RemovalSearch::isProven);
        }
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

    /** Whether a cordon does not keep the pods that run on a node by now, moved pods among them, off the nodes of the set. */
    private static boolean mayGoToCordoned(NodeState node) {
        return node.placements().stream()
                .anyMatch(placement -> Pod.of(placement)
                        .map(pod -> Taints.isCordonTolerated(pod.tolerations()))
                        .orElse(false));
    }

    private boolean asksKnown(NodeState node) {
        return toMove(node).allMatch(placement -> Pod.of(placement).isPresent());
    }

    private static boolean isProven(Drain.Obstacle obstacle) {
        return obstacle.refusal().map(Unschedulable::certainty).orElse(Certainty.PROVEN) == Certainty.PROVEN;
    }

    /** Whether what stays has room in sum for the pods of the set and of one node more. */
    private boolean mayFit(NodeState node) {
        return asked.plus(asked(node)).fitsIn(free.minus(BulkAmounts.free(node)));
    }

    private BulkAmounts asked(NodeState node) {
        return toMove(node)
                .map(placement -> BulkAmounts.asked(Pod.of(placement).orElseThrow()))
                .reduce(BulkAmounts.NOTHING, BulkAmounts::plus);
    }

    private List<String> names() {
        return chosen.stream().map(NodeState::name).toList();
    }

    private List<String> namesAnd(NodeState node) {
        List<String> all = new ArrayList<>(names());
        all.add(node.name());
        return all;
    }

    private ScaleDown oneByOne() {
        List<Placement> moves = new ArrayList<>();
        for (NodeState node : chosen) {
            toMove(node)
                    .map(Placement::pod)
                    .sorted()
                    .forEach(pod -> moves.add(now.placement(pod).orElseThrow()));
        }
        return result(names(), moves, now);
    }

    /** Rules hold for all moves of one drain together, but need not for those of several; nodes that only they empty are left out. */
    private ScaleDown together() {
        for (int count = chosen.size(); count > 0; count = steps.areLeft() ? count - 1 : count / 2) {
            List<String> first = names().subList(0, count);
            Drain drain = drainAnew(first);
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
        return new ScaleDown(
                nodes,
                moves,
                isProven ? Certainty.PROVEN : Certainty.LIMIT,
                untried.isEmpty() && refused.isEmpty() ? Extent.COMPLETE : Extent.BUDGET_ENDED,
                untried.stream().map(NodeState::name).toList(),
                refused.stream().map(NodeState::name).toList(),
                bound,
                before,
                batch.build());
    }
}
