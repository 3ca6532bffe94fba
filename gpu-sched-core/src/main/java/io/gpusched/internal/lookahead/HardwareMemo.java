package io.gpusched.internal.lookahead;

import io.gpusched.model.NodeClass;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what was worked out for the hardware of nodes, for at most {@link #PLACES} kinds of it. Classes that differ in
 * taints alone share a value: of these there may be as many as nodes. Thread-safe without locks: the entries are immutable,
 * and a lost one is worked out again to the same result.
 */
public final class HardwareMemo<V> {
    static final int PLACES = 256;

    /** A kind of hardware may stand in so many places from its own on; the newest takes the last if all are taken. */
    private static final int WAYS = 4;

    /** In front of them the values of the classes that were asked for last, so that hardware is rarely compared. */
    private static final int FRONT_BITS = 12;

    private record Entry<V>(NodeClass nodeClass, V value) {}

    private final @Nullable Entry<V>[] byHardware;
    private final @Nullable Entry<V>[] byClass;
    private final Function<NodeClass, V> function;

    /**
     * @param function works a value out; pure, and blind for taints
     */
    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of a generic type
    public HardwareMemo(Function<NodeClass, V> function) {
        this.byHardware = new Entry[PLACES];
        this.byClass = new Entry[1 << FRONT_BITS];
        this.function = function;
    }

    /** Returns the value of a class. */
    public V get(NodeClass nodeClass) {
        int at = nodeClass.hashCode() * 0x9E3779B9 >>> (Integer.SIZE - FRONT_BITS);
        Entry<V> known = byClass[at];
        if (known == null || !known.nodeClass().equals(nodeClass)) {
            known = new Entry<>(nodeClass, ofHardware(nodeClass));
            byClass[at] = known;
        }
        return known.value();
    }

    private V ofHardware(NodeClass nodeClass) {
        int hash = hardwareHash(nodeClass) * 0x9E3779B9;
        int at = hash >>> 24;
        for (int way = 0; way < WAYS; way++) {
            Entry<V> entry = byHardware[at + way & PLACES - 1];
            if (entry == null) {
                return put(at + way & PLACES - 1, nodeClass);
            }
            if (hasSameHardware(entry.nodeClass(), nodeClass)) {
                return entry.value();
            }
        }
        return put(at + (hash & WAYS - 1) & PLACES - 1, nodeClass);
    }

    private static int hardwareHash(NodeClass nodeClass) {
        int gpus = nodeClass.gpus().isEmpty() ? 0 : nodeClass.gpus().get(0).hashCode();
        return (nodeClass.capacity().hashCode() * 31 + gpus) * 31
                + nodeClass.gpus().size();
    }

    private static boolean hasSameHardware(NodeClass a, NodeClass b) {
        return a.mode() == b.mode()
                && a.maxPods() == b.maxPods()
                && a.capacity().equals(b.capacity())
                && a.gpus().equals(b.gpus());
    }

    private V put(int at, NodeClass nodeClass) {
        V value = function.apply(nodeClass);
        byHardware[at] = new Entry<>(nodeClass, value);
        return value;
    }
}
