package io.gpusched.internal.cycle;

import io.gpusched.decision.PendingReason;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who may leave for one request, and what has to hold once they have left. */
interface VictimChoice {
    /** Returns who leaves next, the cheapest of those who may beside all who were returned before; null if there is nobody. */
    @Nullable
    Victim next();

    /** Returns those who left in the order in which they are put back: the dearest first. */
    default List<Victim> dearestFirst(List<Victim> out) {
        List<Victim> order = new ArrayList<>(out);
        Collections.reverse(order);
        return order;
    }

    /** Returns where one who leaves goes, in the order of its members; none unless it moves. */
    default List<Placement> placesOf(Victim victim) {
        return List.of();
    }

    /** Returns whether nobody may leave. */
    boolean isEmpty();

    /** Returns everybody who may leave for this request, each for itself. */
    List<Victim> all();

    /** Returns how many pods these are. */
    int pods();

    /** Returns why these may not leave together for pods with these places; null if they may. */
    @Nullable
    PendingReason forbids(List<Victim> victims, List<Placement> placements);

    /** Returns at most how much of a resource those who may leave together hold. */
    long most(int resource);
}
