package io.gpusched.internal.index;

import io.gpusched.model.Taint;
import java.util.Arrays;
import java.util.List;

/**
 * The trees of nodes that have the same taints. Immutable.
 *
 * @param own how many of the trees hold nodes of one class only
 * @param trees the positions of the trees, not to be written to
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record TaintGroup(List<Taint> taints, int own, int[] trees) {
    static TaintGroup of(List<Taint> taints) {
        return new TaintGroup(taints, 0, new int[0]);
    }

    TaintGroup plus(ClassTable.Entry tree) {
        int[] more = Arrays.copyOf(trees, trees.length + 1);
        more[trees.length] = tree.tree();
        return new TaintGroup(taints, tree.own() ? own + 1 : own, more);
    }

    TaintGroup minus(ClassTable.Entry tree) {
        int[] fewer = Arrays.stream(trees).filter(at -> at != tree.tree()).toArray();
        return new TaintGroup(taints, tree.own() ? own - 1 : own, fewer);
    }
}
