package io.gpusched.internal.score;

import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import it.unimi.dsi.fastutil.Hash;
import it.unimi.dsi.fastutil.objects.Object2ObjectOpenCustomHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one snapshot at a time, in groups that score equally, with a log of the groups that may rank higher than
 * before. Not thread-safe.
 */
final class NodeGroups {
    /*
     * One log serves all shapes: a group is appended when it is new, or when a node joins that comes before its first. (A
     * group that loses nodes ranks lower, which is found out when it comes to the top of a ranking.) Each shape replays what
     * it has missed when it is next asked for; a group that stands in the log several times counts at its last place only.
     * The log is a ring of at least as many places as there are groups, so that a shape that has missed more than the ring
     * holds is built anew at no greater cost.
     */
    private static final int LEAST_LOG = 1 << 10;

    private final Object2ObjectOpenCustomHashMap<NodeState, NodeGroup> groups;
    private @Nullable NodeGroup[] log = new NodeGroup[LEAST_LOG];
    private long logEnd;

    /** The first position that is still in the log. */
    private long logStart;

    private long lastMark;

    private NodeGroups(Hash.Strategy<NodeState> alike) {
        groups = new Object2ObjectOpenCustomHashMap<>(alike);
    }

    /** Groups the nodes of a snapshot by a relation that must be an equivalence; O(n). */
    static NodeGroups of(Cluster cluster, Hash.Strategy<NodeState> alike) {
        NodeGroups all = new NodeGroups(alike);
        for (ClassIndex nodes : ClusterIndex.of(cluster).classes()) {
            nodes.forEach(all::add);
        }
        return all;
    }

    /** Takes note of a node in another state; null where there was, or is, no such node. O(log n). */
    void replace(@Nullable NodeState before, @Nullable NodeState after) {
        if (before != null) {
            remove(before);
        }
        if (after != null) {
            add(after);
        }
    }

    private void add(NodeState node) {
        NodeGroup group = groups.get(node);
        if (group == null) {
            group = new NodeGroup();
            groups.put(node, group);
        }
        if (group.add(node)) {
            append(group);
        }
    }

    private void remove(NodeState node) {
        NodeGroup group = groups.get(node);
        if (group == null) {
            throw new IllegalStateException("node \"" + node.name() + "\" is in no group");
        }
        group.remove(node);
        if (group.isEmpty()) {
            groups.remove(node);
        }
    }

    private void append(NodeGroup group) {
        if (log.length < groups.size()) {
            grow();
        }
        log[(int) logEnd & log.length - 1] = group;
        group.setLogged(logEnd++);
        logStart = Math.max(logStart, logEnd - log.length);
    }

    private void grow() {
        @Nullable NodeGroup[] longer = new NodeGroup[Integer.highestOneBit(groups.size()) << 1];
        for (long at = logStart; at < logEnd; at++) {
            longer[(int) at & longer.length - 1] = log[(int) at & log.length - 1];
        }
        log = longer;
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

    /** Calls back with each group that may rank higher than it did at a position that the log has not lost. */
    void forEachSince(long position, Consumer<NodeGroup> action) {
        for (long at = position; at < logEnd; at++) {
            NodeGroup group = log[(int) at & log.length - 1];
            if (group != null && group.logged() == at && !group.isEmpty()) {
                action.accept(group);
            }
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
