package io.gpusched.kubernetes.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.util.HashMap;
import java.util.Map;

/** The connections that are open. Used by one event loop alone. */
final class Clients {
    private final Vertx vertx;
    private final HttpLimits limits;
    private final Map<HttpConnection, Client> open = new HashMap<>();

    Clients(Vertx vertx, HttpLimits limits) {
        this.vertx = vertx;
        this.limits = limits;
    }

    /** Takes a connection in. Beyond the limit it is told so at its first request, and beyond twice the limit closed at once. */
    void opened(HttpConnection connection) {
        int before = open.size();
        if (before >= 2 * limits.connections()) {
            connection.close();
            return;
        }
        Client client = new Client(vertx, connection, before >= limits.connections());
        open.put(connection, client);
        connection.closeHandler(nothing -> {
            client.noDeadline();
            open.remove(connection);
        });
        client.closeAfter(limits.arrival());
    }

    /** Returns the client of a connection; one that was closed meanwhile gets a client that nobody counts. */
    Client of(HttpConnection connection) {
        Client client = open.get(connection);
        return client == null ? new Client(vertx, connection, true) : client;
    }
}
