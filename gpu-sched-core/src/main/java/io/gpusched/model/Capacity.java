package io.gpusched.model;

import io.gpusched.model.amount.NamedAmounts;

/** What the nodes of a cluster have together: the part of its totals that changes with its nodes. */
record Capacity(
        int nodes,
        int gpus,
        long cpuMillis,
        long memoryMib,
        long gpuComputeMillis,
        long gpuMemoryMib,
        NamedAmounts named) {
    static final Capacity NOTHING = new Capacity(0, 0, 0, 0, 0, 0, NamedAmounts.NONE);

    /**
     * Returns the capacity with one node more.
     *
     * @throws IllegalArgumentException if CPU, memory or what is counted by name sums up to more than {@link Resources#MAX_SUM}
     */
    Capacity plus(Node node) {
        requireSum("cpuMillis", cpuMillis, node.capacity().cpuMillis(), node);
        requireSum("memoryMib", memoryMib, node.capacity().memoryMib(), node);
        NamedAmounts more = node.capacity().named();
        for (String name : more.names()) {
            requireSum(name, named.amount(name), more.amount(name), node);
        }
        return with(node, 1, named.plus(more));
    }

    private static void requireSum(String field, long sum, long more, Node node) {
        if (sum > Resources.MAX_SUM - more) {
            throw new IllegalArgumentException("cluster: sum of " + field + " must be in 0.." + Resources.MAX_SUM
                    + ", got " + sum + " and " + more + " more of node \"" + node.name() + "\"");
        }
    }

    /** Returns the capacity with one node less. */
    Capacity minus(Node node) {
        return with(node, -1, named.minus(node.capacity().named()));
    }

    private Capacity with(Node node, int sign, NamedAmounts allNamed) {
        long compute = 0;
        long memory = 0;
        for (Gpu gpu : node.gpus()) {
            compute += gpu.computeMillis();
            memory += gpu.memoryMib();
        }
        return new Capacity(
                nodes + sign,
                gpus + sign * node.gpus().size(),
                cpuMillis + sign * node.capacity().cpuMillis(),
                memoryMib + sign * node.capacity().memoryMib(),
                gpuComputeMillis + sign * compute,
                gpuMemoryMib + sign * memory,
                allNamed);
    }

    ClusterTotals totals(int pods, Usage usage) {
        return new ClusterTotals(
                nodes,
                gpus,
                pods,
                new Resources(cpuMillis, memoryMib, named),
                new Resources(usage.cpuMillis(), usage.memoryMib(), usage.named()),
                gpuComputeMillis,
                usage.gpuComputeMillis(),
                gpuMemoryMib,
                usage.gpuMemoryMib(),
                usage.idleGpus());
    }
}
