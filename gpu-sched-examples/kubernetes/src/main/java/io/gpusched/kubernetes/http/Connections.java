package io.gpusched.kubernetes.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.util.HashMap;
import java.util.Map;

/**
 * The connections that are open, and by when each must have sent the head of its first request. Used by one event loop alone.
 *
 * <p>A connection beyond the limit is taken in, so that it can be told so at its first request; beyond twice the limit it is closed
 * at once.
 */
final class Connections {
    private static final long NO_TIMER = -1;

    private final Vertx vertx;
    private final HttpLimits limits;
    private final Map<HttpConnection, Open> open = new HashMap<>();

    private static final class Open {
        private final boolean isExcess;
        private long timer;

        Open(boolean isExcess, long timer) {
            this.isExcess = isExcess;
            this.timer = timer;
        }
    }

    Connections(Vertx vertx, HttpLimits limits) {
        this.vertx = vertx;
        this.limits = limits;
    }

    void opened(HttpConnection connection) {
        int before = open.size();
        if (before >= 2 * limits.connections()) {
            connection.close();
            return;
        }
        long timer = vertx.setTimer(limits.arrival().toMillis(), late -> connection.close());
        open.put(connection, new Open(before >= limits.connections(), timer));
        connection.closeHandler(nothing -> {
            headArrived(connection);
            open.remove(connection);
        });
    }

    void headArrived(HttpConnection connection) {
        Open one = open.get(connection);
        if (one != null && one.timer != NO_TIMER) {
            vertx.cancelTimer(one.timer);
            one.timer = NO_TIMER;
        }
    }

    /** Whether a connection is one more than are served, or closed. */
    boolean isExcess(HttpConnection connection) {
        Open one = open.get(connection);
        return one == null || one.isExcess;
    }
}
