package io.gpusched.internal.index;

import io.gpusched.model.Taint;
import java.util.Arrays;
import java.util.List;

/** The trees of nodes that have the same taints. Immutable; compared by identity. */
final class TaintGroup {
    private final List<Taint> taints;
    private final int own;
    private final int[] trees;

    private TaintGroup(List<Taint> taints, int own, int[] trees) {
        this.taints = taints;
        this.own = own;
        this.trees = trees;
    }

    /** Returns a group without trees. */
    static TaintGroup of(List<Taint> taints) {
        return new TaintGroup(taints, 0, new int[0]);
    }

    List<Taint> taints() {
        return taints;
    }

    /** How many of its trees hold nodes of one class only. */
    int own() {
        return own;
    }

    /** The positions of its trees, not to be written to. */
    int[] trees() {
        return trees;
    }

    TaintGroup plus(ClassEntry tree) {
        int[] more = Arrays.copyOf(trees, trees.length + 1);
        more[trees.length] = tree.tree();
        return new TaintGroup(taints, tree.own() ? own + 1 : own, more);
    }

    TaintGroup minus(ClassEntry tree) {
        int[] fewer = Arrays.stream(trees).filter(at -> at != tree.tree()).toArray();
        return new TaintGroup(taints, tree.own() ? own - 1 : own, fewer);
    }
}
