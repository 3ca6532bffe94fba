package io.gpusched.dialect.slurm;

import io.gpusched.check.Checks;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A Slurm job whose counts agree with each other.
 *
 * @param nodes how many nodes at least, at least 1
 * @param maxNodes how many nodes at most: more than the least where only what the job or its tasks need in total is given
 * @param tasks how many tasks, at least one for each node
 * @param tasksPerNode tasks on a node at most, or 0 where that is not given
 * @param perNode what each node gives
 * @param perJob GPUs of the whole job, or none; every node gives at least one of each type, and as many as a task gets, or
 *     several times as many
 * @param perTask what each task gets
 * @param cpusPerTask CPUs of each task, at least 1
 * @param cpusPerGpu CPUs for each GPU, or 0
 * @param memory what it asks of memory; nothing where that follows from its CPUs
 * @param nodeList the nodes it must have, such as {@code n1,n[3-4]}, or any
 * @param excluded nodes that it must not have
 * @param widest whether it gets as many nodes as there are, up to the most, and not as few
 * @param exclusive whether it shares no node, and so gets all CPUs and GPUs of each
 */
public record SlurmJob(
        int nodes,
        int maxNodes,
        long tasks,
        long tasksPerNode,
        List<SlurmGres> perNode,
        List<SlurmGres> perJob,
        List<SlurmGres> perTask,
        long cpusPerTask,
        long cpusPerGpu,
        Optional<Memory> memory,
        Optional<String> nodeList,
        Optional<String> excluded,
        boolean widest,
        boolean exclusive) {
    /**
     * Memory that a job asks.
     *
     * @param mib how much; 0 for a node is all that it has
     * @param per of what it is asked for each
     */
    public record Memory(long mib, Per per) {
        /** What memory is asked for. */
        public enum Per {
            /** Each node. */
            NODE,
            /** Each CPU. */
            CPU,
            /** Each GPU. */
            GPU
        }

        /** Checks the amount. */
        public Memory {
            Checks.inRange("slurm job", "memory", mib, 0, 1L << 40);
            Objects.requireNonNull(per, "per");
        }
    }

    /** Copies the lists. */
    public SlurmJob {
        Objects.requireNonNull(memory, "memory");
        Objects.requireNonNull(nodeList, "nodeList");
        Objects.requireNonNull(excluded, "excluded");
        perNode = Checks.list("perNode", perNode);
        perJob = Checks.list("perJob", perJob);
        perTask = Checks.list("perTask", perTask);
    }

    /** Returns this job on exactly so many nodes, with a task on each at least. */
    public SlurmJob onNodes(int value) {
        Checks.inRange("slurm job", "nodes", value, nodes, maxNodes);
        return new SlurmJob(
                value,
                value,
                widest && tasks == nodes * Math.max(1, tasksPerNode)
                        ? value * Math.max(1, tasksPerNode)
                        : Math.max(tasks, value),
                tasksPerNode,
                perNode,
                perJob,
                perTask,
                cpusPerTask,
                cpusPerGpu,
                memory,
                nodeList,
                excluded,
                widest,
                exclusive);
    }

    /** Returns how many GPUs of a type, which may be empty, go together: those of a task. */
    public long together(String type) {
        Objects.requireNonNull(type, "type");
        return perTask.stream()
                .filter(gres -> gres.name().equals(SlurmGres.GPU) && gres.type().equals(type))
                .mapToLong(SlurmGres::count)
                .findFirst()
                .orElse(1);
    }

    /** Returns the nodes that it must have by name, with others where these are too few; nothing if it may go anywhere. */
    public Optional<List<String>> boundNodes() {
        return nodeList.map(SlurmNames::expand);
    }

    /** Returns the nodes that it must not have. */
    public List<String> excludedNodes() {
        return excluded.map(SlurmNames::expand).orElse(List.of());
    }

    /** Returns the tasks of the node at this position, spread evenly with the remainder on the first nodes. */
    public long tasksOn(int position) {
        long even = tasks / nodes + (position < tasks % nodes ? 1 : 0);
        return tasksPerNode > 0 ? Math.min(tasksPerNode, even) : even;
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
