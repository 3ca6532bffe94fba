package io.gpusched.dialect;

import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.Pod;
import java.util.Optional;

/** How a system lays out a pod on one node as a whole, where it does not go container by container. */
@FunctionalInterface
public interface LayoutRule {
    /** Has no say: containers are laid out one after the other. */
    LayoutRule NONE = (node, pod) -> Optional.empty();

    /** Returns the system's layout, or nothing where the rule has no say; it must be legal on the node. */
    Optional<Placement> place(NodeState node, Pod pod);
}
