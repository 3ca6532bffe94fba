package io.gpusched.model;

import java.util.Objects;

/**
 * Thrown when a change does not go with the snapshot it is applied to: a pod placed twice, a release of what is not
 * there, more taken than is free, an unknown node. The snapshot is as it was before.
 */
public final class PlacementConflictException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception with a message that names both sides of the conflict. */
    public PlacementConflictException(String message) {
        super(Objects.requireNonNull(message, "message"));
    }
}
