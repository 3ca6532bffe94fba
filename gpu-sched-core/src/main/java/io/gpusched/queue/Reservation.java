package io.gpusched.queue;

import io.gpusched.check.Checks;
import io.gpusched.model.Placement;
import java.util.List;

/**
 * When and where a job is to start: what it will hold from then on is kept free for it. Immutable.
 *
 * @param start when, in the unit of the job's times
 * @param placements what its members will hold
 */
public record Reservation(long start, List<Placement> placements) {
    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if there are no placements
     */
    public Reservation {
        placements = Checks.list("placements", placements);
        if (placements.isEmpty()) {
            throw new IllegalArgumentException("reservation: there must be a placement");
        }
    }
}
