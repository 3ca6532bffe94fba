package io.gpusched.conformance.emulation;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * T9k's documented rule of preemption, over amounts of a whole cluster: a pod may take the place of pods whose queues
 * have a lower priority than its own and are preemptible, the pod of lowest priority first, and never beyond its own
 * queue's quota.
 *
 * <p>The documents do not say which of two queues of equal priority loses first; here it is the one with the greater
 * dominant share, then the later name. Every victim is needed: one that turns out to be superfluous is spared.
 */
public final class T9kPreemption {
    /**
     * A running pod.
     *
     * @param name its name
     * @param queue its queue's name
     * @param priority its rank inside the queue; the lowest loses first
     * @param requests what it holds, by resource
     */
    public record Running(String name, String queue, int priority, Map<String, BigDecimal> requests) {}

    private final Map<String, T9kQueue> queues;
    private final List<Running> running;

    /**
     * Creates the rule for a state.
     *
     * @param queues the queues by name, with their quota and use
     * @param running what runs; of pods with equal rank the later one loses first
     */
    public T9kPreemption(Map<String, T9kQueue> queues, List<Running> running) {
        this.queues = Map.copyOf(queues);
        this.running = List.copyOf(running);
    }

    /**
     * Returns the victims for a pending pod, none where enough is free, or nothing at all if it must wait.
     *
     * @param queue the pod's queue
     * @param requests what it asks, by resource
     * @param free what is free, by resource
     * @throws IllegalArgumentException if the queue is not known
     */
    public Optional<List<Running>> victims(
            String queue, Map<String, BigDecimal> requests, Map<String, BigDecimal> free) {
        T9kQueue own = queue(queue);
        if (own.refusal(requests).isPresent()) {
            return Optional.empty();
        }
        List<Running> chosen = new ArrayList<>();
        for (Running candidate : candidates(own)) {
            if (fits(requests, free, chosen)) {
                break;
            }
            chosen.add(candidate);
        }
        return fits(requests, free, chosen) ? Optional.of(spare(requests, free, chosen)) : Optional.empty();
    }

    private List<Running> candidates(T9kQueue own) {
        List<Running> latestFirst = new ArrayList<>(running);
        java.util.Collections.reverse(latestFirst);
        return latestFirst.stream()
                .filter(pod -> queue(pod.queue()).isPreemptible())
                .filter(pod -> queue(pod.queue()).priority() < own.priority())
                .sorted(Comparator.comparingInt(
                                (Running pod) -> queue(pod.queue()).priority())
                        .thenComparing((Running pod) -> queue(pod.queue()).dominantShare(), Comparator.reverseOrder())
                        .thenComparing(Running::queue, Comparator.reverseOrder())
                        .thenComparingInt(Running::priority))
                .toList();
    }

    private static List<Running> spare(
            Map<String, BigDecimal> requests, Map<String, BigDecimal> free, List<Running> chosen) {
        List<Running> needed = new ArrayList<>(chosen);
        for (Running victim : chosen) {
            List<Running> fewer = new ArrayList<>(needed);
            fewer.remove(victim);
            if (fits(requests, free, fewer)) {
                needed = fewer;
            }
        }
        return needed;
    }

    private static boolean fits(Map<String, BigDecimal> requests, Map<String, BigDecimal> free, List<Running> victims) {
        for (Map.Entry<String, BigDecimal> request : requests.entrySet()) {
            BigDecimal room = free.getOrDefault(request.getKey(), BigDecimal.ZERO);
            for (Running victim : victims) {
                room = room.add(victim.requests().getOrDefault(request.getKey(), BigDecimal.ZERO));
            }
            if (request.getValue().compareTo(room) > 0) {
                return false;
            }
        }
        return true;
    }

    private T9kQueue queue(String name) {
        T9kQueue queue = queues.get(name);
        if (queue == null) {
            throw new IllegalArgumentException("queue \"" + name + "\" is not known");
        }
        return queue;
    }
}
