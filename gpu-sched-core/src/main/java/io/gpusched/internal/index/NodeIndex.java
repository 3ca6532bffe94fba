package io.gpusched.internal.index;

import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Nodes of one class, or of several rare ones, to be found by what they have free. */
public interface NodeIndex {
    /** Returns the class of the nodes, or what their classes have in common. */
    NodeClass nodeClass();

    /** Whether labels, taints and rules admit the pod that is asked for to each of the nodes, so that they need not be looked at. */
    boolean isOfAdmitted();

    /**
     * Returns the first of the nodes, in node order, within a range that may have the capacity and passes a test; null if
     * there is none.
     *
     * @param wanted the test; one that always fails visits all candidates
     */
    @Nullable
    NodeState first(CapacityQuery query, NodeRange range, Predicate<? super NodeState> wanted);

    /**
     * Returns the least level, at least {@code percent}, that any shared GPU of the nodes may have left of its compute or of its
     * memory: none has one below it. -1 if none has any.
     */
    int nextSharedLevel(int percent);

    /** Returns whether any of the nodes may have a GPU that is cut into partitions and whose state is of this level. */
    boolean mayHavePartitions(int level);
}
