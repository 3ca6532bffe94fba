package io.gpusched.examples.kubernetes.faults;

import io.fabric8.mockwebserver.http.Response;
import io.fabric8.mockwebserver.http.WebSocket;
import io.fabric8.mockwebserver.http.WebSocketListener;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One watch of one client, with what a watch may do: it ends without a word, it ends because its version is too old, it tells
 * a change again, it tells of one object before another, it is late.
 */
final class WatchFeed extends WebSocketListener {
    private static final String GONE =
            "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
                    + "\"status\":\"Failure\",\"message\":\"too old resource version\",\"reason\":\"Expired\",\"code\":410}}";

    private final EventLog log;
    private final String plural;
    private final Random random;
    private final int percent;
    private final BooleanSupplier isAlive;
    private int place;

    /**
     * Creates a watch.
     *
     * @param version the first change that it tells is after this version
     * @param percent how many of a hundred changes something happens at
     * @param isAlive asked before each change; once it says no, nothing more is told
     */
    WatchFeed(EventLog log, String plural, long version, Random random, int percent, BooleanSupplier isAlive) {
        this.log = log;
        this.plural = plural;
        this.random = random;
        this.percent = percent;
        this.isAlive = isAlive;
        this.place = log.placeAfter(version);
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
        switch (random.nextInt(100) < percent ? random.nextInt(5) : -1) {
            case 0 -> {
                return false;
            }
            case 1 -> {
                socket.send(GONE);
                return false;
            }
            case 2 -> socket.send(entry.text());
            case 3 -> tellNextFirst(entry, socket);
            case 4 -> Thread.sleep(random.nextInt(100));
            default -> {}
        }
        place++;
        return socket.send(entry.text());
    }

    /** The one that is told first is told again in its turn. */
    private void tellNextFirst(EventLog.Entry entry, WebSocket socket) {
        EventLog.@Nullable Entry next = log.at(log.next(plural, place + 1));
        if (next != null && !next.object().equals(entry.object())) {
            socket.send(next.text());
        }
    }
}
