package io.gpusched.decision;

import io.gpusched.model.Placement;

/**
 * A place was found. Nothing is applied yet: {@code cluster.with(placement)} does that.
 *
 * @param placement the place and what is held there
 */
public record Placed(Placement placement) implements Decision {
    /** Checks that the placement is there. */
    public Placed {
        java.util.Objects.requireNonNull(placement, "placement");
    }

    @Override
    public boolean isPlaced() {
        return true;
    }

    @Override
    public String toString() {
        return "placed: " + placement;
    }
}
