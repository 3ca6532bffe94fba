package io.gpusched.internal.lookahead;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.access.StateNote;
import io.gpusched.model.NodeState;
import io.gpusched.policy.ClusterStatistics;
import io.gpusched.workload.WorkloadProfile;
import io.gpusched.workload.WorkloadProfile.Shape;

/** The values of {@link io.gpusched.policy.LookAhead}, by one workload profile. Thread-safe. */
public final class LookAheadScorer {
    private final Forecast outlook;

    /** Stands for this scorer in the notes it leaves. */
    private final Object self = new Object();

    public LookAheadScorer(WorkloadProfile profile) {
        this.outlook = new Forecast(profile);
    }

    /** Returns the cost of what is free on a node, in 1/1024 milli of GPU compute. */
    public long cost(NodeState node) {
        return look(node, outlook.of(node.nodeClass()).cost()).value();
    }

    /** Returns the score of a placement. */
    public long score(NodeState before, NodeState after) {
        NodeCost cost = outlook.of(before.nodeClass()).cost();
        StateNote now = look(before, cost);
        int taken = outlook.mix().stepsTaken(before.freeMemoryMib() - after.freeMemoryMib());
        FreeAmounts left = FreeAmounts.of(after, Math.max(0, now.memorySteps() - taken));
        Comparison comparison = new Comparison(before, now.value(), cost);
        long score = comparison.score(left, NodeChange.leftOnSharedGpus(before, after));
        int gpu = ShareMove.gpu(before, after);
        return gpu < 0 ? score : Math.min(score, comparison.leastDominating(after, gpu, left) - 1);
    }

    /** Returns what this scorer thinks of a state, which it notes there: a state is looked at for each shape of pod. */
    @SuppressWarnings("ReferenceEquality") // the author of a note is an identity
    private StateNote look(NodeState node, NodeCost cost) {
        StateNote note = NodeAccess.note(node);
        if (note == null || note.author() != self) {
            int steps = outlook.mix().stepsFree(node.freeMemoryMib());
            long cpuMillis = node.capacity().cpuMillis();
            note = new StateNote(self, cost.of(FreeAmounts.of(node, steps), cpuMillis), steps);
            NodeAccess.leaveNote(node, note);
        }
        return note;
    }

    /**
     * The ways to place a pod on a node.
     *
     * @param value the cost of what is free as it is
     * @param cost the cost of what will be left
     */
    private record Comparison(NodeState before, long value, NodeCost cost) {
        long score(FreeAmounts left, long leftOnSharedGpus) {
            long gain = value - cost.of(left, before.capacity().cpuMillis());
            return (gain << CostUnits.TIE_BITS) - Math.min(leftOnSharedGpus, (1 << CostUnits.TIE_BITS) - 1);
        }

        /** Returns the least score of the ways to place a share on another GPU of the node that are better for all. */
        long leastDominating(NodeState after, int gpu, FreeAmounts left) {
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
                    least = Math.min(least, score(left.with(move), move.thereLeft()));
                }
            }
            return least;
        }
    }

    /** Returns statistics over no nodes. */
    public ClusterStatistics statistics() {
        return new LookAheadStatistics(outlook);
    }

    /** Returns what the penalty of a placement depends on. */
    public Object penaltyKey(NodeState before, NodeState after) {
        HardwareForecast ofClass = outlook.of(before.nodeClass());
        return ofClass.loss(outlook.reserve().lost(before, after, ofClass.tiers()));
    }
}
