package io.gpusched.queue;

import org.jspecify.annotations.Nullable;

/** Every start that is reserved keeps its time and its places, within the limits of its queue at that time. */
record ReservationLaw() implements Law {
    @Override
    public @Nullable PendingReason broken(Session before, Statement statement) {
        if (!statement.after().delays()) {
            return null;
        }
        Timeline timeline = before.timeline();
        int first = timeline == null ? -1 : timeline.firstReserved(statement.job());
        return new PendingReason.Behind(
                before.input().job(first < 0 ? statement.job() : first).name());
    }
}
