package io.gpusched.queue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The one place that knows what may be: a statement is taken only if it breaks no law. The cheap laws are asked first. */
final class Gate {
    private final List<Law> laws;

    Gate(Places places, Queues.Shares shares) {
        laws = List.of(
                new LimitLaw(),
                new DeservedLaw(),
                new MinimumLaw(),
                new ProtectionLaw(),
                new ReclaimLaw(shares),
                new PreemptLaw(shares),
                new ReservationLaw(),
                new LocalityLaw(),
                new AdmissionLaw(places));
    }

    /** Returns the first law that a statement breaks, as the reason why its request has to wait; null if there is none. */
    @Nullable
    PendingReason broken(Session before, Statement statement) {
        for (Law law : laws) {
            PendingReason reason = law.broken(before, statement);
            if (reason != null) {
                return reason;
            }
        }
        return null;
    }
}
