package io.gpusched.internal.tree;

import java.util.Arrays;

/**
 * Parts of a {@link KeyedTree} of one height in their order, each with its summary and with a key not greater than any below
 * it, on their way to become the parts of branches. The key of the first part of all is not looked at.
 */
final class PartList<T> {
    /** Chunks of a new tree have so many leaves: the nodes that join later mostly find a free place. */
    private static final int NEW_CHUNK = 12;

    private final SummaryFormat<T> format;

    /** The number of levels of branches from each part down. */
    private final int height;

    private Object[][] parts;
    private long[][] summaries;
    private long[] keys;
    private int size;

    PartList(SummaryFormat<T> format, int height, int capacity) {
        this.format = format;
        this.height = height;
        this.parts = new Object[capacity][];
        this.summaries = new long[capacity][];
        this.keys = new long[capacity];
    }

    /** Returns the chunks of a new tree of these leaves. */
    static <T> PartList<T> ofAllLeaves(SummaryFormat<T> format, long[] keys, Object[] leaves) {
        return ofLeaves(format, keys, leaves, leaves.length, chunks(leaves.length));
    }

    /** Returns chunks of the first {@code n} of these leaves, as few as can be. */
    static <T> PartList<T> ofLeaves(SummaryFormat<T> format, long[] keys, Object[] leaves, int n) {
        return ofLeaves(format, keys, leaves, n, groups(n));
    }

    private static <T> PartList<T> ofLeaves(SummaryFormat<T> format, long[] keys, Object[] leaves, int n, int groups) {
        PartList<T> chunks = new PartList<>(format, 0, groups);
        for (int group = 0; group < groups; group++) {
            chunks.addChunk(keys, leaves, start(n, group, groups), start(n, group + 1, groups));
        }
        return chunks;
    }

    @SuppressWarnings("unchecked") // what stands in chunks are leaves
    private void addChunk(long[] allKeys, Object[] leaves, int from, int to) {
        Object[] chunk = TreeLayout.chunk(TreeLayout.keys(allKeys, from, to));
        long[] summary = BucketSummary.empty(TreeLayout.FAN);
        for (int i = from; i < to; i++) {
            chunk[i - from] = leaves[i];
            LeafUpdate<T> put = LeafUpdate.put(format, allKeys[i], (T) leaves[i]);
            summary = ChunkChange.applied(format, summary, i - from, put);
        }
        add(chunk, summary, allKeys[from]);
    }

    /** Into how many groups of at most 16 so many things are divided. */
    private static int groups(int n) {
        return (n + TreeLayout.FAN - 1) / TreeLayout.FAN;
    }

    /** Into how many chunks the leaves of a new tree are divided. */
    private static int chunks(int leaves) {
        return leaves <= TreeLayout.FAN ? groups(leaves) : (leaves + NEW_CHUNK - 1) / NEW_CHUNK;
    }

    /** Where a group starts, if all are as equal as can be. */
    private static int start(int n, int group, int groups) {
        return (int) ((long) n * group / groups);
    }

    /**
     * Returns where the leaf at an index stands in a tree built of {@code n}: its place in its chunk, the place of that in its
     * branch and so on, four bits each from the lowest on; 0 if there are more levels than bits.
     */
    static int path(int index, int n) {
        long path = 0;
        int at = index;
        int bits = 0;
        for (int parts = n; parts > 1 && bits < Integer.SIZE; bits += 4) {
            int groups = bits == 0 ? chunks(parts) : groups(parts);
            int group = (int) (((long) at * groups + groups - 1) / parts);
            group = start(parts, group, groups) > at ? group - 1 : group;
            path |= (long) (at - start(parts, group, groups)) << bits;
            at = group;
            parts = groups;
        }
        return at > 0 || path > Integer.MAX_VALUE ? 0 : (int) path;
    }

    int size() {
        return size;
    }

    int height() {
        return height;
    }

    Object[] part(int at) {
        return parts[at];
    }

    long[] summary(int at) {
        return summaries[at];
    }

    void add(Object[] part, long[] summary, long key) {
        if (size == parts.length) {
            int more = 2 * size + 1;
            parts = Arrays.copyOf(parts, more);
            summaries = Arrays.copyOf(summaries, more);
            keys = Arrays.copyOf(keys, more);
        }
        parts[size] = part;
        summaries[size] = summary;
        keys[size++] = key;
    }

    /** Adds all parts of another list, the first of them from this key on. */
    void addAll(PartList<T> others, long firstKey) {
        for (int i = 0; i < others.size; i++) {
            add(others.parts[i], others.summaries[i], i == 0 ? firstKey : others.keys[i]);
        }
    }

    /** Returns branches of these parts. */
    PartList<T> grouped() {
        int groups = groups(size);
        PartList<T> branches = new PartList<>(format, height + 1, groups);
        for (int group = 0; group < groups; group++) {
            int from = start(size, group, groups);
            Object[] branch = branch(from, start(size, group + 1, groups));
            branches.add(branch, BranchChange.summaryOf(branch), keys[from]);
        }
        return branches;
    }

    private Object[] branch(int from, int to) {
        Object[] branch = TreeLayout.branch(TreeLayout.keys(keys, from, to));
        System.arraycopy(parts, from, branch, 0, to - from);
        System.arraycopy(summaries, from, branch, TreeLayout.FAN, to - from);
        return branch;
    }

    /** Joins parts that are too small with the ones beside them, unless there is only one. */
    void mend() {
        int at = 0;
        while (at < size && size > 1) {
            if (TreeLayout.count(parts[at]) >= TreeLayout.LEAST) {
                at++;
            } else {
                at = Math.max(0, at - 1);
                replaceTwo(at, joined(at));
            }
        }
    }

    /** Returns one or two parts of what is below a part and the next. */
    private PartList<T> joined(int at) {
        return height == 0 ? joinedChunks(parts[at], parts[at + 1]) : joinedBranches(at);
    }

    private PartList<T> joinedChunks(Object[] left, Object[] right) {
        int n = TreeLayout.count(left);
        int all = n + TreeLayout.count(right);
        long[] allKeys = Arrays.copyOf(TreeLayout.keys(left), all);
        System.arraycopy(TreeLayout.keys(right), 0, allKeys, n, all - n);
        Object[] leaves = Arrays.copyOf(left, all);
        System.arraycopy(right, 0, leaves, n, all - n);
        return ofLeaves(format, allKeys, leaves, all);
    }

    private PartList<T> joinedBranches(int at) {
        PartList<T> below = new PartList<>(format, height - 1, 2 * TreeLayout.FAN);
        for (int i = at; i <= at + 1; i++) {
            for (int j = 0; j < TreeLayout.count(parts[i]); j++) {
                long key = j == 0 ? keys[i] : TreeLayout.keys(parts[i])[j];
                below.add(TreeLayout.part(parts[i], j), TreeLayout.summary(parts[i], j), key);
            }
        }
        below.mend();
        return below.grouped();
    }

    private void replaceTwo(int at, PartList<T> by) {
        PartList<T> rest = new PartList<>(format, height, size);
        for (int i = at + 2; i < size; i++) {
            rest.add(parts[i], summaries[i], keys[i]);
        }
        size = at;
        long first = keys[at];
        addAll(by, first);
        addAll(rest, rest.size == 0 ? 0 : rest.keys[0]);
    }
}
