package io.gpusched.examples.conformance.emulation;

import io.gpusched.dialect.slurm.SlurmGres;
import io.gpusched.dialect.slurm.SlurmGresDialect;
import io.gpusched.dialect.slurm.SlurmJob;
import io.gpusched.dialect.slurm.SlurmNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Starts Slurm jobs on a snapshot: on all their nodes at once, or not at all.
 *
 * <p>Which nodes: those that can give what is asked are seen as runs of neighbours in the configured order. The shortest
 * run that has enough nodes is taken, the first of equals; if none has enough, the longest run is used up and the rest is
 * looked for in the same way. All nodes have the same weight. Inside a run the first nodes are taken.
 *
 * <p>Immutable and thread-safe.
 */
public final class SlurmScheduler {
    /** What becomes of a job when it is submitted. */
    public sealed interface Answer {
        /**
         * It starts.
         *
         * @param placements its part on each node, in node order
         * @param amongOthers whether more nodes could have taken it, so that runs of neighbours decided
         */
        record Started(List<Placement> placements, boolean amongOthers) implements Answer {
            /** Copies the list. */
            public Started {
                placements = List.copyOf(placements);
            }
        }

        /** It waits for resources. */
        record Pending() implements Answer {}

        /**
         * It can never run.
         *
         * @param why Slurm's message
         */
        record Rejected(String why) implements Answer {}
    }

    private static final GpuScheduler SCHEDULER = GpuScheduler.of(SlurmGresDialect.policy(), 0);
    private static final String NOT_AVAILABLE = "Requested node configuration is not available";

    private final List<String> nodeOrder;
    private final long memoryMibPerTask;

    /**
     * Creates a scheduler.
     *
     * @param nodeOrder the nodes in the order of the configuration
     * @param memoryMibPerTask memory of each task
     */
    public SlurmScheduler(List<String> nodeOrder, long memoryMibPerTask) {
        this.nodeOrder = List.copyOf(nodeOrder);
        this.memoryMibPerTask = memoryMibPerTask;
    }

    /**
     * Decides about a job.
     *
     * @param cluster the nodes and what runs
     * @param name the job's name; its parts are called {@code <name>-0}, {@code <name>-1}, ...
     * @param job the job
     */
    public Answer submit(Cluster cluster, String name, SlurmJob job) {
        List<NodeState> candidates = candidates(cluster, job);
        long able =
                candidates.stream().filter(node -> couldRun(node.node(), job)).count();
        if (able < job.nodes()) {
            return new Answer.Rejected(NOT_AVAILABLE);
        }
        Map<String, Placement> fits = new LinkedHashMap<>();
        for (NodeState node : candidates) {
            place(node, name, job, 0, least(job)).ifPresent(placed -> fits.put(node.name(), placed));
        }
        if (fits.size() < job.nodes()) {
            return new Answer.Pending();
        }
        boolean amongOthers = fits.size() > job.nodes();
        return start(cluster, name, job, SlurmRuns.choose(nodeOrder, fits.keySet(), job.nodes()), amongOthers);
    }

    private List<NodeState> candidates(Cluster cluster, SlurmJob job) {
        List<String> bound = job.boundNodes().orElse(nodeOrder);
        return nodeOrder.stream()
                .filter(bound::contains)
                .flatMap(node -> cluster.node(node).stream())
                .toList();
    }

    private static boolean couldRun(Node node, SlurmJob job) {
        return job.on(0).stream().allMatch(gres -> SlurmNode.couldGive(node, gres))
                && job.perJob().stream()
                        .allMatch(gres -> SlurmNode.couldGive(node, new SlurmGres(gres.name(), gres.type(), 1)));
    }

    /** Every node of a job gives at least one GPU of each type that the job asks as a whole. */
    private static Function<SlurmGres, Long> least(SlurmJob job) {
        return gres -> job.perNode().isEmpty() ? 1L : 0L;
    }

    private Answer start(Cluster cluster, String name, SlurmJob job, List<String> nodes, boolean amongOthers) {
        List<Placement> placements = new ArrayList<>();
        Map<SlurmGres, Long> left = new LinkedHashMap<>();
        job.perJob().forEach(gres -> left.put(gres, gres.count()));
        for (int i = 0; i < nodes.size(); i++) {
            NodeState node = cluster.node(nodes.get(i)).orElseThrow();
            int position = i;
            int after = nodes.size() - 1 - i;
            Function<SlurmGres, Long> share = gres ->
                    job.perNode().isEmpty() ? Math.min(left.getOrDefault(gres, 0L) - after, idle(node, gres)) : 0L;
            Optional<Placement> placed = place(node, name, job, position, share);
            if (placed.isEmpty()) {
                return new Answer.Pending();
            }
            job.perJob().forEach(gres -> left.merge(gres, -share.apply(gres), Long::sum));
            placements.add(placed.get());
        }
        boolean isShort = job.perNode().isEmpty() && left.values().stream().anyMatch(rest -> rest > 0);
        return isShort ? new Answer.Pending() : new Answer.Started(placements, amongOthers);
    }

    private static long idle(NodeState node, SlurmGres gres) {
        return node.node().gpus().stream()
                .filter(gpu ->
                        node.isIdle(gpu.index()) && gres.acceptsType(gpu.model().name()))
                .count();
    }

    private Optional<Placement> place(
            NodeState node, String name, SlurmJob job, int position, Function<SlurmGres, Long> ofJob) {
        List<SlurmGres> gres = new ArrayList<>(job.on(position));
        if (job.perNode().isEmpty() && !job.perJob().isEmpty()) {
            gres = new ArrayList<>();
            for (SlurmGres item : job.perJob()) {
                gres.add(new SlurmGres(item.name(), item.type(), ofJob.apply(item)));
            }
        }
        long gpus = gres.stream()
                .filter(g -> g.name().equals(SlurmGres.GPU))
                .mapToLong(SlurmGres::count)
                .sum();
        long tasks = job.tasksOn(position);
        long cpus = Math.max(tasks * job.cpusPerTask(), gpus * job.cpusPerGpu());
        Resources resources = new Resources(cpus * 1_000, tasks * memoryMibPerTask);
        return SCHEDULER.place(node, SlurmGresDialect.pod(PodId.of(name + "-" + position), resources, gres));
    }
}
