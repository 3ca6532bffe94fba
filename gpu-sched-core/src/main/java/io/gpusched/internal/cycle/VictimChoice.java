package io.gpusched.internal.cycle;

import io.gpusched.decision.PendingReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who may leave for one request, and what has to hold once they have left. */
interface VictimChoice {
    /** Returns who leaves next, the cheapest of those who may beside all who were returned before; null if there is nobody. */
    @Nullable
    Victim next();

    /** Returns everybody who may leave for this request, each for itself. */
    List<Victim> all();

    /** Returns why these may not leave together; null if they may. */
    @Nullable
    PendingReason forbids(List<Victim> victims);

    /** Returns at most how much of a resource those who may leave together hold. */
    long most(int resource);
}
