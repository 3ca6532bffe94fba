package io.gpusched.model;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a change does not go with the snapshot it is applied to: a pod placed twice, a release of what is not
 * there, more taken than is free, an unknown node. The snapshot is as it was before.
 */
public final class PlacementConflictException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable PodId pod;
    private final @Nullable String node;
    private final String field;

    /** Creates the exception with a message that names both sides of the conflict; the others are as {@link #pod}, {@link #node} and {@link #field} say. */
    public PlacementConflictException(@Nullable PodId pod, @Nullable String node, String field, String message) {
        super(Objects.requireNonNull(message, "message"));
        this.pod = pod;
        this.node = node;
        this.field = Objects.requireNonNull(field, "field");
    }

    /** Returns the pod that cannot be placed or released; empty if the change is one of a node. */
    public Optional<PodId> pod() {
        return Optional.ofNullable(pod);
    }

    /** Returns the node on which the conflict is; empty if the pod runs on none. */
    public Optional<String> node() {
        return Optional.ofNullable(node);
    }

    /**
     * Returns what of the change does not go with the snapshot: {@code pod} if it runs already, does not run or runs otherwise,
     * {@code node} if there is none of this name or others hold it, {@code pods} for their number, {@code mode}, {@code cpuMillis},
     * {@code memoryMib}, the name of a resource, or a GPU such as {@code gpus[3]}.
     */
    public String field() {
        return field;
    }
}
