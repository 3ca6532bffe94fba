package io.gpusched.decision;

import io.gpusched.model.Placement;
import java.util.Objects;
import java.util.Optional;

/**
 * A place was found. Nothing is applied yet: {@code cluster.with(placement)} does that.
 *
 * @param placement the node, and what the pod holds there
 * @param certainty {@link Certainty#PROVEN} if no legal placement scores higher, {@link Certainty#FOUND} if this is the best
 *     that was found before the search reached its limit
 */
public record Placed(Placement placement, Certainty certainty) implements Decision {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the certainty is {@link Certainty#LIMIT}, which only a refusal can have
     */
    public Placed {
        Objects.requireNonNull(placement, "placement");
        requireOfPlacement(certainty);
    }

    static void requireOfPlacement(Certainty certainty) {
        Objects.requireNonNull(certainty, "certainty");
        if (certainty == Certainty.LIMIT) {
            throw new IllegalArgumentException("placed: certainty must be PROVEN or FOUND, got LIMIT");
        }
    }

    /** Creates a placement that is proven to be the best. */
    public Placed(Placement placement) {
        this(placement, Certainty.PROVEN);
    }

    @Override
    public boolean isPlaced() {
        return true;
    }

    @Override
    public Optional<Placement> toPlacement() {
        return Optional.of(placement);
    }

    @Override
    public String toString() {
        return "placed: " + placement + (certainty == Certainty.PROVEN ? "" : " (the best found)");
    }
}
