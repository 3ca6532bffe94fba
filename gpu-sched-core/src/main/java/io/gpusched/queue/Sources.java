package io.gpusched.queue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which victims may leave for one request, the cheapest first. */
interface Sources {
    /** Returns the next that may leave beside all that were returned before; null if there is none. */
    @Nullable
    Victim next();

    /** Returns all that may leave, each for itself. */
    List<Victim> all();

    /** Returns how many pods these are. */
    int pods();

    /** Returns at most how much of a resource the pods that may leave together hold. */
    long most(int resource);
}
