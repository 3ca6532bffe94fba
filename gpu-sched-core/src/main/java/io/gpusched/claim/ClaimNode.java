package io.gpusched.claim;

import io.gpusched.model.Node;
import java.util.Objects;

/**
 * A node on which claims may be allocated.
 *
 * @param node its name and labels
 * @param hasNodeOperations whether it declares the feature {@code DRAOptionalNodeOperations}; alpha
 */
public record ClaimNode(Node node, boolean hasNodeOperations) {
    /** Checks that nothing is null. */
    public ClaimNode {
        Objects.requireNonNull(node, "node");
    }

    /** Returns a node that declares no alpha feature. */
    public static ClaimNode of(Node node) {
        return new ClaimNode(node, false);
    }
}
