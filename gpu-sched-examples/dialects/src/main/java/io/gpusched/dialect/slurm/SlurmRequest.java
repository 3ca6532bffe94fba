package io.gpusched.dialect.slurm;

import io.gpusched.check.Checks;
import io.gpusched.dialect.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What a Slurm job asks, in the words of {@code sbatch}: option names without dashes, such as {@code gres},
 * {@code gpus}, {@code gpus-per-node}, {@code gpus-per-socket}, {@code gpus-per-task}, {@code tres-per-task},
 * {@code nodes}, {@code ntasks}, {@code ntasks-per-node}, {@code ntasks-per-gpu}, {@code cpus-per-task},
 * {@code cpus-per-gpu}, {@code mem}, {@code mem-per-cpu}, {@code mem-per-gpu}, {@code sockets-per-node}, {@code gpu-freq},
 * {@code nodelist}, {@code exclude} and {@code exclusive}.
 *
 * <p>{@link #resolve} applies Slurm's rules of consistency and works out what each node must give.
 */
public final class SlurmRequest {
    private static final Set<String> KNOWN = Set.of(
            "gres",
            "gpus",
            "gpus-per-node",
            "gpus-per-socket",
            "gpus-per-task",
            "tres-per-task",
            "nodes",
            "ntasks",
            "ntasks-per-node",
            "ntasks-per-gpu",
            "cpus-per-task",
            "cpus-per-gpu",
            "mem",
            "mem-per-cpu",
            "mem-per-gpu",
            "sockets-per-node",
            "gpu-freq",
            "nodelist",
            "exclude",
            "exclusive");

    private final SlurmOptions options;

    private SlurmRequest(SlurmOptions options) {
        this.options = options;
    }

    /** Returns the options that are read. */
    static Set<String> known() {
        return KNOWN;
    }

    /**
     * Returns the request with these options.
     *
     * @throws RefusedException if an option is unknown
     */
    public static SlurmRequest of(Map<String, String> options) {
        Checks.noNulls("options", options);
        for (String option : options.keySet()) {
            if (!KNOWN.contains(option)) {
                throw new RefusedException("option --" + option, "must be one of " + new java.util.TreeSet<>(KNOWN));
            }
        }
        return new SlurmRequest(new SlurmOptions(options));
    }

    /** Returns the request of {@code --gres} and {@code --nodes}. */
    public static SlurmRequest gres(String gres, int nodes) {
        Objects.requireNonNull(gres, "gres");
        return of(Map.of("gres", gres, "nodes", String.valueOf(nodes)));
    }

    /**
     * Returns what the job needs once all rules hold.
     *
     * @throws RefusedException if a rule does not hold; the message states it
     */
    public SlurmJob resolve() {
        List<SlurmGres> perNode = options.list("gres");
        SlurmRules.checkKinds(options, perNode);
        List<SlurmGres> gpusPerNode = options.gpus("gpus-per-node");
        if (!gpusPerNode.isEmpty()
                && perNode.stream().anyMatch(gres -> gres.name().equals(SlurmGres.GPU))) {
            throw SlurmOptions.refused("--gpus-per-node and --gres=gpu exclude each other");
        }
        perNode = new ArrayList<>(perNode);
        perNode.addAll(gpusPerNode);
        SlurmRules.checkTypes(options, perNode);
        Optional<Range> range = range();
        boolean follows = range.isPresent() && options.has("gpus") && !perNode.isEmpty();
        SlurmCounts counts = new SlurmCounts(
                follows ? 0 : range.map(Range::least).orElseGet(this::nodes),
                options.number("ntasks").orElse(0L),
                options.number("ntasks-per-node").orElse(0L));
        for (String type :
                options.types(List.of("gres", "gpus-per-node", "gpus", "gpus-per-socket", "gpus-per-task"))) {
            counts = counts.with(
                    SlurmGres.GPU,
                    count(options.gpus("gpus"), type),
                    count(perNode, type),
                    count(options.gpus("gpus-per-socket"), type),
                    options.number("sockets-per-node").orElse(0L),
                    count(options.gpus("gpus-per-task"), type));
        }
        if (follows
                && (counts.nodes() < range.get().least()
                        || counts.nodes() > range.get().most())) {
            throw SlurmOptions.refused("gpu per job by gpu per node must be in --nodes="
                    + options.texts().get("nodes") + ", got " + counts.nodes());
        }
        return job(perNode, counts, follows ? Optional.empty() : range);
    }

    /** The least and the most nodes. */
    private record Range(long least, long most) {}

    /** What {@code --nodes=2-4} says; no node is without a task. */
    private Optional<Range> range() {
        String text = options.texts().getOrDefault("nodes", "").strip();
        if (!text.matches("[0-9]{1,7}-[0-9]{1,7}")) {
            return Optional.empty();
        }
        long least = Long.parseLong(text.substring(0, text.indexOf('-')));
        long most = Long.parseLong(text.substring(text.indexOf('-') + 1));
        if (least < 1 || most < least) {
            throw new RefusedException(
                    "option --nodes", "must be a number, or the least and the most nodes, got \"" + text + "\"");
        }
        long tasks = options.number("ntasks").orElse(most);
        return Optional.of(new Range(Math.min(least, tasks), Math.min(most, tasks)));
    }

    /** No node is without a task. */
    private long nodes() {
        long nodes = options.number("nodes").orElse(0L);
        return Math.min(nodes, options.number("ntasks").orElse(nodes));
    }

    private boolean exclusive() {
        String text = options.texts().getOrDefault("exclusive", "no");
        if (!text.matches("|yes|true|no|false")) {
            throw new RefusedException("option --exclusive", "must have no value: " + text + " is not read here");
        }
        return !text.matches("no|false");
    }

    private SlurmJob job(List<SlurmGres> perNode, SlurmCounts counts, Optional<Range> range) {
        List<SlurmGres> perJob = gpusOfJob(perNode);
        List<SlurmGres> perTask = new ArrayList<>(options.gpus("gpus-per-task"));
        options.sharedPerTask().ifPresent(perTask::add);
        long cpusPerTask = cpusPerTask(perTask);
        long tasks = tasks(counts, perNode, perJob);
        long nodes = Math.max(counts.nodes(), 1);
        long gpus = perJob.stream().mapToLong(SlurmGres::count).min().orElse(0);
        if (gpus > 0 && gpus < nodes) {
            throw SlurmOptions.refused("--gpus must be at least the number of nodes, since every node gets one, got "
                    + gpus + " for " + nodes + " nodes");
        }
        boolean open = (counts.nodes() == 0 || range.isPresent())
                && perNode.isEmpty()
                && options.sharedPerTask().isEmpty();
        long most = Math.min(
                range.map(Range::most).orElse((long) Integer.MAX_VALUE),
                gpus > 0 ? Math.max(gpus, nodes) : Integer.MAX_VALUE);
        List<SlurmGres> total = open && perJob.isEmpty() ? times(perTask, tasks) : perJob;
        return new SlurmJob(
                (int) nodes,
                (int)
                        (open && (range.isEmpty() || !total.isEmpty())
                                ? Math.min(most, most(nodes, total))
                                : range.isPresent() ? most : nodes),
                Math.max(tasks, nodes),
                counts.tasksPerNode(),
                perNode,
                total,
                perTask,
                cpusPerTask,
                options.number("cpus-per-gpu").orElse(0L),
                memory(),
                Optional.ofNullable(options.texts().get("nodelist")).filter(names -> !names.isBlank()),
                Optional.ofNullable(options.texts().get("exclude")).filter(names -> !names.isBlank()),
                range.isPresent(),
                exclusive());
    }

    private Optional<SlurmJob.Memory> memory() {
        List<SlurmJob.Memory> asked = new ArrayList<>();
        options.memory("mem").ifPresent(mib -> asked.add(new SlurmJob.Memory(mib, SlurmJob.Memory.Per.NODE)));
        options.memory("mem-per-cpu").ifPresent(mib -> asked.add(new SlurmJob.Memory(mib, SlurmJob.Memory.Per.CPU)));
        options.memory("mem-per-gpu").ifPresent(mib -> asked.add(new SlurmJob.Memory(mib, SlurmJob.Memory.Per.GPU)));
        if (asked.size() > 1) {
            throw SlurmOptions.refused("--mem, --mem-per-cpu and --mem-per-gpu exclude each other");
        }
        return asked.stream().findFirst();
    }

    /** Where tasks are counted by GPU but GPUs are not, they follow from the tasks. */
    private List<SlurmGres> gpusOfJob(List<SlurmGres> perNode) {
        List<SlurmGres> asked = options.gpus("gpus");
        Optional<Long> each = options.number("ntasks-per-gpu");
        Optional<Long> tasks = options.number("ntasks");
        boolean follow = asked.isEmpty() && perNode.isEmpty() && each.isPresent() && tasks.isPresent();
        return follow ? List.of(new SlurmGres(SlurmGres.GPU, "", tasks.get() / each.get())) : asked;
    }

    /** As many as are given, or follow from nodes or GPUs. */
    private long tasks(SlurmCounts counts, List<SlurmGres> perNode, List<SlurmGres> perJob) {
        long byNode = Math.max(counts.nodes(), 1) * Math.max(counts.tasksPerNode(), 1);
        long tasks = counts.tasks() > 0 ? counts.tasks() : byNode;
        Optional<Long> each = options.number("ntasks-per-gpu");
        if (each.isEmpty()) {
            return tasks;
        }
        if (options.number("ntasks").isPresent() && tasks % each.get() != 0) {
            throw SlurmOptions.refused(
                    "ntasks must be a multiple of --ntasks-per-gpu, got " + tasks + " and " + each.get());
        }
        long gpus = perJob.isEmpty()
                ? count(perNode) * Math.max(counts.nodes(), 1)
                : perJob.stream().mapToLong(SlurmGres::count).sum();
        long all = Math.max(gpus, 1) * each.get();
        if (options.number("ntasks").isPresent() && gpus > 0 && tasks != all) {
            throw SlurmOptions.refused("ntasks must equal gpus times --ntasks-per-gpu, got " + tasks + " and " + gpus
                    + " times " + each.get());
        }
        return all;
    }

    private static long count(List<SlurmGres> list) {
        return list.stream()
                .filter(gres -> gres.name().equals(SlurmGres.GPU))
                .mapToLong(SlurmGres::count)
                .sum();
    }

    private static List<SlurmGres> times(List<SlurmGres> perTask, long tasks) {
        return perTask.stream()
                .map(gres -> new SlurmGres(gres.name(), gres.type(), gres.count() * tasks))
                .toList();
    }

    /** As many nodes as there are tasks, if these are given; each has a GPU of each type at least. */
    private int most(long nodes, List<SlurmGres> total) {
        long gpus = total.stream().mapToLong(SlurmGres::count).min().orElse(nodes);
        long tasks = options.number("ntasks-per-gpu").isPresent()
                ? gpus
                : options.number("ntasks").orElse(gpus);
        return (int) Math.max(nodes, Math.min(Math.min(gpus, tasks), Integer.MAX_VALUE));
    }

    private long cpusPerTask(List<SlurmGres> perTask) {
        long perGpu = options.number("cpus-per-gpu").orElse(0L);
        long gpus = perTask.stream()
                .filter(g -> g.name().equals(SlurmGres.GPU))
                .mapToLong(SlurmGres::count)
                .sum();
        Optional<Long> asked = options.cpusPerTask();
        if (perGpu > 0 && asked.isPresent()) {
            throw SlurmOptions.refused("--cpus-per-gpu and --cpus-per-task exclude each other");
        }
        if (perGpu > 0 && gpus > 0) {
            return perGpu * gpus;
        }
        return asked.orElse(1L);
    }

    private static long count(List<SlurmGres> list, String type) {
        return list.stream()
                .filter(gres -> gres.name().equals(SlurmGres.GPU) && gres.type().equals(type))
                .mapToLong(SlurmGres::count)
                .sum();
    }
}
