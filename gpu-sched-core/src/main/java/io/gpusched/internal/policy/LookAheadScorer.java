package io.gpusched.internal.policy;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.NodeState;
import io.gpusched.policy.ClusterStatistics;
import io.gpusched.workload.WorkloadProfile;
import io.gpusched.workload.WorkloadProfile.Shape;
import org.jspecify.annotations.Nullable;

/** The values of {@link io.gpusched.policy.LookAhead}, by one workload profile. Thread-safe. */
public final class LookAheadScorer {
    /** How many states of nodes are at hand: a state is looked at for each shape of pod. */
    private static final int SEEN_BITS = 12;

    private final Outlook outlook;

    /** By hash of their occupancy the states looked at last; read and written without locks, for they are immutable. */
    private final @Nullable Seen[] seen = new Seen[1 << SEEN_BITS];

    private record Seen(NodeState node, ClassOutlook outlook, long cpuMillis, int memorySteps, long value) {
        long score(FreeAmounts left, long leftOnSharedGpus) {
            long gain = value - outlook.cost().of(left, cpuMillis);
            return (gain << CostUnits.TIE_BITS) - Math.min(leftOnSharedGpus, (1 << CostUnits.TIE_BITS) - 1);
        }
    }

    public LookAheadScorer(WorkloadProfile profile) {
        this.outlook = new Outlook(profile);
    }

    /** Returns the cost of what is free on a node, in 1/1024 milli of GPU compute. */
    public long cost(NodeState node) {
        return look(node).value();
    }

    /** Returns the score of a placement. */
    public long score(NodeState before, NodeState after) {
        Seen now = look(before);
        int taken = outlook.mix().stepsTaken(before.freeMemoryMib() - after.freeMemoryMib());
        FreeAmounts left = FreeAmounts.of(after, Math.max(0, now.memorySteps() - taken));
        long score = now.score(left, Delta.leftOnSharedGpus(before, after));
        int gpu = ShareMove.gpu(before, after);
        return gpu < 0 ? score : Math.min(score, leastDominating(now, after, gpu, left) - 1);
    }

    /** Returns the least score of the ways to place a share on another GPU of the node that are better for all. */
    private static long leastDominating(Seen now, NodeState after, int gpu, FreeAmounts left) {
        NodeState before = now.node();
        NodeCost cost = now.outlook().cost();
        int here = FreeAmounts.level(before, gpu);
        int hereLeft = FreeAmounts.level(after, gpu);
        int part = before.freeComputeMillis(gpu) - after.freeComputeMillis(gpu);
        long least = Long.MAX_VALUE;
        int last = here;
        for (int other = 0; other < before.gpuCount(); other++) {
            int there = FreeAmounts.level(before, other);
            if (there == last || there == here || there < part || there == 0 || !cost.areAlike(gpu, other)) {
                continue;
            }
            last = there;
            ShareMove move = new ShareMove(here, hereLeft, there, Math.min(there - part, Shape.WHOLE - 1));
            if (cost.isBetter(move, left, after) && ShareMove.hasRoom(before, after, gpu, other)) {
                least = Math.min(least, now.score(left.with(move), move.thereLeft()));
            }
        }
        return least;
    }

    private Seen look(NodeState node) {
        int at = NodeAccess.occupancyHash(node) * 0x9E3779B9 >>> (Integer.SIZE - SEEN_BITS);
        Seen last = seen[at];
        if (last == null || !isSame(last.node(), node)) {
            ClassOutlook ofClass = outlook.of(node.nodeClass());
            int steps = outlook.mix().stepsFree(node.freeMemoryMib());
            long cpu = node.node().capacity().cpuMillis();
            long value = ofClass.cost().of(FreeAmounts.of(node, steps), cpu);
            last = new Seen(node, ofClass, cpu, steps, value);
            seen[at] = last;
        }
        return last;
    }

    @SuppressWarnings("ReferenceEquality") // mostly the very object that was looked at last
    private static boolean isSame(NodeState a, NodeState b) {
        return a == b || NodeAccess.sameOccupancy(a, b);
    }

    /** Returns statistics over no nodes. */
    public ClusterStatistics statistics() {
        return new LookAheadStatistics(outlook);
    }

    /** Returns what the penalty of a placement depends on. */
    public Object penaltyKey(NodeState before, NodeState after) {
        ClassOutlook ofClass = outlook.of(before.nodeClass());
        return ofClass.loss(outlook.reserve().lost(before, after, ofClass.tiers()));
    }
}
