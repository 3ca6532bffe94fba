package io.gpusched.internal.index;

import io.gpusched.internal.trie.HashTrie;
import io.gpusched.model.NodeClass;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which tree holds the nodes of which class: each class a tree of its own, unless classes are many. Immutable and
 * thread-safe; a node more or less costs O(log n).
 *
 * <p>The first {@value #OWN_TREES} classes, of a new cluster the largest, have a tree of their own; nodes of the others share
 * a few, by mode, kinds of GPUs, rough size and whether they have taints that forbid anything, in which each node has to be
 * looked at. So ten thousand unlike nodes cost hardly more than equal ones.
 */
final class ClassTable {
    /** How many classes have a tree of their own. */
    static final int OWN_TREES = 32;

    static final ClassTable EMPTY =
            new ClassTable(HashTrie.empty(ClassEntry::nodeClass), HashTrie.empty(ClassEntry::nodeClass), 0, null, 0);

    /** The classes of nodes, and which tree holds them. */
    private final HashTrie<NodeClass, ClassEntry> classes;

    /** The trees that nodes of several classes share, by what they have in common. */
    private final HashTrie<NodeClass, ClassEntry> shared;

    /** How many classes have a tree of their own. */
    private final int own;

    /** Positions that no tree has any more. */
    private final @Nullable Free free;

    /** The first position that no tree ever had. */
    private final int next;

    private ClassTable(
            HashTrie<NodeClass, ClassEntry> classes,
            HashTrie<NodeClass, ClassEntry> shared,
            int own,
            @Nullable Free free,
            int next) {
        this.classes = classes;
        this.shared = shared;
        this.own = own;
        this.free = free;
        this.next = next;
    }

    private record Free(int position, @Nullable Free others) {}

    private static long hash(Object key) {
        return TextHash.mix(key.hashCode());
    }

    /** Returns the entry of a class of which there are nodes. */
    ClassEntry entry(NodeClass nodeClass) {
        ClassEntry entry = classes.get(hash(nodeClass), nodeClass);
        if (entry == null) {
            throw new IllegalStateException("no nodes of class " + nodeClass);
        }
        return entry;
    }

    /** Returns this table with so many more nodes of a class; a class new to it gets a tree of its own if there are few. */
    ClassTable plus(NodeClass nodeClass, int nodes) {
        ClassEntry known = classes.get(hash(nodeClass), nodeClass);
        if (known != null) {
            return counting(known, nodes);
        }
        return own < OWN_TREES ? plusOwn(nodeClass, nodes) : plusRare(nodeClass, nodes);
    }

    private ClassTable plusOwn(NodeClass nodeClass, int nodes) {
        ClassEntry entry = new ClassEntry(nodeClass, nodes, newPosition(), true);
        return new ClassTable(with(classes, entry), shared, own + 1, rest(), nextAfter());
    }

    /** Returns this table with nodes of a class that is new to it, in a tree that it shares with other classes. */
    ClassTable plusRare(NodeClass nodeClass, int nodes) {
        NodeClass common = nodeClass.toMixed();
        ClassEntry tree = shared.get(hash(common), common);
        if (tree == null) {
            ClassEntry entry = new ClassEntry(common, nodes, newPosition(), false);
            return new ClassTable(
                    with(classes, new ClassEntry(nodeClass, nodes, entry.tree(), false)),
                    with(shared, entry),
                    own,
                    rest(),
                    nextAfter());
        }
        return new ClassTable(
                with(classes, new ClassEntry(nodeClass, nodes, tree.tree(), false)),
                with(shared, tree.plus(nodes)),
                own,
                free,
                next);
    }

    private int newPosition() {
        return free == null ? next : free.position();
    }

    private @Nullable Free rest() {
        return free == null ? null : free.others();
    }

    private int nextAfter() {
        return free == null ? next + 1 : next;
    }

    private ClassTable counting(ClassEntry entry, int nodes) {
        HashTrie<NodeClass, ClassEntry> trees = shared;
        if (!entry.own()) {
            trees = with(shared, common(entry).plus(nodes));
        }
        return new ClassTable(with(classes, entry.plus(nodes)), trees, own, free, next);
    }

    /** Returns this table with one node of a class less. */
    ClassTable minus(NodeClass nodeClass) {
        ClassEntry entry = entry(nodeClass);
        if (entry.nodes() > 1) {
            return counting(entry, -1);
        }
        HashTrie<NodeClass, ClassEntry> fewer = classes.without(hash(nodeClass), nodeClass);
        if (entry.own()) {
            return new ClassTable(fewer, shared, own - 1, new Free(entry.tree(), free), next);
        }
        ClassEntry tree = common(entry);
        return tree.nodes() > 1
                ? new ClassTable(fewer, with(shared, tree.plus(-1)), own, free, next)
                : new ClassTable(
                        fewer,
                        shared.without(hash(tree.nodeClass()), tree.nodeClass()),
                        own,
                        new Free(tree.tree(), free),
                        next);
    }

    /** Returns this table with a node of another class in place of one. */
    ClassTable replaced(NodeClass before, NodeClass after) {
        // first one more, then one less: the trees of both must have different positions meanwhile
        return before.equals(after) ? this : plus(after, 1).minus(before);
    }

    private ClassEntry common(ClassEntry entry) {
        NodeClass common = entry.nodeClass().toMixed();
        ClassEntry tree = shared.get(hash(common), common);
        if (tree == null) {
            throw new IllegalStateException("no tree for " + entry);
        }
        return tree;
    }

    private static HashTrie<NodeClass, ClassEntry> with(HashTrie<NodeClass, ClassEntry> entries, ClassEntry entry) {
        return entries.with(hash(entry.nodeClass()), entry);
    }

    /** Returns what a tree holds: its class, or what its classes have in common. */
    NodeClass treeClass(ClassEntry entry) {
        return entry.own() ? entry.nodeClass() : common(entry).nodeClass();
    }

    /** Calls back with every class of which there are nodes, in no particular order. */
    void forEach(Consumer<? super ClassEntry> action) {
        classes.forEach(action);
    }

    /** Returns how many classes have a tree of their own. */
    int own() {
        return own;
    }
}
