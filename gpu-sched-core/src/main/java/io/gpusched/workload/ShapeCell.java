package io.gpusched.workload;

import io.gpusched.internal.check.Checks;

/**
 * One cell of a cluster: the GPUs of one model in a domain, in a node, or in a block of a node; see {@link Shape}.
 *
 * @param model the name of the GPU model
 * @param level as in {@link Shape#level}
 * @param name the path of the domain such as {@code zone=z1/rack=r7}, the name of the node, or of a block such as {@code n1[4..7]}
 */
public record ShapeCell(String model, String level, String name) {
    /**
     * Checks the texts.
     *
     * @throws IllegalArgumentException if one is blank
     */
    public ShapeCell {
        Checks.notBlank("cell", "model", model);
        Checks.notBlank("cell", "level", level);
        Checks.notBlank("cell", "name", name);
    }

    @Override
    public String toString() {
        return level + " " + name + " of " + model;
    }
}
