package io.gpusched.workload;

import io.gpusched.internal.check.Checks;

/**
 * Cells of one kind that are guaranteed to a queue: domains of the topology, whole nodes, or aligned blocks of GPUs.
 *
 * <pre>{@code
 * Shape.domains(2, "rack", 8, "H100"); // two racks of at least 8 nodes
 * Shape.nodes(4, "H100");              // four whole nodes
 * Shape.gpus(16, 1, "H100");           // sixteen single GPUs
 * }</pre>
 *
 * <p>The GPUs of one model in a domain, in a node, in half a node and so on are cells: a node of 8 GPUs is one block of 8, two of 4, four
 * of 2 and eight of 1, by the order of their indices. Two cells are apart, or one is in the other.
 *
 * @param count how many, 1 to 1,000,000
 * @param level the level of the topology, such as {@code rack}; {@link #NODE}; or {@link #GPU}
 * @param size the number of nodes in a domain or of GPUs in a node, at least; the number of GPUs in a block, exactly
 * @param model the name of the GPU model, such as {@code H100}
 */
public record Shape(int count, String level, int size, String model) {
    /** The level of whole nodes. */
    public static final String NODE = "node";

    /** The level of blocks of GPUs in a node. */
    public static final String GPU = "gpu";

    private static final int MOST = 1_000_000;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a text is blank or a number is out of range
     */
    public Shape {
        Checks.inRange("shape", "count", count, 1, MOST);
        Checks.notBlank("shape", "level", level);
        Checks.inRange("shape", "size", size, 1, MOST);
        Checks.notBlank("shape", "model", model);
    }

    /** Returns domains of a level that have at least so many nodes with GPUs of a model. */
    public static Shape domains(int count, String level, int size, String model) {
        return new Shape(count, level, size, model);
    }

    /** Returns whole nodes with GPUs of a model. */
    public static Shape nodes(int count, String model) {
        return new Shape(count, NODE, 1, model);
    }

    /** Returns aligned blocks of GPUs of a model: a block is a node's GPUs halved as often as that is possible, or one GPU. */
    public static Shape gpus(int count, int size, String model) {
        return new Shape(count, GPU, size, model);
    }

    @Override
    public String toString() {
        String what = level.equals(GPU) ? "block of " + size + " GPUs" : level + " of at least " + size;
        return count + " x " + what + " of " + model;
    }
}
