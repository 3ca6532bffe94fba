package io.gpusched.kubernetes.quota;

import io.gpusched.queue.JobQueue;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.Quota;
import io.gpusched.workload.NodeSelector;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The queue objects of a cluster as a tree of the library's. Where the queue of pods that name none does not exist, there is one
 * without quotas. T9k's queues stand below one queue for each priority, so that those of higher priority take from those of lower
 * priority and from no others. Not thread-safe.
 */
public final class QueueBook {
    private static final List<QueueResource> PLAIN =
            List.of(QueueResource.GPU, QueueResource.CPU, QueueResource.MEMORY);

    private final QueueVocabulary vocabulary;
    private final Map<String, QueueSpec> specs = new TreeMap<>();

    /** The queues in which pods run that take none any more. */
    private final Set<String> left = new TreeSet<>();

    /** For each of these the queue in which its pods count: one that no pod can name, whatever texts pods name. */
    private final Map<String, String> standIns = new HashMap<>();

    private @Nullable QueueTree tree;

    /** Creates the book of a cluster without queue objects. */
    public QueueBook(QueueVocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    /** Takes note of a queue object, new or changed. */
    public void put(QueueSpec spec) {
        specs.put(spec.name(), spec);
        tree = null;
    }

    /** Takes note that a queue object is gone. */
    public void remove(String name) {
        specs.remove(name);
        tree = null;
    }

    /** Returns the queue of pods that name this one; the default one if it is blank. */
    public String named(String name) {
        return name.isBlank() || vocabulary == QueueVocabulary.NONE ? vocabulary.defaultQueue() : name;
    }

    /** Returns the nodes that pods of a queue may use. */
    public NodeSelector nodes(String name) {
        QueueSpec spec = specs.get(name);
        return spec == null ? NodeSelector.ANY : spec.nodes();
    }

    /** Returns whether a queue takes pods. */
    public boolean isLeaf(String name) {
        return tree().isLeaf(name) && !left.contains(name) && !standIns.containsValue(name);
    }

    /**
     * Says in which queues pods run. Pods that were started in a queue that is gone by now, or consists of others, still count: in a
     * queue without quotas in its place, or as one more part of it.
     */
    public void keep(Set<String> running) {
        if (!left.isEmpty() || !running.stream().allMatch(tree()::isLeaf)) {
            left.clear();
            tree = null;
            running.stream().filter(name -> !tree().isLeaf(name)).forEach(left::add);
            tree = null;
        }
    }

    /** Returns the queue in which those count that were started in one of a name. */
    public String counting(String name) {
        return tree().isLeaf(name) && !left.contains(name) ? name : standIns.getOrDefault(name, name);
    }

    /**
     * Returns why a job does not start in a queue whatever the cluster; empty if nothing stands against it.
     *
     * @param namespace the labels of its namespace
     * @param requests what its pods request together, by resource; asked for only if the queue bounds it
     */
    public String refusal(String name, Map<String, String> namespace, Supplier<Map<String, BigDecimal>> requests) {
        QueueSpec spec = specs.get(name);
        String refusal =
                spec == null ? "" : spec.refusal(namespace, spec.maxShape().isEmpty() ? Map.of() : requests.get());
        if (!refusal.isEmpty() || isLeaf(name)) {
            return refusal;
        }
        return tree().queue(name).isPresent() && !tree().isLeaf(name)
                ? "queue \"" + name + "\" consists of queues. Maybe name one of them"
                : "queue \"" + name + "\" " + (spec == null ? "not found" : "has no parent, or is a part of itself");
    }

    /** Returns the queues. */
    public QueueTree tree() {
        if (tree == null) {
            tree = QueueTree.of(queues());
        }
        return tree;
    }

    private List<JobQueue> queues() {
        List<JobQueue> queues = new ArrayList<>();
        Set<String> parts = new HashSet<>();
        for (QueueSpec spec : specs.values()) {
            if (isRooted(spec)) {
                queues.add(spec.queue());
                spec.parent().ifPresent(parts::add);
            }
        }
        if (!specs.containsKey(vocabulary.defaultQueue())) {
            queues.add(fallback());
        }
        Set<Integer> priorities = vocabulary == QueueVocabulary.T9K
                ? specs.values().stream().map(QueueSpec::priority).collect(Collectors.toCollection(TreeSet::new))
                : Set.of();
        priorities.forEach(priority -> queues.add(ofPriority(priority)));
        Set<String> names = queues.stream().map(JobQueue::name).collect(Collectors.toSet());
        standIns.clear();
        for (String name : left) {
            boolean hasParts = names.contains(name);
            String own = hasParts ? "pods of " + name + " from before it had parts" : name;
            while (!names.add(own)) {
                own += "'";
            }
            standIns.put(name, own);
            JobQueue.Builder queue = nothing(own);
            queues.add(hasParts ? queue.parent(name).build() : queue.build());
        }
        return queues;
    }

    /** A queue that deserves nothing. */
    private static JobQueue.Builder nothing(String name) {
        JobQueue.Builder queue = JobQueue.builder(name);
        PLAIN.forEach(resource -> queue.quota(resource, Quota.ofDeserved(0)));
        return queue;
    }

    private boolean isRooted(QueueSpec spec) {
        Set<String> seen = new HashSet<>();
        QueueSpec at = spec;
        while (seen.add(at.name())) {
            if (at.parent().isEmpty()) {
                return true;
            }
            QueueSpec above = specs.get(at.parent().get());
            if (above == null) {
                return false;
            }
            at = above;
        }
        return false;
    }

    /** Where there are no queue objects at all, it is all that there is. */
    private JobQueue fallback() {
        String name = vocabulary.defaultQueue();
        return specs.isEmpty() ? JobQueue.builder(name).build() : nothing(name).build();
    }

    private static JobQueue ofPriority(int priority) {
        return nothing(QueueSpec.nameOf(priority)).priority(priority).build();
    }
}
