package io.gpusched.dialect.slurm;

import io.gpusched.check.Checks;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Starts Slurm jobs on a snapshot: on all their nodes at once, or not at all.
 *
 * <p>Which nodes: nodes that can give what is asked are seen as runs of neighbours in the configured order. The shortest
 * run that has enough nodes is taken, the first of equals; if none has enough, the longest run is used up and the rest is
 * looked for in the same way. All nodes have the same weight. Inside a run the first nodes are taken.
 *
 * <p>Immutable and thread-safe.
 */
public final class SlurmScheduler {
    /** What becomes of a job when it is submitted. */
    public sealed interface Verdict {
        /**
         * It starts.
         *
         * @param placements its part on each node, in node order
         */
        record Started(List<Placement> placements) implements Verdict {
            /** Copies the list. */
            public Started {
                placements = Checks.list("placements", placements);
            }
        }

        /** It waits for resources. */
        record Pending() implements Verdict {}

        /**
         * It can never run.
         *
         * @param why Slurm's message
         */
        record Rejected(String why) implements Verdict {
            /** Checks that there is a message. */
            public Rejected {
                Objects.requireNonNull(why, "why");
            }
        }
    }

    private static final GpuScheduler SCHEDULER =
            GpuScheduler.builder().policy(SlurmGresDialect.policy()).memory(0).build();
    private static final String NOT_AVAILABLE = "Requested node configuration is not available";

    private final List<String> nodeOrder;
    private final long memoryMibPerCpu;

    /** Where a pod goes on a node; empty if it has no room there. */
    static Optional<Placement> place(NodeState node, Pod pod) {
        return SCHEDULER.place(node, pod);
    }

    /**
     * Creates a scheduler.
     *
     * @param nodeOrder the nodes in the order of the configuration
     * @param memoryMibPerCpu memory for each CPU
     */
    public SlurmScheduler(List<String> nodeOrder, long memoryMibPerCpu) {
        this.nodeOrder = Checks.list("nodeOrder", nodeOrder);
        this.memoryMibPerCpu = memoryMibPerCpu;
    }

    /**
     * Decides about a job.
     *
     * @param cluster the nodes and what runs
     * @param name the job's name; its parts are called {@code <name>-0}, {@code <name>-1}, ...
     * @param job the job
     */
    public Verdict submit(Cluster cluster, String name, SlurmJob job) {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(job, "job");
        List<NodeState> candidates = candidates(cluster, job);
        List<String> needed = job.boundNodes().orElse(List.of());
        int least = Math.max(job.nodes(), Math.min(needed.size(), job.maxNodes()));
        int most = Math.min(job.maxNodes(), candidates.size());
        Verdict answer = new Verdict.Rejected(NOT_AVAILABLE);
        for (int i = 0; i <= most - least; i++) {
            SlurmJob sized = job.onNodes(job.widest() ? most - i : least + i);
            if (couldRun(candidates, sized)) {
                answer = start(cluster, name, sized, candidates);
            }
            if (answer instanceof Verdict.Started) {
                return answer;
            }
        }
        return answer;
    }

    private Verdict start(Cluster cluster, String name, SlurmJob job, List<NodeState> candidates) {
        Map<String, Placement> fits = new LinkedHashMap<>();
        for (NodeState node : candidates) {
            place(node, name, job, 0, least(job)).ifPresent(placed -> fits.put(node.name(), placed));
        }
        if (fits.size() < job.nodes()) {
            return new Verdict.Pending();
        }
        List<String> needed = job.boundNodes().orElse(List.of());
        if (needed.size() <= job.nodes() && !fits.keySet().containsAll(needed)) {
            return new Verdict.Pending();
        }
        return startOn(cluster, name, job, chosen(fits.keySet(), needed, job.nodes()));
    }

    /** The nodes that the job must have; beside them the nodes after the first of these, then the nodes before it. */
    private List<String> chosen(Set<String> fitting, List<String> needed, int nodes) {
        if (needed.isEmpty() || needed.size() >= nodes) {
            return SlurmRuns.choose(nodeOrder, fitting, nodes);
        }
        int first = nodeOrder.indexOf(needed.get(0));
        List<String> near = new ArrayList<>(nodeOrder.subList(first + 1, nodeOrder.size()));
        List<String> before = new ArrayList<>(nodeOrder.subList(0, Math.max(first, 0)));
        Collections.reverse(before);
        near.addAll(before);
        Set<String> chosen = new HashSet<>(needed);
        near.stream()
                .filter(node -> fitting.contains(node) && !needed.contains(node))
                .limit(nodes - needed.size())
                .forEach(chosen::add);
        return nodeOrder.stream().filter(chosen::contains).toList();
    }

    private List<NodeState> candidates(Cluster cluster, SlurmJob job) {
        List<String> needed = job.boundNodes().orElse(nodeOrder);
        List<String> bound = needed.size() < job.maxNodes() ? nodeOrder : needed;
        List<String> excluded = job.excludedNodes();
        return nodeOrder.stream()
                .filter(bound::contains)
                .filter(node -> !excluded.contains(node))
                .flatMap(node -> cluster.node(node).stream())
                .toList();
    }

    /** Whether there are enough nodes, empty, and together they have what the job asks as a whole. */
    private static boolean couldRun(List<NodeState> candidates, SlurmJob job) {
        List<Node> able = candidates.stream()
                .map(NodeState::node)
                .filter(node -> couldRun(node, job))
                .toList();
        long tasks = job.tasksPerNode() == 0 ? job.tasks() : job.tasksPerNode() * job.nodes();
        List<String> needed = job.boundNodes().orElse(List.of());
        boolean hasNeeded = needed.size() > job.nodes()
                || able.stream().map(Node::name).toList().containsAll(needed);
        return hasNeeded
                && able.size() >= job.nodes()
                && tasks >= job.tasks()
                && (!job.perNode().isEmpty()
                        || job.perJob().stream().allMatch(gres -> most(able, job, gres) >= gres.count()));
    }

    private static boolean couldRun(Node node, SlurmJob job) {
        long memoryMib = node.capacity().memoryMib();
        boolean isTooSmall = memoryMib > 0
                && job.memory()
                        .filter(memory -> memory.per() == SlurmJob.Memory.Per.NODE)
                        .filter(memory -> memory.mib() > memoryMib)
                        .isPresent();
        return !isTooSmall && hasGres(node, job);
    }

    private static boolean hasGres(Node node, SlurmJob job) {
        return !job.perNode().isEmpty() || job.perJob().isEmpty()
                ? job.on(0).stream().allMatch(gres -> SlurmNode.couldGive(node, gres))
                : job.perJob().stream().allMatch(gres -> matching(node, gres) >= job.together(gres.type()));
    }

    private static long matching(Node node, SlurmGres gres) {
        return node.gpus().stream()
                .filter(gpu -> gres.acceptsType(gpu.model().name()))
                .count();
    }

    /** What as many nodes as the job has can give at most. */
    private static long most(List<Node> able, SlurmJob job, SlurmGres gres) {
        return able.stream()
                .map(node -> matching(node, gres) / job.together(gres.type()) * job.together(gres.type()))
                .sorted(Comparator.reverseOrder())
                .limit(job.nodes())
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Every node of a job gives at least one GPU of each type that the job asks as a whole. */
    private static Function<SlurmGres, Long> least(SlurmJob job) {
        return gres -> job.perNode().isEmpty() ? job.together(gres.type()) : 0L;
    }

    private Verdict startOn(Cluster cluster, String name, SlurmJob job, List<String> nodes) {
        List<Placement> placements = new ArrayList<>();
        Map<SlurmGres, Long> left = new LinkedHashMap<>();
        job.perJob().forEach(gres -> left.put(gres, gres.count()));
        for (int i = 0; i < nodes.size(); i++) {
            NodeState node = cluster.node(nodes.get(i)).orElseThrow();
            int position = i;
            int after = nodes.size() - 1 - i;
            Function<SlurmGres, Long> share = gres -> job.perNode().isEmpty()
                    ? share(left.getOrDefault(gres, 0L), after, idle(node, gres), job.together(gres.type()))
                    : 0L;
            Optional<Placement> placed = place(node, name, job, position, share);
            if (placed.isEmpty()) {
                return new Verdict.Pending();
            }
            job.perJob().forEach(gres -> left.merge(gres, -share.apply(gres), Long::sum));
            placements.add(placed.get());
        }
        boolean isShort = job.perNode().isEmpty() && left.values().stream().anyMatch(rest -> rest > 0);
        return isShort ? new Verdict.Pending() : new Verdict.Started(placements);
    }

    /** As many as there are and the nodes after this one need not have, in multiples of those that go together. */
    private static long share(long left, int after, long idle, long together) {
        return Math.min(left - after * together, idle) / together * together;
    }

    private static long idle(NodeState node, SlurmGres gres) {
        return node.node().gpus().stream()
                .filter(gpu ->
                        node.isIdle(gpu.index()) && gres.acceptsType(gpu.model().name()))
                .count();
    }

    private long memoryMib(NodeState node, SlurmJob job, long cpus, long gpus) {
        if (job.memory().isEmpty()) {
            return cpus * memoryMibPerCpu;
        }
        if (node.capacity().memoryMib() == 0) {
            return 0; // RealMemory is not given: memory is not counted there
        }
        long mib = job.memory().get().mib();
        return switch (job.memory().get().per()) {
            case NODE -> mib == 0 ? node.capacity().memoryMib() : mib;
            case CPU -> cpus * mib;
            case GPU -> gpus > 0 ? gpus * mib : cpus * memoryMibPerCpu;
        };
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
        LongSummaryStatistics gpus = gres.stream()
                .filter(g -> g.name().equals(SlurmGres.GPU))
                .mapToLong(SlurmGres::count)
                .summaryStatistics();
        boolean byTask =
                gpus.getSum() > 0 && job.perNode().isEmpty() && !job.perTask().isEmpty();
        long tasks = byTask ? gpus.getSum() / job.perTask().get(0).count() : job.tasksOn(position);
        long cpus = Math.max(tasks * job.cpusPerTask(), Math.max(0, gpus.getMax()) * job.cpusPerGpu());
        Resources resources = new Resources(cpus * 1_000, memoryMib(node, job, cpus, gpus.getSum()));
        PodId part = PodId.of(name + "-" + position);
        Optional<Placement> placed = SCHEDULER.place(node, SlurmGresDialect.pod(part, resources, gres));
        return job.exclusive()
                ? placed.filter(any -> node.podCount() == 0)
                        .flatMap(any -> SCHEDULER.place(node, all(part, node.node(), resources.memoryMib())))
                : placed;
    }

    /** A job that shares no node gets all of its CPUs and GPUs, and the memory that it asks for. */
    private static Pod all(PodId part, Node node, long memoryMib) {
        Map<String, Long> byType = new TreeMap<>();
        node.gpus().forEach(gpu -> byType.merge(gpu.model().name(), 1L, Long::sum));
        List<SlurmGres> gres = new ArrayList<>();
        byType.forEach((type, count) -> gres.add(new SlurmGres(SlurmGres.GPU, type, count)));
        return SlurmGresDialect.pod(part, new Resources(node.capacity().cpuMillis(), memoryMib), gres);
    }
}
