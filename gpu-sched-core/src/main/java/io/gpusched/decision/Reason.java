package io.gpusched.decision;

import io.gpusched.check.Checks;
import io.gpusched.workload.GpuRequest;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One reason why some nodes cannot take a request, as data; {@link #detail()} says it in words.
 *
 * @param code what kind of reason
 * @param nodeNames the names of all nodes that are counted under it, in node order, at least one
 * @param amounts what was asked and what there is, in the order in which the words name them
 * @param facts what else belongs to it, such as taints or modes
 * @param gpus the GPU requests that were refused; none if no GPU was asked for
 */
public record Reason(Code code, List<String> nodeNames, List<Amount> amounts, List<Fact> facts, List<GpuRequest> gpus) {
    /**
     * Kinds of reasons, in the order in which a node is examined, which is that of kube-scheduler's filters: a node is counted
     * under the first that applies.
     *
     * <p>Each says what its {@link Reason#amounts() amounts} are, by {@link Amount.Quantity}, and its {@link Reason#facts() facts}; there are none
     * where nothing is said.
     */
    public enum Code {
        /**
         * No node is in a domain of the topology level that a group must stay within.
         * Fact: {@link Fact.Unknown}, or {@link Fact.NoDomain} where other nodes are in one.
         */
        TOPOLOGY_LEVEL(false),
        /**
         * The pod may go to one node only, and it is another one.
         * Fact: {@link Fact.OnlyNode}.
         */
        NODE_NAME(false),
        /**
         * Members of the pod's group run in another domain, and the group must stay in one.
         * Facts: {@link Fact.Elsewhere} of each group.
         */
        GROUP_LOCALITY(true),
        /** The node is cordoned. */
        CORDONED(true),
        /**
         * A taint of the node is not tolerated.
         * Facts: {@link Fact.Tainted} of each.
         */
        TAINT(false),
        /**
         * The pod's node selector does not match the node's labels.
         * Facts: {@link Fact.Labels}, and {@link Fact.Unknown} of each label that no node has.
         */
        NODE_SELECTOR(false),
        /**
         * Another pod on the node takes a port that the pod takes.
         * Facts: {@link Fact.TakenPort} of each.
         */
        HOST_PORT(true),
        /**
         * The node's mode does not admit the request.
         * Facts: {@link Fact.Mode} of each of the nodes' modes.
         */
        NODE_MODE(false),
        /**
         * The node has fewer GPUs than asked for.
         * Amount: GPUS, all of a node.
         */
        TOO_FEW_GPUS(false),
        /**
         * Too few of the node's GPUs are accepted by model, memory or UUID.
         * Amount: GPUS, those accepted. Facts: {@link Fact.Unknown} of each model that no node has.
         */
        GPU_SELECTOR(false),
        /**
         * The node itself has too little CPU, memory or another resource, or takes no pods.
         * Amounts: CPU_MILLIS, MEMORY_MIB, and a RESOURCE for each that is too little. Fact: {@link Fact.NoPods} if some take none.
         */
        NODE_TOO_SMALL(false),
        /**
         * No device of the node is large enough for the share, or the shares cannot be laid out on its devices.
         * Amounts: GPU_COMPUTE_MILLIS and GPU_MEMORY_MIB. Facts: {@link Fact.Unknown} of each profile that no node has,
         * {@link Fact.CannotBeCut} of each that others have, or that models of these GPUs should have.
         */
        GPU_TOO_SMALL(false),
        /**
         * Too few of the accepted GPUs are healthy.
         * Amount: GPUS, the unhealthy ones.
         */
        GPU_UNHEALTHY(true),
        /** Another pod holds the node as a whole. */
        HELD_WHOLE(true),
        /**
         * The node has as many pods as it takes.
         * Amount: PODS, the running ones.
         */
        POD_LIMIT(true),
        /**
         * Pods run on the node, and the request is for the whole of it.
         * Amount: PODS, the running ones.
         */
        NOT_EMPTY(true),
        /**
         * Too little CPU is free.
         * Amount: CPU_MILLIS.
         */
        CPU(true),
        /**
         * Too little memory is free.
         * Amount: MEMORY_MIB.
         */
        MEMORY(true),
        /**
         * Too little is free of a resource that is counted by name.
         * Amounts: a RESOURCE for each that is too little.
         */
        RESOURCE(true),
        /**
         * Too few GPUs are idle.
         * Amount: GPUS, the idle ones.
         */
        IDLE_GPUS(true),
        /**
         * No GPU has enough free for the share.
         * Amounts: GPU_COMPUTE_MILLIS if compute is asked for, GPU_MEMORY_MIB if memory is.
         */
        GPU_SHARE(true),
        /**
         * No GPU has a place free for the hardware partition.
         * Amount: PARTITIONS.
         */
        PARTITION(true),
        /**
         * The containers cannot be laid out together on the node's GPUs, though each might fit alone.
         * Amount: GPUS, the idle ones.
         */
        GPU_LAYOUT(true),
        /**
         * The node is in no domain over which pods are spread, or too many of them would be in its domain.
         * Facts: {@link Fact.Spread} of each constraint.
         */
        TOPOLOGY_SPREAD(true),
        /**
         * No pod that the pod must be near runs in the node's domain.
         * Facts: {@link Fact.Near} of each label of nodes that says what is near.
         */
        POD_AFFINITY(true),
        /**
         * A pod runs in the node's domain that must be kept apart from this one.
         * Facts: {@link Fact.Apart} of each rule.
         */
        POD_ANTI_AFFINITY(true),
        /**
         * The node would do, but a quota of the system that the request comes from is used up.
         * Facts: {@link Fact.Quota} of each.
         */
        QUOTA(true),
        /**
         * The search on this node reached its limit of steps.
         * Amount: GPUS, the idle ones.
         */
        SEARCH_LIMIT(true),
        /**
         * One member of the group would fit here, but the group as a whole does not fit anywhere it may go.
         * Amount: MEMBERS, needed and with room. Fact: {@link Fact.Members}. Where the one member that would fit is
         * looked at alone, the amount is GPUS, the idle ones, and there is no fact.
         */
        GROUP(true);

        private final boolean isTransient;

        Code(boolean isTransient) {
            this.isTransient = isTransient;
        }

        /** Returns whether the reason may no longer apply once pods come or leave, or the node is opened or repaired. */
        public boolean isTransient() {
            return isTransient;
        }
    }

    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if there is no node
     */
    public Reason {
        Objects.requireNonNull(code, "code");
        nodeNames = Checks.list("nodeNames", nodeNames);
        amounts = Checks.list("amounts", amounts);
        facts = Checks.list("facts", facts);
        gpus = Checks.list("gpus", gpus);
        if (nodeNames.isEmpty()) {
            throw new IllegalArgumentException("reason " + code + ": nodes must be at least 1, got none");
        }
    }

    /** Returns the reason that a quota is used up, which these words of its system say. */
    public static Reason ofQuota(List<String> nodeNames, String words) {
        return new Reason(Code.QUOTA, nodeNames, List.of(), List.of(new Fact.Quota(words)), List.of());
    }

    /** Returns how many nodes are counted under it. */
    public int nodes() {
        return nodeNames.size();
    }

    /** Returns the first amount of a quantity; nothing if the reason has none. */
    public Optional<Amount> amount(Amount.Quantity quantity) {
        Objects.requireNonNull(quantity, "quantity");
        return amounts.stream().filter(amount -> amount.quantity() == quantity).findFirst();
    }

    /**
     * Returns the reason in words, such as {@code "1.4 GPUs free in total, at most 0.25 on one GPU; asked 0.3 GPUs"}.
     */
    public String detail() {
        return ReasonWords.of(this);
    }

    @Override
    public String toString() {
        return nodes() + (nodes() == 1 ? " node: " : " nodes: ") + detail();
    }
}
