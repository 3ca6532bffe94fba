package io.gpusched.internal.lookahead;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Remembers what was worked out of the keys asked for last, a bounded number of them. Thread-safe. */
public final class RecentValues<K, V> {
    private final int most;
    private final Map<K, V> values = new LinkedHashMap<>(16, 0.75f, true);

    public RecentValues(int most) {
        this.most = most;
    }

    /** Returns the value of a key. */
    public synchronized V get(K key, Function<? super K, ? extends V> function) {
        V value = values.get(key);
        if (value == null) {
            value = function.apply(key);
            values.put(key, value);
            if (values.size() > most) {
                values.remove(values.keySet().iterator().next());
            }
        }
        return value;
    }
}
