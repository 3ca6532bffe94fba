package io.gpusched.internal.cycle;

import io.gpusched.decision.CyclePass;
import io.gpusched.decision.PendingReason;
import org.jspecify.annotations.Nullable;

/** For whom others leave in an {@link EvictionPass}, and who. */
interface EvictionRules {
    /** Returns the pass that goes by these rules. */
    CyclePass pass();

    /** Requests under equal circumstances are refused alike, if they ask for the same. */
    Object circumstances(Ask ask);

    /** Returns why nobody may leave for a request; null if somebody may. */
    @Nullable
    PendingReason forbids(Ask ask);

    /** Returns who may leave for a request. */
    VictimChoice choice(Ask ask);
}
