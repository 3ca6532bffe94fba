package io.gpusched.internal.policy;

import io.gpusched.model.NodeClass;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what was worked out for classes of nodes, for at most {@link #PLACES} of them, by the content of the class.
 * Thread-safe without locks: the entries are immutable, and a lost one is worked out again to the same result.
 */
public final class ClassMemo<V> {
    static final int PLACES = 256;

    /** A class may stand in so many places from its own on; the newest takes the last if all are taken. */
    private static final int WAYS = 4;

    private record Entry<V>(NodeClass nodeClass, V value) {}

    private final @Nullable Entry<V>[] entries;
    private final Function<NodeClass, V> function;

    /**
     * @param function works a value out; pure
     */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    public ClassMemo(Function<NodeClass, V> function) {
        this.entries = new Entry[PLACES];
        this.function = function;
    }

    /** Returns the value of a class. */
    public V get(NodeClass nodeClass) {
        int hash = nodeClass.hashCode() * 0x9E3779B9;
        int at = hash >>> 24;
        for (int way = 0; way < WAYS; way++) {
            Entry<V> entry = entries[at + way & PLACES - 1];
            if (entry == null) {
                return put(at + way & PLACES - 1, nodeClass);
            }
            if (entry.nodeClass().equals(nodeClass)) {
                return entry.value();
            }
        }
        return put(at + (hash & WAYS - 1) & PLACES - 1, nodeClass);
    }

    private V put(int at, NodeClass nodeClass) {
        V value = function.apply(nodeClass);
        entries[at] = new Entry<>(nodeClass, value);
        return value;
    }
}
