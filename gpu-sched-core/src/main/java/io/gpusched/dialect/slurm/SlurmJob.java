package io.gpusched.dialect.slurm;

import io.gpusched.internal.check.Checks;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A Slurm job whose counts agree with each other.
 *
 * @param nodes how many nodes, at least 1
 * @param tasks how many tasks, at least one for each node
 * @param tasksPerNode tasks on each node, or 0 for an even spread
 * @param perNode what each node gives
 * @param perJob GPUs of the whole job, or none; every node gives at least one
 * @param perTask what each task gets
 * @param cpusPerTask CPUs of each task, at least 1
 * @param cpusPerGpu CPUs for each GPU, or 0
 * @param nodeList the nodes it is bound to, such as {@code n1,n[3-4]}, or any
 */
public record SlurmJob(
        int nodes,
        long tasks,
        long tasksPerNode,
        List<SlurmGres> perNode,
        List<SlurmGres> perJob,
        List<SlurmGres> perTask,
        long cpusPerTask,
        long cpusPerGpu,
        Optional<String> nodeList) {
    /** Copies the lists. */
    public SlurmJob {
        Objects.requireNonNull(nodeList, "nodeList");
        perNode = Checks.list("perNode", perNode);
        perJob = Checks.list("perJob", perJob);
        perTask = Checks.list("perTask", perTask);
    }

    /** Returns the nodes it is bound to by name, or nothing if it may go anywhere. */
    public Optional<List<String>> boundNodes() {
        return nodeList.map(SlurmNames::expand);
    }

    /** Returns the tasks of the node at this position, spread evenly with the remainder on the first nodes. */
    public long tasksOn(int position) {
        return tasksPerNode > 0 ? tasksPerNode : tasks / nodes + (position < tasks % nodes ? 1 : 0);
    }

    /** Returns what the node at this position gives, apart from what {@link #perJob} still adds. */
    public List<SlurmGres> on(int position) {
        if (!perNode.isEmpty() || perTask.isEmpty()) {
            return perNode;
        }
        return perTask.stream()
                .map(gres -> new SlurmGres(gres.name(), gres.type(), gres.count() * tasksOn(position)))
                .toList();
    }
}
