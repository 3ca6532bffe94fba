package io.gpusched.internal.rank;

import io.gpusched.internal.fit.Occupancy;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.index.SnapshotIndex;
import io.gpusched.model.NodeState;
import it.unimi.dsi.fastutil.objects.Object2ObjectOpenCustomHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a range of slots in groups that score equally, with a log of the groups that may rank higher than before. Not
 * thread-safe.
 */
final class NodeGroups {
    /*
     * One log serves all specs: a group is appended when it is new, or when a node joins that comes before its first. (A
     * group that loses nodes ranks lower, which is found out when it comes to the top of a ranking.) Each spec replays what
     * it has missed when it is next asked for; a group that stands in the log several times counts at its last place only.
     * The log is a ring of at least as many places as there are groups, so that a spec that has missed more than the ring
     * holds is ranked again at no greater cost. An entry tells the amounts that rule most groups out for a spec, so that these
     * are not touched: at 100,000 nodes each would be a cache miss or three.
     */
    private static final int LEAST_LOG = 1 << 10;

    private record Entry(NodeGroup group, long cpuMillis, long memoryMib, int idleGpus, int shareMillis) {
        static Entry of(NodeGroup group, NodeState node) {
            int most = 0;
            for (long rest = node.sharedMask(); rest != 0; rest &= rest - 1) {
                most = Math.max(most, node.freeComputeMillis(Long.numberOfTrailingZeros(rest)));
            }
            return new Entry(group, node.freeCpuMillis(), node.freeMemoryMib(), node.idleGpus(), most);
        }
    }

    private final SlotRange range;

    /** By slot, from the first of the range on. */
    private final @Nullable NodeGroup[] groups;

    /** By a node of each group; null if each node is a group of its own. */
    private final @Nullable Map<NodeState, NodeGroup> byOccupancy;

    private int size;
    private @Nullable Entry[] log = new Entry[LEAST_LOG];
    private long logEnd;

    /** The first position that is still in the log. */
    private long logStart;

    private long lastMark;

    /**
     * @param index what has the nodes, as they are
     * @param isByOccupancy whether nodes of equal {@link Occupancy} score equally
     */
    NodeGroups(SnapshotIndex index, SlotRange range, boolean isByOccupancy) {
        this.range = range;
        this.groups = new NodeGroup[Math.max(0, Math.min(range.to(), index.capacity()) - range.from())];
        this.byOccupancy = isByOccupancy ? new Object2ObjectOpenCustomHashMap<>(Occupancy.STRATEGY) : null;
        for (int slot = index.next(range, 0); slot >= 0; slot = index.next(range, slot + 1)) {
            add(slot, index.state(slot));
        }
    }

    /** Takes note of a node of the range that changed. O(log n). */
    void changed(int slot, @Nullable NodeState before, @Nullable NodeState after) {
        if (byOccupancy != null && before != null && after != null && Occupancy.isSame(before, after)) {
            return; // such as a change of labels, which no score looks at
        }
        if (before != null) {
            remove(slot, before);
        }
        if (after != null) {
            add(slot, after);
        }
    }

    private void add(int slot, NodeState node) {
        NodeGroup group = byOccupancy == null ? null : byOccupancy.get(node);
        if (group == null) {
            group = new NodeGroup();
            size++;
            if (byOccupancy != null) {
                byOccupancy.put(node, group);
            }
        }
        groups[slot - range.from()] = group;
        if (group.add(slot)) {
            append(group, node);
        }
    }

    private void remove(int slot, NodeState node) {
        NodeGroup group = Objects.requireNonNull(groups[slot - range.from()], "no node in slot");
        groups[slot - range.from()] = null;
        group.remove(slot);
        if (group.isEmpty()) {
            size--;
            if (byOccupancy != null) {
                byOccupancy.remove(node);
            }
        }
    }

    private void append(NodeGroup group, NodeState node) {
        if (log.length < size) {
            grow();
        }
        log[(int) logEnd & log.length - 1] = Entry.of(group, node);
        group.setLogged(logEnd++);
        logStart = Math.max(logStart, logEnd - log.length);
    }

    private void grow() {
        @Nullable Entry[] older = log;
        log = new Entry[Integer.highestOneBit(size) << 1];
        for (long position = logStart; position < logEnd; position++) {
            log[(int) position & log.length - 1] = older[(int) position & older.length - 1];
        }
    }

    /** Returns a mark for {@link NodeGroup#visit} that no group bears yet. */
    long nextMark() {
        return ++lastMark;
    }

    /** Returns the position behind the last entry of the log. */
    long position() {
        return logEnd;
    }

    /** Returns whether the log has lost entries since a position. */
    boolean hasLost(long since) {
        return since < logStart;
    }

    /**
     * Calls back with each group that may rank higher than it did at a position that the log has not lost, and that has the
     * least of a spec.
     */
    void forEachSince(long position, Least least, Consumer<NodeGroup> action) {
        for (long at = position; at < logEnd; at++) {
            Entry entry = log[(int) at & log.length - 1];
            if (entry != null
                    && least.fits(entry)
                    && entry.group().logged() == at
                    && !entry.group().isEmpty()) {
                action.accept(entry.group());
            }
        }
    }

    /**
     * What a node must have free at least to take a pod of a spec.
     *
     * @param idleGpus the number of idle GPUs
     * @param shareMillis the compute that must be free on a shared GPU if none is idle; 0 if that does not matter
     */
    record Least(long cpuMillis, long memoryMib, int idleGpus, int shareMillis) {
        private boolean fits(Entry entry) {
            return entry.cpuMillis() >= cpuMillis
                    && entry.memoryMib() >= memoryMib
                    && entry.idleGpus() >= idleGpus
                    && (entry.idleGpus() > 0 || entry.shareMillis() >= shareMillis);
        }
    }

    /** Calls back with every group. */
    void forEach(Consumer<NodeGroup> action) {
        if (byOccupancy != null) {
            byOccupancy.values().forEach(action);
            return;
        }
        for (NodeGroup group : groups) {
            if (group != null) {
                action.accept(group);
            }
        }
    }

    @Override
    public String toString() {
        return size + " groups, log of " + logStart + " to " + logEnd;
    }
}
