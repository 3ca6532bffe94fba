package io.gpusched.internal.lookahead;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Resources;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what was worked out for the hardware of nodes, for at most {@value #MOST_KINDS} kinds of it. Classes that differ in
 * taints alone share a value: of these there may be as many as nodes. Thread-safe.
 */
public final class HardwareMemo<V> {
    static final int MOST_KINDS = 256;

    /** Entries for the classes that were asked for last, so that hardware is rarely compared. */
    private static final int RECENT_BITS = 12;

    private record Hardware(NodeMode mode, Resources capacity, List<Gpu> gpus) {
        /** GPUs of a node are mostly alike, so the first stands for all. */
        @Override
        public int hashCode() {
            return (capacity.hashCode() * 31 + (gpus.isEmpty() ? 0 : gpus.get(0).hashCode())) * 31 + gpus.size();
        }
    }

    private record Entry<V>(NodeClass nodeClass, V value) {}

    private final RecentValues<Hardware, V> byHardware = new RecentValues<>(MOST_KINDS);

    /** Read and written without locks: entries are immutable, and a lost one is looked up again. */
    private final @Nullable Entry<V>[] recent;

    private final Function<NodeClass, V> function;

    /**
     * @param function works a value out of the mode, the capacity and the GPUs
     */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    public HardwareMemo(Function<NodeClass, V> function) {
        this.recent = new Entry[1 << RECENT_BITS];
        this.function = function;
    }

    /** Returns the value of a class. */
    public V get(NodeClass nodeClass) {
        int at = nodeClass.hashCode() * 0x9E3779B9 >>> (Integer.SIZE - RECENT_BITS);
        Entry<V> known = recent[at];
        if (known == null || !known.nodeClass().equals(nodeClass)) {
            Hardware hardware = new Hardware(nodeClass.mode(), nodeClass.capacity(), nodeClass.gpus());
            known = new Entry<>(nodeClass, byHardware.get(hardware, key -> function.apply(nodeClass)));
            recent[at] = known;
        }
        return known.value();
    }
}
