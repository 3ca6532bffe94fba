package io.gpusched.decision;

import io.gpusched.internal.check.Checks;
import io.gpusched.workload.Shape;
import java.util.List;
import java.util.Objects;

/**
 * A queue has fewer cells of a shape than it owns: GPUs are not healthy, nodes are cordoned, or something runs there that cannot be evicted.
 * Queues keep their cells in the order of their priority, then of their age, then of their names; the last of them give up theirs, smaller
 * cells before larger ones.
 *
 * @param queue the queue
 * @param shape what it owns
 * @param missing how many of these it does not have, at least 1
 * @param nodes all nodes with such GPUs of the shape's model, by name
 */
public record ReducedGuarantee(String queue, Shape shape, int missing, List<String> nodes) {
    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if the queue is blank or nothing is missing
     */
    public ReducedGuarantee {
        Checks.notBlank("reduced guarantee", "queue", queue);
        Objects.requireNonNull(shape, "shape");
        Checks.inRange("reduced guarantee", "missing", missing, 1, Integer.MAX_VALUE);
        nodes = Checks.list("nodes", nodes);
    }
}
