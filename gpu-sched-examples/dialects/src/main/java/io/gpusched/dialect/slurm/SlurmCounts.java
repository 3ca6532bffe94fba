package io.gpusched.dialect.slurm;

import io.gpusched.dialect.RefusedException;

/**
 * Slurm's rules of consistency between counts per job, node, socket and task, and what follows from them for the number
 * of nodes and tasks. 0 stands for "not given".
 *
 * @param nodes the number of nodes
 * @param tasks the number of tasks
 * @param tasksPerNode the number of tasks on a node
 */
record SlurmCounts(long nodes, long tasks, long tasksPerNode) {
    /**
     * Returns what is known once a resource's counts are taken in.
     *
     * @throws RefusedException if a rule does not hold
     */
    SlurmCounts with(String name, long perJob, long perNode, long perSocket, long sockets, long perTask) {
        atLeast(name, "job", perJob, "node", perNode);
        atLeast(name, "node", perNode, "socket", perSocket);
        atLeast(name, "job", perJob, "socket", perSocket);
        atLeast(name, "job", perJob, "task", perTask);
        divides(name, "job", perJob, "node", perNode);
        divides(name, "node", perNode, "socket", perSocket);
        divides(name, "job", perJob, "task", perTask);
        divides(name, "node", perNode, "task", perTask);
        divides(name, "socket", perSocket, "task", perTask);
        SlurmCounts result = this;
        if (perJob > 0 && perNode > 0) {
            result = result.withNodes(name, perJob / perNode);
        }
        if (perJob > 0 && perTask > 0) {
            result = result.withTasks(name, perJob / perTask);
        }
        if (perNode > 0 && perTask > 0) {
            result = result.withTasksPerNode(name, perNode / perTask);
        }
        if (perNode > 0 && perSocket > 0 && sockets > 0 && perSocket * sockets != perNode) {
            throw SlurmOptions.refused(name + " per socket times sockets per node must equal " + name
                    + " per node, got " + perSocket + " times " + sockets + " and " + perNode);
        }
        return result;
    }

    private static void atLeast(String name, String wide, long more, String narrow, long less) {
        if (more > 0 && less > more) {
            throw SlurmOptions.refused(name + " per " + wide + " must be at least " + name + " per " + narrow + ", got "
                    + more + " and " + less);
        }
    }

    private static void divides(String name, String wide, long more, String narrow, long less) {
        if (more > 0 && less > 0 && more % less != 0) {
            throw SlurmOptions.refused(name + " per " + wide + " must be a multiple of " + name + " per " + narrow
                    + ", got " + more + " and " + less);
        }
    }

    private SlurmCounts withNodes(String name, long value) {
        if (nodes > 0 && nodes != value) {
            throw SlurmOptions.refused(
                    "nodes must equal " + name + " per job by " + name + " per node, got " + nodes + " and " + value);
        }
        return new SlurmCounts(value, tasks, tasksPerNode);
    }

    private SlurmCounts withTasks(String name, long value) {
        if (tasks > 0 && tasks != value) {
            throw SlurmOptions.refused(
                    "ntasks must equal " + name + " per job by " + name + " per task, got " + tasks + " and " + value);
        }
        return new SlurmCounts(nodes, value, tasksPerNode);
    }

    private SlurmCounts withTasksPerNode(String name, long value) {
        if (tasksPerNode > 0 && tasksPerNode != value) {
            throw SlurmOptions.refused("ntasks-per-node must equal " + name + " per node by " + name + " per task, got "
                    + tasksPerNode + " and " + value);
        }
        return new SlurmCounts(nodes, tasks, value);
    }
}
