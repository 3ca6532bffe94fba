package io.gpusched.kubernetes.faults;

import java.util.List;

/** What goes wrong between a client and an API server. */
enum Fault {
    WRITE_TOO_MANY,
    WRITE_FAILED,
    /** Refused by a conflict that there is not. */
    WRITE_CONFLICT,
    WRITE_DONE_AND_CALLED_FAILED,
    WRITE_LATE,
    /** Done, and answered after the client has given up. */
    WRITE_DONE_AND_ANSWERED_TOO_LATE,
    READ_TOO_MANY,
    READ_FAILED,
    /** A list whose version is too old; of one object, nothing. */
    READ_GONE,
    READ_LATE,
    WATCH_REFUSED_GONE,
    WATCH_REFUSED_TOO_MANY,
    WATCH_ENDS,
    WATCH_ENDS_GONE,
    /** Ends with an error of the server's that is not about versions. */
    WATCH_ENDS_FAILED,
    WATCH_TELLS_AGAIN,
    WATCH_TELLS_NEXT_FIRST,
    WATCH_LATE;

    private static List<Fault> named(String prefix) {
        return List.of(values()).stream()
                .filter(fault -> fault.name().startsWith(prefix))
                .toList();
    }

    static final List<Fault> WRITES = named("WRITE");
    static final List<Fault> READS = named("READ");
    static final List<Fault> WATCHES = named("WATCH_REFUSED");
    static final List<Fault> EVENTS = List.of(
            WATCH_ENDS, WATCH_ENDS_GONE, WATCH_ENDS_FAILED, WATCH_TELLS_AGAIN, WATCH_TELLS_NEXT_FIRST, WATCH_LATE);
}
