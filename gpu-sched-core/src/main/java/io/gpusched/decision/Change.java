package io.gpusched.decision;

import java.util.Objects;

/**
 * One step of a {@link Remedy}: something that has to change so that the request fits.
 *
 * @param kind what to do
 * @param node the node it concerns; empty if it concerns none
 * @param gpu the index of the GPU it concerns, or -1
 * @param amount how much or how many, if the kind says so; otherwise 0
 * @param what the pod, the taint, the resource or the text that goes with the kind; otherwise empty
 */
public record Change(Kind kind, String node, int gpu, long amount, String what) {
    /** What to do. */
    public enum Kind {
        /** Let new pods onto the node again. */
        UNCORDON,
        /** Release the pod named, which holds the node as a whole. */
        RELEASE_HOLDER,
        /** Release the pod named. */
        RELEASE_POD,
        /** Release any one pod of the node. */
        RELEASE_ANY_POD,
        /** Release all pods of the node; the amount says how many. */
        EMPTY_NODE,
        /** Release all pods that hold GPUs of the node. */
        FREE_GPUS,
        /** Free this much CPU of the node, in milli. */
        FREE_CPU,
        /** Free this much memory of the node, in MiB. */
        FREE_MEMORY,
        /** Free this much of the resource named on the node. */
        FREE_RESOURCE,
        /** Release the pod that holds the GPU whole. */
        FREE_GPU,
        /** Free this much compute of the GPU, in milli. */
        FREE_GPU_COMPUTE,
        /** Free this much memory of the GPU, in MiB. */
        FREE_GPU_MEMORY,
        /** Free this many slots of the GPU. */
        FREE_GPU_SLOTS,
        /** Let this many more GPUs become idle; the text says how many are idle and how many must be. */
        IDLE_GPUS,
        /** Repair the GPU. */
        REPAIR_GPU,
        /** Let the pod tolerate the taint named. */
        TOLERATE_TAINT,
        /** Let the pod accept the labels of the node. */
        ACCEPT_LABELS,
        /** Let the members of the group be on more than one node, or in more than one domain of the level named. */
        SPREAD_GROUP,
        /** Add as many nodes as the amount says, each as the text describes it. */
        ADD_NODE,
        /** Ask for one of the topology levels named. */
        CHOOSE_LEVEL,
        /** Change a quota as the text says. */
        RAISE_QUOTA
    }

    /** Checks that nothing is missing. */
    public Change {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(what, "what");
    }

    /** Returns a change that concerns a node. */
    public static Change of(Kind kind, String node) {
        return new Change(kind, node, -1, 0, "");
    }

    /** Returns a change of this amount that concerns a node. */
    public static Change of(Kind kind, String node, long amount) {
        return new Change(kind, node, -1, amount, "");
    }

    /** Returns a change that concerns a node and a pod, a taint or some words. */
    public static Change of(Kind kind, String node, String what) {
        return new Change(kind, node, -1, 0, what);
    }

    /** Returns a change of this amount that concerns a GPU. */
    public static Change onGpu(Kind kind, String node, int gpu, long amount) {
        return new Change(kind, node, gpu, amount, "");
    }

    /** Returns the change in words. */
    @Override
    public String toString() {
        String onGpu = " on gpu " + gpu + " of " + node;
        return switch (kind) {
            case UNCORDON -> "uncordon " + node;
            case RELEASE_HOLDER -> "release pod \"" + what + "\", which holds all of " + node;
            case RELEASE_POD -> "release pod \"" + what + "\" on " + node;
            case RELEASE_ANY_POD -> "one pod less on " + node;
            case EMPTY_NODE ->
                "empty " + node + " (" + amount + (amount == 1 ? " pod runs there)" : " pods run there)");
            case FREE_GPUS -> "free the GPUs of " + node;
            case FREE_CPU -> "free " + amount + "m CPU on " + node;
            case FREE_MEMORY -> "free " + amount + " MiB of memory on " + node;
            case FREE_RESOURCE -> "free " + amount + " " + what + " on " + node;
            case FREE_GPU -> "free gpu " + gpu + " of " + node + ", which one pod holds whole";
            case FREE_GPU_COMPUTE -> "free " + amount + "m of compute" + onGpu;
            case FREE_GPU_MEMORY -> "free " + amount + " MiB of GPU memory" + onGpu;
            case FREE_GPU_SLOTS -> "free " + amount + " of the slots" + onGpu;
            case IDLE_GPUS -> amount + " more idle GPU" + (amount == 1 ? "" : "s") + " on " + node + " (" + what + ")";
            case REPAIR_GPU -> "repair gpu " + gpu + " of " + node;
            case TOLERATE_TAINT -> "tolerate taint " + what + " of " + node;
            case ACCEPT_LABELS -> "accept the labels of " + node;
            case SPREAD_GROUP -> "let the group use more than one " + what;
            case ADD_NODE -> amount > 1 ? "add " + amount + " nodes, each with " + what : "add a node with " + what;
            case CHOOSE_LEVEL -> "ask for a topology level that nodes have: " + what;
            case RAISE_QUOTA -> what;
        };
    }
}
