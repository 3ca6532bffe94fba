package io.gpusched.decision;

import io.gpusched.check.Checks;
import io.gpusched.model.Placement;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A place was found. Nothing is applied yet: {@code cluster.with(placement)} does that.
 *
 * @param placement the node, and what the pod holds there
 * @param certainty {@link Certainty#PROVEN} if no legal placement scores higher, {@link Certainty#FOUND} if this is the best
 *     that was found before the search reached its limit
 * @param warnings what is worth a look, though the placement is legal: {@link Fact.Unknown} of each key of a rule that no node has, so
 *     that the rule keeps the pod from nowhere, and {@link Fact.Elsewhere} of each group whose preferred locality was not kept
 */
public record Placed(Placement placement, Certainty certainty, List<Fact> warnings) implements Decision {
    /**
     * Checks the values and copies the list.
     *
     * @throws IllegalArgumentException if the certainty is {@link Certainty#LIMIT}, which only a refusal can have
     */
    public Placed {
        Objects.requireNonNull(placement, "placement");
        requireOfPlacement(certainty);
        warnings = Checks.list("warnings", warnings);
    }

    /** A placement without warnings. */
    public Placed(Placement placement, Certainty certainty) {
        this(placement, certainty, List.of());
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
