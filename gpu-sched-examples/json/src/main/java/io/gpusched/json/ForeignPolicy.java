package io.gpusched.json;

import io.gpusched.model.NodeState;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;
import java.util.Objects;

/**
 * Stands for a policy that is not one of core's own: a document has its name alone. A program that reads the document puts the policy that
 * is meant in its place; this one scores nothing. Immutable and thread-safe.
 *
 * @param name what the policy's {@code toString} said
 */
public record ForeignPolicy(String name) implements PlacementPolicy {
    /** Checks that there is a name. */
    public ForeignPolicy {
        Objects.requireNonNull(name, "name");
    }

    /**
     * Refuses.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        throw new UnsupportedOperationException("policy \"" + name
                + "\" is none of the library's own: it must be given by the program" + " that reads the document");
    }

    @Override
    public String toString() {
        return name;
    }
}
