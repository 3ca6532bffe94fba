package io.gpusched.testkit;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.FirstFit;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodRules;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Where pods with rules between them may go, alone and together: {@link PlainRules} on every node, in every order. */
public final class RuledPlaces {
    private RuledPlaces() {}

    /** Returns the nodes that a pod may go to. */
    public static List<String> legal(Cluster cluster, Pod pod) {
        return legal(cluster, pod, node -> true);
    }

    private static List<String> legal(Cluster cluster, Pod pod, Predicate<NodeState> among) {
        return cluster.nodes().stream()
                .filter(among)
                .filter(node -> PlainRules.refusal(cluster, pod, node).isEmpty())
                .filter(node -> hasRoom(node, pod))
                .map(NodeState::name)
                .toList();
    }

    /** Whether there is room by an open node with the same use, where no rule is looked at. */
    public static boolean hasRoom(NodeState node, Pod pod) {
        Cluster alone = Cluster.of(List.of(node.node().withCordoned(false)), node.placements());
        Pod plain = pod.withRules(PodRules.NONE);
        return GpuScheduler.builder()
                .policy(FirstFit.of())
                .memory(0)
                .build()
                .place(alone.node(0), plain)
                .isPresent();
    }

    /** Returns whether pods may all start, in some order and some places. */
    public static boolean canStart(Cluster cluster, List<Pod> missing) {
        return canStart(cluster, missing, node -> true);
    }

    /** As {@link #canStart(Cluster, List)}, on some of the nodes. */
    public static boolean canStart(Cluster cluster, List<Pod> missing, Predicate<NodeState> among) {
        for (Pod pod : missing) {
            List<Pod> rest = new ArrayList<>(missing);
            rest.remove(pod);
            for (String node : legal(cluster, pod, among)) {
                for (NodeState after : BruteForce.ways(open(cluster, node), pod)) {
                    Placement placement = after.placements().stream()
                            .filter(held -> held.isOf(pod.id()))
                            .findFirst()
                            .orElseThrow()
                            .withSpec(pod.spec());
                    if (canStart(cluster.with(placement), rest, among)) {
                        return true;
                    }
                }
            }
        }
        return missing.isEmpty();
    }

    private static NodeState open(Cluster cluster, String node) {
        return cluster.withCordoned(node, false).node(node).orElseThrow();
    }
}
