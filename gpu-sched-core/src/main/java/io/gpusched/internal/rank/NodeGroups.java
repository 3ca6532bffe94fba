package io.gpusched.internal.rank;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import it.unimi.dsi.fastutil.Hash;
import it.unimi.dsi.fastutil.objects.Object2ObjectOpenCustomHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of one snapshot at a time, in groups that score equally, with a log of the groups that may rank higher than
 * before. Not thread-safe.
 */
final class NodeGroups {
    /*
     * One log serves all shapes: a group is appended when it is new, or when a node joins that comes before its first. (A
     * group that loses nodes ranks lower, which is found out when it comes to the top of a ranking.) Each shape replays what
     * it has missed when it is next asked for; a group that stands in the log several times counts at its last place only.
     * The log is a ring of at least as many places as there are groups, so that a shape that has missed more than the ring
     * holds is built anew at no greater cost. Beside each group stand the amounts that rule most groups out for a shape, so
     * that these are not touched: at 100,000 nodes each would be a cache miss or three.
     */
    private static final int LEAST_LOG = 1 << 10;

    private static final int GPU_BITS = 24;
    private static final int MOST_MILLIS = (1 << GPU_BITS) - 1;

    private final Object2ObjectOpenCustomHashMap<NodeState, NodeGroup> groups;
    private @Nullable NodeGroup[] log = new NodeGroup[LEAST_LOG];
    private long[] freeCpuMillis = new long[LEAST_LOG];
    private long[] freeMemoryMib = new long[LEAST_LOG];
    private int[] freeGpus = new int[LEAST_LOG];
    private long logEnd;

    /** The first position that is still in the log. */
    private long logStart;

    private long lastMark;

    private NodeGroups(Hash.Strategy<NodeState> alike) {
        groups = new Object2ObjectOpenCustomHashMap<>(alike);
    }

    /** Groups the nodes of a range of a snapshot by a relation that must be an equivalence; O(nodes of the range). */
    static NodeGroups of(Cluster cluster, NodeRange range, Hash.Strategy<NodeState> alike) {
        NodeGroups all = new NodeGroups(alike);
        for (ClassIndex nodes : ClusterIndex.of(cluster).classes()) {
            nodes.forEach(range, all::add);
        }
        return all;
    }

    /** Takes note of a node in another state; null where there was, or is, no such node. O(log n). */
    void replace(@Nullable NodeState before, @Nullable NodeState after) {
        if (before != null && after != null && scoresAsBefore(before, after)) {
            group(before).replace(before, after);
            return;
        }
        if (before != null) {
            remove(before);
        }
        if (after != null) {
            add(after);
        }
    }

    /** Whether a node has changed in what no score looks at, such as its labels; then no ranking has to hear of it. */
    @SuppressWarnings("ReferenceEquality") // which of two relations it is
    private boolean scoresAsBefore(NodeState before, NodeState after) {
        return groups.strategy() == Occupancy.STRATEGY
                && NodeAccess.order(before) == NodeAccess.order(after)
                && before.hasSameOccupancy(after);
    }

    private void add(NodeState node) {
        NodeGroup group = groups.get(node);
        if (group == null) {
            group = new NodeGroup();
            groups.put(node, group);
        }
        if (group.add(node)) {
            append(group, node);
        }
    }

    private void remove(NodeState node) {
        NodeGroup group = group(node);
        group.remove(node);
        if (group.isEmpty()) {
            groups.remove(node);
        }
    }

    private NodeGroup group(NodeState node) {
        NodeGroup group = groups.get(node);
        if (group == null) {
            throw new IllegalStateException("node \"" + node.name() + "\" is in no group");
        }
        return group;
    }

    private void append(NodeGroup group, NodeState node) {
        if (log.length < groups.size()) {
            grow();
        }
        int at = (int) logEnd & log.length - 1;
        log[at] = group;
        freeCpuMillis[at] = node.freeCpuMillis();
        freeMemoryMib[at] = node.freeMemoryMib();
        freeGpus[at] = freeGpus(node);
        group.setLogged(logEnd++);
        logStart = Math.max(logStart, logEnd - log.length);
    }

    private void grow() {
        int length = Integer.highestOneBit(groups.size()) << 1;
        @Nullable NodeGroup[] oldLog = log;
        long[] oldCpu = freeCpuMillis;
        long[] oldMemory = freeMemoryMib;
        int[] oldGpus = freeGpus;
        log = new NodeGroup[length];
        freeCpuMillis = new long[length];
        freeMemoryMib = new long[length];
        freeGpus = new int[length];
        for (long position = logStart; position < logEnd; position++) {
            int from = (int) position & oldLog.length - 1;
            int to = (int) position & length - 1;
            log[to] = oldLog[from];
            freeCpuMillis[to] = oldCpu[from];
            freeMemoryMib[to] = oldMemory[from];
            freeGpus[to] = oldGpus[from];
        }
    }

    /** The number of idle GPUs, and below it the most compute that is left on a shared GPU, in milli. */
    private static int freeGpus(NodeState node) {
        int most = 0;
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            most = node.isShared(gpu) ? Math.max(most, node.freeComputeMillis(gpu)) : most;
        }
        return node.idleGpus() << GPU_BITS | Math.min(most, MOST_MILLIS);
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
     * least of a shape.
     */
    void forEachSince(long position, Least least, Consumer<NodeGroup> action) {
        for (long entry = position; entry < logEnd; entry++) {
            int at = (int) entry & log.length - 1;
            if (freeCpuMillis[at] >= least.cpuMillis()
                    && freeMemoryMib[at] >= least.memoryMib()
                    && least.fits(freeGpus[at])) {
                NodeGroup group = log[at];
                if (group != null && group.logged() == entry && !group.isEmpty()) {
                    action.accept(group);
                }
            }
        }
    }

    /**
     * What a node must have free at least to take a shape of pod.
     *
     * @param idleGpus the number of idle GPUs
     * @param shareMillis the compute that must be free on a shared GPU if none is idle; 0 if that does not matter
     */
    record Least(long cpuMillis, long memoryMib, int idleGpus, int shareMillis) {
        private boolean fits(int freeGpus) {
            int idle = freeGpus >> GPU_BITS;
            return idle >= idleGpus && (idle > 0 || (freeGpus & MOST_MILLIS) >= shareMillis);
        }
    }

    /** Calls back with every group. */
    void forEach(Consumer<NodeGroup> action) {
        groups.values().forEach(action);
    }

    @Override
    public String toString() {
        return groups.size() + " groups, log of " + logStart + " to " + logEnd;
    }
}
