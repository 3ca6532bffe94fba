package io.gpusched.kubernetes.quota;

import io.gpusched.queue.JobQueue;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.Quota;
import io.gpusched.workload.NodeSelector;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a queue object says, whatever its vocabulary.
 *
 * @param vocabulary whose object it is
 * @param name its name
 * @param uid the identity of the object
 * @param version the version of the object
 * @param parent the queue that it is a part of
 * @param priority queues of higher priority come first
 * @param created when it was created, in milliseconds
 * @param quotas what it has of each resource
 * @param preemptible whether its pods are evicted for others
 * @param closed whether no more of its pods start
 * @param minRuntimeMillis how long its pods run at least before they are evicted
 * @param nodes the nodes that its pods may use
 * @param namespaces the namespaces whose pods may use it, by their labels; all if none are named
 * @param maxShape the most that one job may request, by resource
 * @param unhonoured the fields that are there and not honoured, each with why
 * @param problem why no pod of it starts; empty if nothing stands against it
 */
public record QueueSpec(
        QueueVocabulary vocabulary,
        String name,
        String uid,
        String version,
        Optional<String> parent,
        int priority,
        long created,
        Map<QueueResource, Quota> quotas,
        boolean preemptible,
        boolean closed,
        long minRuntimeMillis,
        NodeSelector nodes,
        NodeSelector namespaces,
        Map<String, BigDecimal> maxShape,
        List<String> unhonoured,
        String problem) {
    /** Copies the collections. */
    public QueueSpec {
        quotas = Map.copyOf(quotas);
        maxShape = Map.copyOf(maxShape);
        unhonoured = List.copyOf(unhonoured);
    }

    /**
     * Returns it as a queue of the library.
     *
     * @throws IllegalArgumentException if there can be no such queue
     */
    JobQueue queue() {
        long minRuntime = preemptible ? minRuntimeMillis : Long.MAX_VALUE;
        Optional<String> above = vocabulary == QueueVocabulary.T9K ? Optional.of(nameOf(priority)) : parent;
        return new JobQueue(name, above, priority, created, quotas, minRuntime);
    }

    /** Returns the name of the queue above those of a priority. */
    static String nameOf(int priority) {
        return "queues of priority " + priority;
    }

    /**
     * Returns why a job does not start in it whatever the cluster; empty if nothing stands against it.
     *
     * @param namespace the labels of its namespace
     * @param requests what its pods request together, by resource
     */
    public String refusal(Map<String, String> namespace, Map<String, BigDecimal> requests) {
        if (!problem.isEmpty()) {
            return "queue \"" + name + "\": " + problem;
        }
        if (closed) {
            return "queue \"" + name + "\" is closed";
        }
        if (!namespaces.matches(namespace)) {
            return "queue \"" + name + "\" may not be used by pods of this namespace";
        }
        for (Map.Entry<String, BigDecimal> request : requests.entrySet()) {
            BigDecimal most = maxShape.get(request.getKey());
            if (most != null && request.getValue().compareTo(most) > 0) {
                return "queue \"" + name + "\": a job may request at most " + most.toPlainString() + " of "
                        + request.getKey() + ", got " + request.getValue().toPlainString();
            }
        }
        return "";
    }
}
