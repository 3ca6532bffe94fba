package io.gpusched.simulator.cycle;

import io.gpusched.model.Node;
import io.gpusched.simulator.replay.Scenario;
import io.gpusched.simulator.trace.SubmittedJob;
import io.gpusched.simulator.trace.TraceJob;
import io.gpusched.workload.Queue;
import io.gpusched.workload.QueueTree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is replayed: jobs in queues.
 *
 * @param jobs the jobs by time of arrival, and the machines
 * @param queues the queues
 * @param queueOf the queue of each job, by its name
 */
public record CycleScenario(Scenario jobs, QueueTree queues, Map<String, String> queueOf) {
    /** Copies the map. */
    public CycleScenario {
        queueOf = Map.copyOf(queueOf);
    }

    /**
     * Returns the scenario in which the jobs of an owner are in the queue of the same name. Owners without one are given to the queues
     * that have no parts in turn, in the order in which they appear first.
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
        List<TraceJob> played = jobs.stream().map(SubmittedJob::job).toList();
        return new CycleScenario(new Scenario(name, nodes, played), queues, queueOf);
    }

    /** Returns this scenario with its arrivals pressed together or spread out so that the offered load is this. */
    public CycleScenario withLoad(double load) {
        return new CycleScenario(jobs.withLoad(load), queues, queueOf);
    }

    /** Returns the names of the queues that have no parts, in their order. */
    public List<String> leaves() {
        return leaves(queues);
    }

    private static List<String> leaves(QueueTree queues) {
        return queues.queues().stream().map(Queue::name).filter(queues::isLeaf).toList();
    }
}
