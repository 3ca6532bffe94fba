package io.gpusched.internal.gang;

import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/** Whether the least that members may start with in sum, of something that nodes have, is free on all nodes together. */
final class SumBound {
    private final Gang gang;
    private final ToLongFunction<MemberKind> asked;
    private final ToLongFunction<NodeState> had;
    private final List<MemberKind> leastFirst;
    private long free;

    private SumBound(Gang gang, ToLongFunction<MemberKind> asked, ToLongFunction<NodeState> had) {
        this.gang = gang;
        this.asked = asked;
        this.had = had;
        this.leastFirst = new ArrayList<>(gang.kinds());
        leastFirst.sort(Comparator.comparingLong(asked));
    }

    /** Returns the bounds by CPU, memory, idle GPUs, compute of shares and number of pods. */
    static List<SumBound> of(Gang gang) {
        return List.of(
                new SumBound(gang, kind -> kind.demand().resources().cpuMillis(), NodeState::freeCpuMillis),
                new SumBound(gang, kind -> kind.demand().resources().memoryMib(), NodeState::freeMemoryMib),
                new SumBound(gang, MemberKind::idleGpus, NodeState::idleGpus),
                new SumBound(gang, MemberKind::shareMillis, NodeState::freeComputeMillis),
                new SumBound(gang, kind -> 1, node -> node.nodeClass().maxPods() - node.podCount()));
    }

    /** Returns false only if some sum shows that the group cannot start on these nodes; O(nodes). */
    static boolean mayStart(Gang gang, List<NodeState> nodes) {
        List<SumBound> sums = of(gang);
        for (NodeState node : nodes) {
            sums.forEach(sum -> sum.add(node));
        }
        return sums.stream().allMatch(sum -> sum.isEnough(new int[gang.kinds().size()], gang.sizes()));
    }

    /** Takes note of a node. */
    void add(NodeState node) {
        free += had.applyAsLong(node);
    }

    /** Takes note of a node that changed. */
    void change(NodeState before, NodeState after) {
        free += had.applyAsLong(after) - had.applyAsLong(before);
    }

    /**
     * Whether there is enough.
     *
     * @param placed how many members of each kind have a place
     * @param most how many may have one in the end
     */
    boolean isEnough(int[] placed, int[] most) {
        return gang.leastSum(placed, most, leastFirst, asked) <= free;
    }
}
