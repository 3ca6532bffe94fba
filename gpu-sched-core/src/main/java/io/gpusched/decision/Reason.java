package io.gpusched.decision;

/**
 * One reason why some nodes cannot take a request.
 *
 * @param code what kind of reason
 * @param nodes how many nodes it keeps away, at least 1
 * @param detail the amounts, for a person, such as {@code "1.4 gpus free in total, at most 0.25 on one gpu, asked 0.3"}
 */
public record Reason(Code code, int nodes, String detail) {
    /**
     * Kinds of reasons, in the order in which a node is examined: the first that applies is the node's one reason. Those
     * up to {@link #GPU_TOO_SMALL} do not go away when pods leave.
     */
    public enum Code {
        /** The pod's node selector does not match the node's labels. */
        NODE_SELECTOR,
        /** A taint of the node is not tolerated. */
        TAINT,
        /** The node's mode does not admit the request. */
        NODE_MODE,
        /** The node has fewer GPUs than asked for. */
        TOO_FEW_GPUS,
        /** Too few of the node's GPUs are accepted by model, memory or UUID. */
        GPU_SELECTOR,
        /** The node itself has too little CPU or memory, or takes no pods. */
        NODE_TOO_SMALL,
        /** No device of the node is large enough for the share, or the shares cannot be laid out on its devices. */
        GPU_TOO_SMALL,
        /** The node is cordoned. */
        CORDONED,
        /** Too few of the accepted GPUs are healthy. */
        GPU_UNHEALTHY,
        /** Another pod holds the node as a whole. */
        HELD_WHOLE,
        /** The node has as many pods as it takes. */
        POD_LIMIT,
        /** Pods run on the node, and the request is for the whole of it. */
        NOT_EMPTY,
        /** Too little CPU is free. */
        CPU,
        /** Too little memory is free. */
        MEMORY,
        /** Too few GPUs are idle. */
        IDLE_GPUS,
        /** No GPU has enough free for the share. */
        GPU_SHARE,
        /** The containers cannot be laid out together on the node's GPUs, though each might fit alone. */
        GPU_LAYOUT,
        /** The search on this node gave up at its limit of steps. */
        SEARCH_LIMIT,
        /** One member of the group would fit here, but the group as a whole does not fit anywhere it may go. */
        GROUP;

        /** Returns whether it may go away when pods leave. */
        public boolean isTransient() {
            return compareTo(GPU_TOO_SMALL) > 0;
        }
    }

    /**
     * Checks the count.
     *
     * @throws IllegalArgumentException if the count is below 1
     */
    public Reason {
        if (nodes < 1) {
            throw new IllegalArgumentException("reason " + code + ": nodes must be at least 1, got " + nodes);
        }
    }

    @Override
    public String toString() {
        return nodes + (nodes == 1 ? " node: " : " nodes: ") + detail;
    }
}
