package io.gpusched.queue;

/** The usual rules of backfill by name: how many jobs that wait hold a reserved start, and whether others may pass them. */
public enum Backfill {
    /** A job starts wherever it finds room; no start is reserved but for jobs that are promised one. */
    ANYONE(0, true),
    /**
     * First come, first served: no job starts before one that comes before it and waits for a start that is reserved. A job for which no
     * start can be told, as what runs has no known end or it never fits, holds up no other.
     */
    NOBODY(1, false),
    /** Jobs start that do not delay the first that waits, nor one that is promised its start (EASY). */
    EASY(1, true),
    /** Jobs start that delay none that waits: each has a reserved start. */
    CONSERVATIVE(CycleSettings.ALL, true),
    /** As {@link #EASY}, for callers that promise starts to some jobs; those without are told when they are expected to start. */
    PROMISED(1, true);

    private final int reservations;
    private final boolean passing;

    Backfill(int reservations, boolean passing) {
        this.reservations = reservations;
        this.passing = passing;
    }

    /** Returns settings with this rule; expected starts are told with {@link #PROMISED} alone, as each costs a search. */
    CycleSettings in(CycleSettings settings) {
        return settings.withReservations(reservations)
                .withPassing(passing)
                .withForecasts(this == PROMISED ? Integer.MAX_VALUE : 0);
    }
}
