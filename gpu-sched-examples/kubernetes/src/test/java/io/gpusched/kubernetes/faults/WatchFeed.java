package io.gpusched.kubernetes.faults;

import io.fabric8.mockwebserver.http.Response;
import io.fabric8.mockwebserver.http.WebSocket;
import io.fabric8.mockwebserver.http.WebSocketListener;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One watch of one client, with what a watch may do: it ends without a word, it ends because its version is too old, it tells
 * a change again, it tells of one object before another, it is late.
 */
final class WatchFeed extends WebSocketListener {
    private static final String GONE = error("too old resource version", "Expired", 410);
    private static final String FAILED = error("etcd event received with PrevKv=nil", "InternalError", 500);

    private final EventLog log;
    private final String plural;
    private final Faults faults;
    private final BooleanSupplier isAlive;
    private int place;

    /**
     * Creates a watch.
     *
     * @param version the first change that it tells is after this version
     * @param isAlive asked before each change; once it says no, nothing more is told
     */
    WatchFeed(EventLog log, String plural, long version, Faults faults, BooleanSupplier isAlive) {
        this.log = log;
        this.plural = plural;
        this.faults = faults;
        this.isAlive = isAlive;
        this.place = log.placeAfter(version);
    }

    private static String error(String message, String reason, int code) {
        return "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
                + "\"status\":\"Failure\",\"message\":\"" + message + "\",\"reason\":\"" + reason + "\",\"code\":"
                + code
                + "}}";
    }

    @Override
    public void onOpen(WebSocket socket, Response response) {
        Thread thread = new Thread(() -> tellAll(socket), "watch-" + plural);
        thread.setDaemon(true);
        thread.start();
    }

    private void tellAll(WebSocket socket) {
        try {
            boolean open = true;
            while (open && isAlive.getAsBoolean()) {
                place = log.await(plural, place, 200);
                EventLog.Entry entry = log.at(place);
                open = entry == null || tell(entry, socket);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        socket.close(1000, "over");
    }

    /** Returns whether the watch goes on. */
    private boolean tell(EventLog.Entry entry, WebSocket socket) throws InterruptedException {
        Fault fault = faults.ofEvent().orElse(null);
        if (fault == Fault.WATCH_TELLS_NEXT_FIRST && !tellNextFirst(entry, socket)) {
            faults.postpone(fault);
        } else if (fault != null) {
            faults.count(fault);
        }
        if (fault == Fault.WATCH_ENDS) {
            return false;
        }
        if (fault == Fault.WATCH_ENDS_GONE || fault == Fault.WATCH_ENDS_FAILED) {
            socket.send(fault == Fault.WATCH_ENDS_GONE ? GONE : FAILED);
            return false;
        }
        if (fault == Fault.WATCH_TELLS_AGAIN) {
            socket.send(entry.text());
        }
        if (fault == Fault.WATCH_LATE) {
            Thread.sleep(faults.millis(100));
        }
        place++;
        return socket.send(entry.text());
    }

    /** The one that is told first is told again in its turn. Returns whether there is another. */
    private boolean tellNextFirst(EventLog.Entry entry, WebSocket socket) throws InterruptedException {
        EventLog.@Nullable Entry next = log.at(log.await(plural, place + 1, 1_000));
        return next != null && !next.object().equals(entry.object()) && socket.send(next.text());
    }
}
