package io.gpusched.kubernetes.http;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.PlatformHandler;

/**
 * Lets requests in as far as {@link HttpLimits} has room, and gives back what they hold when they are answered or their clients go.
 * Used by one event loop alone.
 */
final class Admission implements PlatformHandler {
    private static final String TIMER = "arrival";

    private final Connections connections;
    private final HttpLimits limits;

    /** What the bodies of admitted requests may hold together. */
    private long heldTogether;

    /** How many admitted requests have not been answered. */
    private int underWay;

    Admission(Connections connections, HttpLimits limits) {
        this.connections = connections;
        this.limits = limits;
    }

    @Override
    public void handle(RoutingContext context) {
        HttpServerRequest request = context.request();
        connections.headArrived(request.connection());
        if (connections.isExcess(request.connection())) {
            throw new HttpProblem(503, "more than " + limits.connections() + " connections; try again");
        }
        if (underWay >= limits.requests()) {
            throw new HttpProblem(503, "more than " + limits.requests() + " requests at one time; try again");
        }
        long body = Math.min(limits.bodyBytes(), mostBytes(request));
        if (heldTogether + body > limits.bodyBytesTogether()) {
            throw new HttpProblem(503, "too much is being sent at one time; try again");
        }
        underWay++;
        heldTogether += body;
        context.put(TIMER, context.vertx().setTimer(limits.arrival().toMillis(), late -> context.fail(408)));
        context.addEndHandler(done -> {
            stopTimer(context);
            underWay--;
            heldTogether -= body;
        });
        context.next();
    }

    /** The length that a request declares; one that is sent in chunks may be of any. */
    private static long mostBytes(HttpServerRequest request) {
        String declared = request.getHeader("Content-Length");
        if (declared == null) {
            return request.headers().contains("Transfer-Encoding") ? Long.MAX_VALUE : 0;
        }
        return declared.length() > 10 ? Long.MAX_VALUE : Long.parseLong(declared);
    }

    /** Goes on with a request whose body is there. */
    static void bodyArrived(RoutingContext context) {
        stopTimer(context);
        context.next();
    }

    private static void stopTimer(RoutingContext context) {
        Long timer = context.remove(TIMER);
        if (timer != null) {
            context.vertx().cancelTimer(timer);
        }
    }
}
