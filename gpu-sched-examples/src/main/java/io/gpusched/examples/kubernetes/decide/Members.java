package io.gpusched.examples.kubernetes.decide;

import io.gpusched.model.PodId;
import java.util.Set;
import java.util.TreeSet;

/**
 * The pods of a group.
 *
 * @param pending those without a node
 * @param placed those that run or are about to be bound
 */
record Members(Set<PodId> pending, Set<PodId> placed) {
    Members() {
        this(new TreeSet<>(), new TreeSet<>());
    }

    boolean isEmpty() {
        return pending.isEmpty() && placed.isEmpty();
    }
}
