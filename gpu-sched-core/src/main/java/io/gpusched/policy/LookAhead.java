package io.gpusched.policy;

import io.gpusched.internal.lookahead.LookAheadScorer;
import io.gpusched.internal.lookahead.LookAheadStatistics;
import io.gpusched.internal.lookahead.PartitionForecast;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * Places a pod where the pods that usually follow will leave least of the GPUs unused.
 *
 * <p>What is free on a node is judged by playing 64 typical pods onto it, sixteen times, and counting the GPU compute that
 * no pod could use in the end; a placement is good if it lowers that most, or raises it least. To that comes a little of
 * what the very next pod could not use (a fiftieth of the measure of {@link FragmentationGradient}), so that gaps are not
 * kept open for pods that may come late, and of the difference between the free parts of CPU and GPU (a fifth of a GPU when
 * one is all free and the other all taken), so that they run out together. GPU models that constrained pods will need cost
 * extra, up to as much as is taken, and so does breaking up the last groups of four or more idle GPUs that large pods will
 * need, up to 375 milli for each GPU. A pod is never refused while it fits. Among equals a share goes to the GPU that has
 * least left.
 *
 * <p>On a node, a share never goes to a GPU where another one would have been better for all: where it would have left
 * room for at least as many pods of each demand of the profile alone, by GPUs, CPU and memory, and for more of some
 * demand. Sequences of mixed pods can see that otherwise, say because a large pod that finds room later keeps small ones
 * out; such a placement scores lower than any that dominates it. Example: 350 milli go to one of two GPUs with 600 and
 * 750 free; if only pods of 350 and 700 milli come, 250 and 750 are left, room for one of 700 and two of 350, and not
 * 600 and 400.
 *
 * <p>Everything follows from a profile of the workload, best {@link WorkloadProfile#of} all pods of the past. There is
 * nothing to tune for a cluster or a workload. Without a past, learn: take {@link BestFit} for the first twenty pods, then
 * the profile of the pods seen so far, made again every two hundred; that has cost up to 0.3 points of allocation against
 * knowing the mix, and makes decisions about three times as dear, since a new policy starts with nothing worked out.
 *
 * <p>A pod that takes hardware partitions goes where these leave fewest units of a grid useless to the partitions that are
 * usually asked for, and for the shortest time; what fits no more is a loss of its own, even where no unit is left over. Of
 * places about equal it takes that on the fullest device.
 *
 * <p>Not modelled in the value: memory of GPUs, taints, labels, deny lists of models. They bind where a pod can go, as
 * always; the value of what is left just does not know them. A node with GPUs of several models counts as one for all
 * pods that accept one of them; host memory is told apart in steps of an eighth of a mean pod's.
 *
 * <p>Cost: about a microsecond for each state of a node that it has not met, a table look-up for others; about 20 ms
 * for the tables, when first used. Values are integers in 1/1024 milli; floating point is used for the tables only.
 * Thread-safe; states that one scheduler has met serve all that share the policy. The ideas it starts from: fragmentation
 * as what a typical pod cannot use ("Beware of Fragmentation", USENIX ATC 2023), roll-outs with common random numbers
 * (Bertsekas and Tsitsiklis, Neuro-Dynamic Programming, 1996).
 */
public final class LookAhead implements ClusterAwarePolicy {
    private final WorkloadProfile profile;
    private final LookAheadScorer scorer;
    private final PartitionForecast partitions;

    private LookAhead(WorkloadProfile profile) {
        this.profile = profile;
        this.scorer = new LookAheadScorer(profile);
        this.partitions = new PartitionForecast(profile);
    }

    /** Returns the policy that expects pods like those of this profile. */
    public static LookAhead of(WorkloadProfile profile) {
        Objects.requireNonNull(profile, "profile");
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
        Objects.requireNonNull(node, "node");
        return scorer.cost(node);
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(pod, "pod");
        return PartitionForecast.isCutting(before, after)
                ? partitions.score(before, after)
                : scorer.score(before, after);
    }

    @Override
    public ClusterAwarePolicy.Statistics statistics() {
        return new Statistics(scorer.statistics());
    }

    @Override
    public Object penaltyKey(NodeState before, NodeState after) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
        return scorer.penaltyKey(before, after);
    }

    @Override
    public Scope scope() {
        return Scope.OCCUPANCY;
    }

    @Override
    public String toString() {
        return "look-ahead";
    }

    private record Statistics(LookAheadStatistics sums) implements ClusterAwarePolicy.Statistics {
        @Override
        public void add(NodeState node) {
            sums.add(node);
        }

        @Override
        public void remove(NodeState node) {
            sums.remove(node);
        }

        @Override
        public ToLongFunction<Object> penalties(Pod pod) {
            return sums.penalties(pod);
        }
    }
}
