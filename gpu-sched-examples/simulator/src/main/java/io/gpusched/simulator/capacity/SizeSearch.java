package io.gpusched.simulator.capacity;

import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * How many nodes of a kind must be added until a goal is met, by bisection: more nodes are taken not to make it worse. The number below
 * the answer has been played too, and does not meet it.
 */
public final class SizeSearch {
    private final CapacityStudy study;
    private final List<Node> nodes;
    private final NodeKind kind;
    private final Goal goal;
    private final int threads;
    private final Map<Integer, ClusterResult> tried = new TreeMap<>();

    private SizeSearch(CapacityStudy study, List<Node> nodes, NodeKind kind, Goal goal, int threads) {
        this.study = study;
        this.nodes = nodes;
        this.kind = kind;
        this.goal = goal;
        this.threads = threads;
    }

    /**
     * What was found.
     *
     * @param added how many nodes are added; empty if even the most are too few
     * @param why why the search ended there
     * @param tried what was played, by the number of nodes
     */
    public record Answer(OptionalInt added, String why, List<ClusterResult> tried) {
        /** Copies the list. */
        public Answer {
            tried = List.copyOf(tried);
        }
    }

    /**
     * Searches among 0 to {@code most} nodes more.
     *
     * @throws IllegalArgumentException if the kind is not known
     */
    public static Answer of(CapacityStudy study, List<Node> nodes, NodeKind kind, int most, Goal goal, int threads) {
        return new SizeSearch(study, nodes, kind, goal, threads).search(most);
    }

    private Answer search(int most) {
        if (holds(0)) {
            return answer(OptionalInt.of(0), "the cluster as it is meets it: " + words(0));
        }
        if (!holds(most)) {
            return answer(
                    OptionalInt.empty(),
                    "even with " + most + (most == 1 ? " more node" : " more nodes") + " it is not met: "
                            + words(most));
        }
        int fails = 0;
        int holds = most;
        while (holds - fails > 1) {
            int middle = fails + (holds - fails) / 2;
            if (holds(middle)) {
                holds = middle;
            } else {
                fails = middle;
            }
        }
        return answer(
                OptionalInt.of(holds),
                holds + (holds == 1 ? " more node meets it: " : " more nodes meet it: ") + words(holds) + "; "
                        + (fails == 0
                                ? "the cluster as it is does not: "
                                : fails + (fails == 1 ? " does not: " : " do not: "))
                        + words(fails));
    }

    private boolean holds(int added) {
        return goal.holds(played(added));
    }

    private ClusterResult played(int added) {
        return tried.computeIfAbsent(added, count -> {
            List<Node> grown = new ArrayList<>(nodes);
            grown.addAll(kind.nodes(nodes, count));
            return study.play("+" + count + "@" + kind, grown, threads);
        });
    }

    private String words(int added) {
        return goal.words(played(added));
    }

    private Answer answer(OptionalInt added, String why) {
        return new Answer(added, why, List.copyOf(tried.values()));
    }
}
