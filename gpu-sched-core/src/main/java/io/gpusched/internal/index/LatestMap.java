package io.gpusched.internal.index;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map that keeps the entries used last, up to a number. Not thread-safe. */
final class LatestMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    private final int most;

    LatestMap(int most) {
        super(16, 0.75f, true);
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
