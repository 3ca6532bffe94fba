package io.gpusched.simulator.replay;

import io.gpusched.model.Node;
import io.gpusched.simulator.trace.NodeSizes;
import io.gpusched.simulator.trace.TraceJob;
import io.gpusched.simulator.trace.TracePod;
import io.gpusched.simulator.trace.Workload;
import java.util.Comparator;
import java.util.List;

/**
 * What is replayed.
 *
 * @param name a short name for tables
 * @param nodes the machines
 * @param jobs the jobs by time of arrival
 */
public record Scenario(String name, List<Node> nodes, List<TraceJob> jobs) {
    /**
     * Copies the lists and sorts the jobs by arrival, jobs of one second as they were. Jobs whose pods depend on the nodes have those that
     * they have on these.
     */
    public Scenario {
        nodes = List.copyOf(nodes);
        NodeSizes sizes = NodeSizes.of(nodes);
        jobs = jobs.stream()
                .map(job -> job.on(sizes))
                .sorted(Comparator.comparingLong(job -> job.lifetime().arrivalSeconds()))
                .toList();
    }

    /**
     * Returns the scenario of a workload whose pods have times.
     *
     * @throws IllegalArgumentException if a pod has none
     */
    public static Scenario of(Workload workload) {
        return new Scenario(
                workload.name(),
                workload.nodes(),
                workload.pods().stream().map(TraceJob::of).toList());
    }

    /** Returns all pods of all jobs. */
    public List<TracePod> pods() {
        return jobs.stream().flatMap(job -> job.members().stream()).toList();
    }

    /** Returns the GPU compute of the cluster in thousandths of a GPU. */
    public long gpuMillis() {
        return nodes.stream().mapToLong(node -> node.gpus().size() * 1_000L).sum();
    }

    /** Returns when the last job arrives, in seconds. */
    public long spanSeconds() {
        return jobs.isEmpty() ? 0 : jobs.get(jobs.size() - 1).lifetime().arrivalSeconds();
    }

    /** Returns the offered load: GPU time asked for while jobs arrive, as a multiple of what the cluster has then. */
    public double load() {
        double asked = 0;
        for (TraceJob job : jobs) {
            asked += (double) job.gpuMillis() * job.lifetime().runSeconds();
        }
        return asked / ((double) gpuMillis() * Math.max(1, spanSeconds()));
    }

    /**
     * Returns this scenario with its arrivals pressed together or spread out so that the offered load is this.
     *
     * @param target the load, above 0
     */
    public Scenario withLoad(double target) {
        return stretched(load() / target);
    }

    /**
     * Returns this scenario with so many times as many arrivals in a time, whatever the cluster: the same jobs, closer together.
     *
     * @param factor above 0; 1 for the times as they are
     */
    public Scenario withArrivals(double factor) {
        return factor == 1 ? this : stretched(1 / factor);
    }

    private Scenario stretched(double factor) {
        return withJobs(jobs.stream()
                .map(job -> job.at(Math.round(job.lifetime().arrivalSeconds() * factor)))
                .toList());
    }

    /** Returns this scenario with other machines. */
    public Scenario withNodes(List<Node> machines) {
        return new Scenario(name, machines, jobs);
    }

    /** Returns this scenario with other jobs. */
    public Scenario withJobs(List<TraceJob> others) {
        return new Scenario(name, nodes, others);
    }
}
