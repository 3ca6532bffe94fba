package io.gpusched.simulator.cycle;

import io.gpusched.model.Node;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.QueueTree;
import io.gpusched.simulator.replay.Scenario;
import io.gpusched.simulator.trace.SubmittedJob;
import io.gpusched.simulator.trace.TraceJob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is replayed: jobs in queues.
 *
 * @param jobs the jobs by time of arrival, and the machines
 * @param queues the queues
 * @param queueOf the queue of each job, by its name
 * @param promisedAbove jobs of more GPUs than this are promised their start where the rule of backfill keeps promises; at least 0
 */
public record CycleScenario(Scenario jobs, QueueTree queues, Map<String, String> queueOf, int promisedAbove) {
    /**
     * Copies the map.
     *
     * @throws IllegalArgumentException if {@code promisedAbove} is negative
     */
    public CycleScenario {
        queueOf = Map.copyOf(queueOf);
        if (promisedAbove < 0) {
            throw new IllegalArgumentException(
                    "scenario \"" + jobs.name() + "\": promisedAbove must be at least 0, got " + promisedAbove);
        }
    }

    /**
     * Returns the scenario in which the jobs of an owner are in the queue of the same name. Owners without one are given to the queues
     * that have no parts in turn, in the order in which they appear first. Jobs that are larger than any node are promised their start.
     *
     * @throws IllegalArgumentException if there is no queue, or two jobs have the same name
     */
    public static CycleScenario of(String name, List<Node> nodes, QueueTree queues, List<SubmittedJob> jobs) {
        List<String> leaves = leaves(queues);
        if (leaves.isEmpty()) {
            throw new IllegalArgumentException("scenario \"" + name + "\": there must be a queue");
        }
        Map<String, String> queueOf = new HashMap<>();
        Map<String, String> owners = new HashMap<>();
        int[] next = {0};
        for (SubmittedJob job : jobs) {
            String queue = owners.computeIfAbsent(
                    job.owner(), owner -> queues.isLeaf(owner) ? owner : leaves.get(next[0]++ % leaves.size()));
            if (queueOf.put(job.job().name(), queue) != null) {
                throw new IllegalArgumentException("scenario \"" + name + "\": two jobs have the name \""
                        + job.job().name() + "\"");
            }
        }
        List<TraceJob> played = jobs.stream().map(job -> job.job().inOneForm()).toList();
        int largest = nodes.stream().mapToInt(node -> node.gpus().size()).max().orElse(0);
        return new CycleScenario(new Scenario(name, nodes, played), queues, queueOf, largest);
    }

    /** Returns this scenario with other jobs, each in a queue of this one. */
    public CycleScenario withJobs(Scenario value) {
        return new CycleScenario(value, queues, queueOf, promisedAbove);
    }

    /** Returns this scenario with jobs of more GPUs than this promised. */
    public CycleScenario withPromisedAbove(int value) {
        return new CycleScenario(jobs, queues, queueOf, value);
    }

    /** Returns the names of the queues that have no parts, in their order. */
    public List<String> leaves() {
        return leaves(queues);
    }

    private static List<String> leaves(QueueTree queues) {
        return queues.queues().stream()
                .map(JobQueue::name)
                .filter(queues::isLeaf)
                .toList();
    }
}
