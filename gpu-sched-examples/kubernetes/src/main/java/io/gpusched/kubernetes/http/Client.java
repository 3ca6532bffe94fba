package io.gpusched.kubernetes.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;

/** One connection and the time by which something must happen on it. Used by its event loop alone. */
final class Client {
    private final Vertx vertx;
    private final HttpConnection connection;
    private long timer;
    private boolean timed;

    /** Whether it is one more than are served. */
    private final boolean excess;

    Client(Vertx vertx, HttpConnection connection, boolean excess) {
        this.vertx = vertx;
        this.connection = connection;
        this.excess = excess;
    }

    boolean isExcess() {
        return excess;
    }

    /** Does this after some time, unless another deadline is set or this one is taken back before. */
    void deadline(Duration time, Runnable late) {
        noDeadline();
        timed = true;
        timer = vertx.setTimer(time.toMillis(), id -> {
            timed = false;
            late.run();
        });
    }

    /** Closes the connection after some time without a request. */
    void closeAfter(Duration time) {
        deadline(time, this::close);
    }

    void noDeadline() {
        if (timed) {
            vertx.cancelTimer(timer);
            timed = false;
        }
    }

    void close() {
        connection.close();
    }
}
