package io.gpusched.dialect.slurm;

import io.gpusched.dialect.Quantity;
import io.gpusched.dialect.RefusedException;
import io.gpusched.internal.check.Checks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a Slurm job asks, in the words of {@code sbatch}: option names without dashes, such as {@code gres},
 * {@code gpus}, {@code gpus-per-node}, {@code gpus-per-socket}, {@code gpus-per-task}, {@code tres-per-task},
 * {@code nodes}, {@code ntasks}, {@code ntasks-per-node}, {@code ntasks-per-gpu}, {@code cpus-per-task},
 * {@code cpus-per-gpu}, {@code mem-per-gpu}, {@code sockets-per-node}, {@code gpu-freq} and {@code nodelist}.
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
            "mem-per-gpu",
            "sockets-per-node",
            "gpu-freq",
            "nodelist");

    private final Map<String, String> options;

    private SlurmRequest(Map<String, String> options) {
        this.options = options;
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
        return new SlurmRequest(new TreeMap<>(options));
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
        List<SlurmGres> perNode = list("gres");
        checkKinds(perNode);
        List<SlurmGres> gpusPerNode = gpus("gpus-per-node");
        if (!gpusPerNode.isEmpty()
                && perNode.stream().anyMatch(gres -> gres.name().equals(SlurmGres.GPU))) {
            throw refused("--gpus-per-node and --gres=gpu exclude each other");
        }
        perNode = new ArrayList<>(perNode);
        perNode.addAll(gpusPerNode);
        checkTypes(perNode);
        SlurmCounts counts = new SlurmCounts(
                nodes(),
                number("ntasks").orElse(0L),
                number("ntasks-per-node").orElse(0L));
        for (String type : gpuTypes(perNode)) {
            counts = counts.with(
                    SlurmGres.GPU,
                    count(gpus("gpus"), type),
                    count(perNode, type),
                    count(gpus("gpus-per-socket"), type),
                    number("sockets-per-node").orElse(0L),
                    count(gpus("gpus-per-task"), type));
        }
        return job(perNode, counts);
    }

    /** No node is without a task. */
    private long nodes() {
        long nodes = number("nodes").orElse(0L);
        return Math.min(nodes, number("ntasks").orElse(nodes));
    }

    private SlurmJob job(List<SlurmGres> perNode, SlurmCounts counts) {
        List<SlurmGres> perJob = gpusOfJob(perNode);
        List<SlurmGres> perTask = new ArrayList<>(gpus("gpus-per-task"));
        sharedPerTask().ifPresent(perTask::add);
        long cpusPerTask = cpusPerTask(perTask);
        long tasks = tasks(counts, perNode, perJob);
        long nodes = Math.max(counts.nodes(), 1);
        long gpus = perJob.stream().mapToLong(SlurmGres::count).min().orElse(0);
        if (gpus > 0 && gpus < nodes) {
            throw refused("--gpus must be at least the number of nodes, since every node gets one, got " + gpus
                    + " for " + nodes + " nodes");
        }
        boolean open = counts.nodes() == 0 && perNode.isEmpty() && sharedPerTask().isEmpty();
        List<SlurmGres> total = open && perJob.isEmpty() ? times(perTask, tasks) : perJob;
        return new SlurmJob(
                (int) nodes,
                open ? most(nodes, total) : (int) nodes,
                Math.max(tasks, nodes),
                counts.tasksPerNode(),
                perNode,
                total,
                perTask,
                cpusPerTask,
                number("cpus-per-gpu").orElse(0L),
                number("mem-per-gpu").orElse(0L),
                Optional.ofNullable(options.get("nodelist")).filter(names -> !names.isBlank()));
    }

    /** Where tasks are counted by GPU but GPUs are not, they follow from the tasks. */
    private List<SlurmGres> gpusOfJob(List<SlurmGres> perNode) {
        List<SlurmGres> asked = gpus("gpus");
        Optional<Long> each = number("ntasks-per-gpu");
        Optional<Long> tasks = number("ntasks");
        boolean follow = asked.isEmpty() && perNode.isEmpty() && each.isPresent() && tasks.isPresent();
        return follow ? List.of(new SlurmGres(SlurmGres.GPU, "", tasks.get() / each.get())) : asked;
    }

    /** As many as are given, or follow from nodes or GPUs. */
    private long tasks(SlurmCounts counts, List<SlurmGres> perNode, List<SlurmGres> perJob) {
        long byNode = Math.max(counts.nodes(), 1) * Math.max(counts.tasksPerNode(), 1);
        long tasks = counts.tasks() > 0 ? counts.tasks() : byNode;
        Optional<Long> each = number("ntasks-per-gpu");
        if (each.isEmpty()) {
            return tasks;
        }
        if (number("ntasks").isPresent() && tasks % each.get() != 0) {
            throw refused("ntasks must be a multiple of --ntasks-per-gpu, got " + tasks + " and " + each.get());
        }
        long gpus = perJob.isEmpty()
                ? count(perNode) * Math.max(counts.nodes(), 1)
                : perJob.stream().mapToLong(SlurmGres::count).sum();
        long all = Math.max(gpus, 1) * each.get();
        if (number("ntasks").isPresent() && gpus > 0 && tasks != all) {
            throw refused("ntasks must equal gpus times --ntasks-per-gpu, got " + tasks + " and " + gpus + " times "
                    + each.get());
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
        long tasks = number("ntasks-per-gpu").isPresent() ? gpus : number("ntasks").orElse(gpus);
        return (int) Math.max(nodes, Math.min(Math.min(gpus, tasks), Integer.MAX_VALUE));
    }

    private long cpusPerTask(List<SlurmGres> perTask) {
        long perGpu = number("cpus-per-gpu").orElse(0L);
        long gpus = perTask.stream()
                .filter(g -> g.name().equals(SlurmGres.GPU))
                .mapToLong(SlurmGres::count)
                .sum();
        Optional<Long> asked = number("cpus-per-task");
        if (perGpu > 0 && asked.isPresent()) {
            throw refused("--cpus-per-gpu and --cpus-per-task exclude each other");
        }
        if (perGpu > 0 && gpus > 0) {
            return perGpu * gpus;
        }
        return asked.orElse(1L);
    }

    private void checkKinds(List<SlurmGres> perNode) {
        boolean gpu = perNode.stream().anyMatch(gres -> gres.name().equals(SlurmGres.GPU))
                || options.keySet().stream().anyMatch(option -> option.startsWith("gpus"));
        boolean shared = perNode.stream().anyMatch(SlurmGres::isShared)
                || sharedPerTask().isPresent();
        long kinds = perNode.stream()
                .filter(SlurmGres::isShared)
                .map(SlurmGres::name)
                .distinct()
                .count();
        if (gpu && shared || kinds > 1) {
            throw refused(
                    "Invalid generic resource (gres) specification: gpu, mps and shard exclude each other in one job");
        }
        if (shared && options.containsKey("gpu-freq")) {
            throw refused("--gpu-freq cannot be used with mps or shard");
        }
        if (!gpu && (options.containsKey("cpus-per-gpu") || options.containsKey("mem-per-gpu"))) {
            throw refused("--cpus-per-gpu and --mem-per-gpu need a request for gpus");
        }
        if (options.containsKey("gpus-per-socket") && number("sockets-per-node").isEmpty()) {
            throw refused("--gpus-per-socket needs --sockets-per-node");
        }
        if (options.containsKey("gpus-per-task")
                && !options.containsKey("ntasks")
                && !options.containsKey("gpus")) {
            throw refused("--gpus-per-task needs --ntasks or --gpus");
        }
        for (String other : List.of("gpus-per-task", "gpus-per-socket", "ntasks-per-node")) {
            if (options.containsKey("ntasks-per-gpu") && options.containsKey(other)) {
                throw refused("--" + other + " and --ntasks-per-gpu exclude each other");
            }
        }
    }

    private void checkTypes(List<SlurmGres> perNode) {
        List<SlurmGres> all = new ArrayList<>(perNode);
        for (String option : List.of("gpus", "gpus-per-socket", "gpus-per-task")) {
            all.addAll(gpus(option));
        }
        boolean typed = all.stream().anyMatch(gres -> !gres.type().isEmpty());
        boolean untyped = all.stream().anyMatch(gres -> gres.type().isEmpty());
        Set<String> wide = types(List.of("gres", "gpus-per-node", "gpus"));
        Set<String> narrow = types(List.of("gpus-per-socket", "gpus-per-task"));
        sameTypes("per job", types(List.of("gpus")), "per node", types(List.of("gres", "gpus-per-node")));
        sameTypes("per job or node", wide, "per socket or task", narrow);
        if (wide.isEmpty() && options.containsKey("gpus-per-socket")) {
            throw refused("--gpus-per-socket needs a number of gpus per job or node beside it: on how many sockets a job"
                    + " comes to lie is not known here");
        }
        if (typed && untyped) {
            throw refused("Invalid generic resource (gres) specification: a job may not ask for a gres both with and "
                    + "without a type, got " + all);
        }
    }

    private static void sameTypes(String wider, Set<String> wide, String narrower, Set<String> narrow) {
        if (!wide.isEmpty() && !wide.containsAll(narrow)) {
            throw refused("gpus " + narrower + " must be of types that are asked for " + wider + ", got " + narrow
                    + " and " + wide);
        }
        if (!narrow.isEmpty() && narrower.equals("per node") && !wide.isEmpty() && !narrow.containsAll(wide)) {
            throw refused("gpus " + wider + " must be of types that are asked for " + narrower + ", got " + wide
                    + " and " + narrow);
        }
    }

    private Set<String> types(List<String> levels) {
        Set<String> types = new java.util.TreeSet<>();
        for (String option : levels) {
            (option.equals("gres") ? list(option) : gpus(option))
                    .stream()
                            .filter(gres -> gres.name().equals(SlurmGres.GPU))
                            .forEach(gres -> types.add(gres.type()));
        }
        return types;
    }

    private Set<String> gpuTypes(List<SlurmGres> perNode) {
        Set<String> types = new java.util.TreeSet<>();
        perNode.stream().filter(gres -> gres.name().equals(SlurmGres.GPU)).forEach(gres -> types.add(gres.type()));
        for (String option : List.of("gpus", "gpus-per-socket", "gpus-per-task")) {
            gpus(option).forEach(gres -> types.add(gres.type()));
        }
        return types;
    }

    private static long count(List<SlurmGres> list, String type) {
        return list.stream()
                .filter(gres -> gres.name().equals(SlurmGres.GPU) && gres.type().equals(type))
                .mapToLong(SlurmGres::count)
                .sum();
    }

    private Optional<SlurmGres> sharedPerTask() {
        String text = options.getOrDefault("tres-per-task", "");
        if (!text.startsWith("gres/")) {
            return Optional.empty();
        }
        return Optional.of(
                parsed("tres-per-task", () -> SlurmGres.parse(text.substring(5).replace('=', ':'))));
    }

    private List<SlurmGres> list(String option) {
        return last(parsed(option, () -> SlurmGres.parseList(options.getOrDefault(option, ""))));
    }

    private List<SlurmGres> gpus(String option) {
        String text = options.get(option);
        return text == null ? List.of() : last(parsed(option, () -> SlurmGres.parseCounts(SlurmGres.GPU, text)));
    }

    /** Of what is asked for twice the last count holds. */
    private static List<SlurmGres> last(List<SlurmGres> asked) {
        Map<String, SlurmGres> byType = new LinkedHashMap<>();
        asked.forEach(gres -> byType.put(gres.name() + ":" + gres.type(), gres));
        return List.copyOf(byType.values());
    }

    private static <T> T parsed(String option, java.util.function.Supplier<T> parser) {
        try {
            return parser.get();
        } catch (IllegalArgumentException e) {
            throw new RefusedException("option --" + option, String.valueOf(e.getMessage()));
        }
    }

    private Optional<Long> number(String option) {
        String text = options.get(option);
        if (text == null) {
            return Optional.empty();
        }
        long value = parsed(option, () -> Quantity.parse(text).wholeNumber());
        if (value < 1) {
            throw new RefusedException("option --" + option, "must be at least 1, got " + value);
        }
        return Optional.of(value);
    }

    static RefusedException refused(String rule) {
        return new RefusedException("job", rule);
    }
}
