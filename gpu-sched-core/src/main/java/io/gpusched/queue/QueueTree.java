package io.gpusched.queue;

import io.gpusched.check.Checks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The queues of a cluster, a forest of any depth. Immutable and thread-safe. Jobs are in queues that have no parts. */
public final class QueueTree {
    private final Map<String, JobQueue> queues;
    private final Map<String, List<JobQueue>> children;
    private final List<JobQueue> roots;

    private QueueTree(Map<String, JobQueue> queues, Map<String, List<JobQueue>> children, List<JobQueue> roots) {
        this.queues = queues;
        this.children = children;
        this.roots = roots;
    }

    /**
     * Returns the tree of these queues, in any order; their order does not matter.
     *
     * @throws IllegalArgumentException if two queues have the same name, a parent is not among them, or queues are parts of each
     *     other
     */
    public static QueueTree of(Collection<JobQueue> queues) {
        Map<String, JobQueue> byName = new LinkedHashMap<>();
        for (JobQueue queue : Checks.list("queues", queues)) {
            if (byName.put(queue.name(), queue) != null) {
                throw new IllegalArgumentException("queue tree: two queues have the name \"" + queue.name() + "\"");
            }
        }
        Map<String, List<JobQueue>> children = new HashMap<>();
        List<JobQueue> roots = new ArrayList<>();
        for (JobQueue queue : byName.values()) {
            requireRooted(byName, queue);
            List<JobQueue> siblings = queue.parent()
                    .map(parent -> children.computeIfAbsent(parent, name -> new ArrayList<>()))
                    .orElse(roots);
            siblings.add(queue);
        }
        return new QueueTree(byName, children, roots);
    }

    private static void requireRooted(Map<String, JobQueue> queues, JobQueue queue) {
        int levels = 0;
        for (JobQueue above = queue; above.parent().isPresent(); levels++) {
            String parent = above.parent().get();
            JobQueue next = queues.get(parent);
            if (next == null) {
                throw new IllegalArgumentException(
                        "queue \"" + above.name() + "\": there is no parent \"" + parent + "\"");
            }
            if (levels > queues.size()) {
                throw new IllegalArgumentException("queue \"" + queue.name() + "\": it is a part of itself");
            }
            above = next;
        }
    }

    /** Returns all queues, in the order in which they were given. */
    public Collection<JobQueue> queues() {
        return List.copyOf(queues.values());
    }

    /** Returns a queue by its name. */
    public Optional<JobQueue> queue(String name) {
        return Optional.ofNullable(queues.get(Objects.requireNonNull(name, "name")));
    }

    /** Returns the queues at the top, in the order in which they were given. */
    public List<JobQueue> roots() {
        return List.copyOf(roots);
    }

    /** Returns the parts of a queue, in the order in which they were given; none if there is no such queue. */
    public List<JobQueue> children(String name) {
        return List.copyOf(children.getOrDefault(Objects.requireNonNull(name, "name"), List.of()));
    }

    /** Returns whether there is a queue of this name that has no parts. */
    public boolean isLeaf(String name) {
        return queues.containsKey(Objects.requireNonNull(name, "name")) && !children.containsKey(name);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || other instanceof QueueTree tree && queues.equals(tree.queues);
    }

    @Override
    public int hashCode() {
        return queues.hashCode();
    }

    @Override
    public String toString() {
        return "queues " + queues.keySet();
    }
}
