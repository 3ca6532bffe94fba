package io.gpusched.conformance.emulation;

import io.gpusched.workload.NodeSelector;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A Queue of T9k.
 *
 * @param name its name
 * @param priority 0..100, higher first
 * @param isPreemptible whether pods of queues with a higher priority may take its pods' place
 * @param isClosed whether it takes no new workload
 * @param quota the most that its workloads may request together, by resource; a resource not named is not bounded
 * @param allocated what its workloads hold, by resource
 * @param maxShape the most that one workload may request, by resource
 * @param nodeSelector which nodes it may use; any where none is set
 * @param namespaceSelector which namespaces may use it; none where none is set
 */
public record T9kQueue(
        String name,
        int priority,
        boolean isPreemptible,
        boolean isClosed,
        Map<String, BigDecimal> quota,
        Map<String, BigDecimal> allocated,
        Map<String, BigDecimal> maxShape,
        @Nullable NodeSelector nodeSelector,
        @Nullable NodeSelector namespaceSelector) {
    /** The order of queues: higher priority first, then the lower dominant share, then by name. */
    public static final Comparator<T9kQueue> ORDER = Comparator.comparingInt(T9kQueue::priority)
            .reversed()
            .thenComparing(T9kQueue::dominantShare)
            .thenComparing(T9kQueue::name);

    /**
     * Copies the maps and checks the priority.
     *
     * @throws IllegalArgumentException if the priority is out of range
     */
    public T9kQueue {
        if (priority < 0 || priority > 100) {
            throw new IllegalArgumentException("queue \"" + name + "\": priority must be in 0..100, got " + priority);
        }
        quota = Collections.unmodifiableMap(new TreeMap<>(quota));
        allocated = Collections.unmodifiableMap(new TreeMap<>(allocated));
        maxShape = Collections.unmodifiableMap(new TreeMap<>(maxShape));
    }

    /** Returns an open, preemptible queue without quota, use or restrictions. */
    public static T9kQueue of(String name, int priority) {
        return new T9kQueue(name, priority, true, false, Map.of(), Map.of(), Map.of(), null, null);
    }

    /** Returns this queue with this quota and this use. */
    public T9kQueue withQuota(Map<String, BigDecimal> most, Map<String, BigDecimal> used) {
        return new T9kQueue(
                name, priority, isPreemptible, isClosed, most, used, maxShape, nodeSelector, namespaceSelector);
    }

    /** Returns this queue, preemptible or not. */
    public T9kQueue withPreemptible(boolean value) {
        return new T9kQueue(
                name, priority, value, isClosed, quota, allocated, maxShape, nodeSelector, namespaceSelector);
    }

    /** Returns this queue, closed or not. */
    public T9kQueue withClosed(boolean value) {
        return new T9kQueue(
                name, priority, isPreemptible, value, quota, allocated, maxShape, nodeSelector, namespaceSelector);
    }

    /** Returns this queue with this largest workload. */
    public T9kQueue withMaxShape(Map<String, BigDecimal> most) {
        return new T9kQueue(
                name, priority, isPreemptible, isClosed, quota, allocated, most, nodeSelector, namespaceSelector);
    }

    /** Returns this queue with these selectors; null for unset. */
    public T9kQueue withSelectors(@Nullable NodeSelector nodes, @Nullable NodeSelector namespaces) {
        return new T9kQueue(name, priority, isPreemptible, isClosed, quota, allocated, maxShape, nodes, namespaces);
    }

    /**
     * Returns the greatest part of its quota that is in use, over the resources that have a quota; 0 where none has. It
     * orders queues and decides no fit.
     */
    public BigDecimal dominantShare() {
        return quota.entrySet().stream()
                .filter(most -> most.getValue().signum() > 0)
                .map(most -> allocated
                        .getOrDefault(most.getKey(), BigDecimal.ZERO)
                        .divide(most.getValue(), MathContext.DECIMAL128))
                .max(Comparator.naturalOrder())
                .orElse(BigDecimal.ZERO);
    }

    /** Returns the rule that refuses a new workload with these requests, or nothing if it is admitted. */
    public Optional<String> refusal(Map<String, BigDecimal> requests) {
        if (isClosed) {
            return Optional.of("queue \"" + name + "\" is closed");
        }
        for (Map.Entry<String, BigDecimal> request : requests.entrySet()) {
            String resource = request.getKey();
            BigDecimal shape = maxShape.get(resource);
            if (shape != null && request.getValue().compareTo(shape) > 0) {
                return Optional.of("queue \"" + name + "\": a workload may request at most " + shape.toPlainString()
                        + " of " + resource + ", got " + request.getValue().toPlainString());
            }
            BigDecimal most = quota.get(resource);
            BigDecimal sum = request.getValue().add(allocated.getOrDefault(resource, BigDecimal.ZERO));
            if (most != null && sum.compareTo(most) > 0) {
                return Optional.of("queue \"" + name + "\": quota of " + resource + " is " + most.toPlainString()
                        + ", with this workload " + sum.toPlainString() + " would be requested");
            }
        }
        return Optional.empty();
    }

    /** Returns whether its pods may go to a node with these labels. */
    public boolean mayUseNode(Map<String, String> labels) {
        return nodeSelector == null || nodeSelector.matches(labels);
    }

    /**
     * Returns whether workloads may use it.
     *
     * @param isPermitted whether the user or one of its groups was given the queue
     * @param namespaceLabels the labels of the workload's namespace
     */
    public boolean mayBeUsed(boolean isPermitted, Map<String, String> namespaceLabels) {
        return isPermitted || namespaceSelector != null && namespaceSelector.matches(namespaceLabels);
    }
}
