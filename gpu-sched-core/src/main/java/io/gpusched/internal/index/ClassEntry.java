package io.gpusched.internal.index;

import io.gpusched.model.NodeClass;

/**
 * A class of nodes, or what the classes of a tree have in common.
 *
 * @param nodes how many nodes there are
 * @param tree the position of the tree that holds them
 * @param own whether the tree holds no others
 */
record ClassEntry(NodeClass nodeClass, int nodes, int tree, boolean own) {
    ClassEntry plus(int more) {
        return new ClassEntry(nodeClass, nodes + more, tree, own);
    }
}
