package io.gpusched.kubernetes.decide;

import io.gpusched.model.PodId;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * The pods of a group.
 *
 * @param pending those without a node
 * @param placed the members that run or are about to be bound
 * @param binding those of them that are about to be bound
 */
record Members(Set<PodId> pending, Set<PodId> placed, Set<PodId> binding) {
    Members() {
        this(new TreeSet<>(), new TreeSet<>(), new HashSet<>());
    }

    void put(PodRow row) {
        (row.isWaiting() ? pending : placed).add(row.id());
        if (row.binding() != null) {
            binding.add(row.id());
        }
    }

    void remove(PodId id) {
        pending.remove(id);
        placed.remove(id);
        binding.remove(id);
    }

    int size() {
        return pending.size() + placed.size();
    }

    boolean isEmpty() {
        return pending.isEmpty() && placed.isEmpty();
    }
}
