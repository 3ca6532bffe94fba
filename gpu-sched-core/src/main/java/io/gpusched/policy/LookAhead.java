package io.gpusched.policy;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import io.gpusched.workload.WorkloadProfile.Shape;
import org.jspecify.annotations.Nullable;

/**
 * Places a pod where the pods that usually follow will leave least of the GPUs unused.
 *
 * <p>What is free on a node is judged by playing 64 typical pods onto it, sixteen times, and counting the GPU compute that
 * nobody could use in the end; a placement is good if it lowers that most, or raises it least. To that comes a little of
 * what the very next pod could not use (a fiftieth of the measure of {@link FragmentationGradient}), so that gaps are not
 * kept open for pods that may come late, and of the difference between the free parts of CPU and GPU (a fifth of a GPU when
 * one is all free and the other all taken), so that they run out together. GPU models that constrained pods will need cost
 * extra, up to as much as is taken, and so does breaking up the last groups of four or more idle GPUs that large pods will
 * need, up to 375 milli for each GPU. A pod is never refused while it fits. Among equals a share goes to the GPU that has
 * least left.
 *
 * <p>On a node, a share never goes to a GPU where another one would have been better for all: where it would have left
 * room for at least as many pods of each shape of the profile alone, by GPUs, CPU and memory, and for more of some
 * shape. Sequences of mixed pods can see that otherwise, say because a large pod that finds room later keeps small ones
 * out; such a placement scores lower than any that dominates it. Example: 350 milli go to one of two GPUs with 600 and
 * 750 free; if only pods of 350 and 700 milli come, 250 and 750 are left, room for one of 700 and two of 350, and not
 * 600 and 400.
 *
 * <p>Everything follows from a profile of the workload, best {@link WorkloadProfile#of} all pods of the past. There is
 * nothing to tune for a cluster or a workload. Without a past, learn: take {@link BestFit} for the first twenty pods, then
 * the profile of the pods seen so far, anew every two hundred; that has cost up to 0.3 points of allocation against
 * knowing the mix, and makes decisions about three times as dear, since a new policy starts with nothing worked out.
 *
 * <p>Not modelled in the value: memory of GPUs, taints, labels, deny lists of models. They bind where a pod can go, as
 * always; the value of what is left just does not know them. A node with GPUs of several models counts as one that all
 * who accept one of them may use; host memory is told apart in steps of an eighth of a mean pod's.
 *
 * <p>Cost: about a microsecond for each state of a node not seen lately, a table look-up for others; about 20 ms
 * for the tables, when first used. Values are integers in 1/1024 milli; floating point is used for the tables only.
 * Thread-safe; states that one scheduler has met serve all that share the policy. The ideas it starts from: fragmentation
 * as what a typical pod cannot use ("Beware of Fragmentation", USENIX ATC 2023), roll-outs with common random numbers
 * (Bertsekas and Tsitsiklis, Neuro-Dynamic Programming, 1996).
 */
public final class LookAhead implements ClusterAwarePolicy {
    /** How many states of nodes are at hand: a state is looked at for each shape of pod. */
    private static final int SEEN_BITS = 12;

    private final WorkloadProfile profile;
    private final Outlook outlook;

    /** By hash of their occupancy the states looked at last; read and written without locks, for they are immutable. */
    private final @Nullable Seen[] seen = new Seen[1 << SEEN_BITS];

    private record Seen(NodeState node, ClassOutlook outlook, long cpuMillis, int memorySteps, long value) {
        long score(FreeAmounts left, long leftOnSharedGpus) {
            long gain = value - outlook.cost().of(left, cpuMillis);
            return (gain << CostUnits.TIE_BITS) - Math.min(leftOnSharedGpus, (1 << CostUnits.TIE_BITS) - 1);
        }
    }

    private LookAhead(WorkloadProfile profile) {
        this.profile = profile;
        this.outlook = new Outlook(profile);
    }

    /** Returns the policy that expects pods like those of this profile. */
    public static LookAhead of(WorkloadProfile profile) {
        return new LookAhead(profile);
    }

    /** Returns the profile of the pods it expects. */
    public WorkloadProfile profile() {
        return profile;
    }

    /**
     * Returns what is expected to stay unused of what is free on a node, and the other terms of its value, in 1/1024 milli
     * of GPU compute; penalties are not part of it.
     */
    public long cost(NodeState node) {
        return look(node).value();
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
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

    @Override
    public ClusterStatistics statistics() {
        return new LookAheadStatistics(outlook);
    }

    @Override
    public Object penaltyKey(NodeState before, NodeState after) {
        ClassOutlook ofClass = outlook.of(before.nodeClass());
        return ofClass.loss(outlook.reserve().lost(before, after, ofClass.tiers()));
    }

    @Override
    public Scope scope() {
        return Scope.OCCUPANCY;
    }

    @Override
    public String toString() {
        return "look-ahead";
    }
}
