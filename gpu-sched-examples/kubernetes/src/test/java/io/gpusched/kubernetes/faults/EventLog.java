package io.gpusched.kubernetes.faults;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What an API server remembers of its changes, in their order, so that a watch can go on where another ended. Thread-safe. */
final class EventLog {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * A change of an object.
     *
     * @param version the server's version after it
     * @param plural the resource, such as {@code pods}
     * @param object the object's namespace and name
     * @param text the event as a watch tells it
     */
    record Entry(long version, String plural, String object, String text) {}

    private final List<Entry> entries = new ArrayList<>();

    /** Forgets all changes. */
    synchronized void clear() {
        entries.clear();
    }

    /** Adds a change: the object as it was before, null if it is new, and as it is now, null if it is gone. */
    synchronized void add(@Nullable String before, @Nullable String after, LongSupplier nextVersion) {
        if (before == null && after == null) {
            return;
        }
        String type = before == null ? "ADDED" : after == null ? "DELETED" : "MODIFIED";
        try {
            ObjectNode object = (ObjectNode) JSON.readTree(after == null ? before : after);
            ObjectNode metadata = (ObjectNode) object.get("metadata");
            if (after == null) {
                metadata.put("resourceVersion", String.valueOf(nextVersion.getAsLong()));
            }
            ObjectNode event = JSON.createObjectNode().put("type", type);
            event.set("object", object);
            String kind = object.path("kind").asText().toLowerCase(Locale.ROOT);
            entries.add(new Entry(
                    Long.parseLong(metadata.get("resourceVersion").asText()),
                    kind + (kind.endsWith("s") ? "es" : "s"),
                    metadata.path("namespace").asText() + "/"
                            + metadata.get("name").asText(),
                    event.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        notifyAll();
    }

    /** Returns the place of the first change after this version. */
    synchronized int placeAfter(long version) {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).version() > version) {
                return i;
            }
        }
        return entries.size();
    }

    /** Returns the place of the next change of a resource from a place on, or of the end if there is none within some time. */
    synchronized int await(String plural, int from, long millis) throws InterruptedException {
        int place = next(plural, from);
        if (place == entries.size()) {
            wait(millis);
            place = next(plural, from);
        }
        return place;
    }

    /** Returns the place of the next change of a resource from a place on, or the end. */
    synchronized int next(String plural, int from) {
        int place = from;
        while (place < entries.size() && !entries.get(place).plural().equals(plural)) {
            place++;
        }
        return place;
    }

    /** Returns the change at a place, null at the end. */
    synchronized @Nullable Entry at(int place) {
        return place < entries.size() ? entries.get(place) : null;
    }
}
