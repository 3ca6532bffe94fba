package io.gpusched.dialect.slurm;

import io.gpusched.dialect.Quantity;
import io.gpusched.dialect.RefusedException;
import io.gpusched.internal.check.Checks;
import java.util.ArrayList;
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
                number("nodes").orElse(0L),
                number("ntasks").orElse(0L),
                number("ntasks-per-node").orElse(0L));
        for (String type : types(perNode)) {
            counts = counts.with(
                    SlurmGres.GPU,
                    count(gpus("gpus"), type),
                    count(perNode, type),
                    count(gpus("gpus-per-socket"), type),
                    number("sockets-per-node").orElse(0L),
                    count(gpus("gpus-per-task"), type));
        }
        return job(perNode.isEmpty() ? perSocket() : perNode, counts);
    }

    /** What all sockets of a node give together. */
    private List<SlurmGres> perSocket() {
        long sockets = number("sockets-per-node").orElse(1L);
        return gpus("gpus-per-socket").stream()
                .map(gres -> new SlurmGres(gres.name(), gres.type(), gres.count() * sockets))
                .toList();
    }

    private SlurmJob job(List<SlurmGres> perNode, SlurmCounts counts) {
        List<SlurmGres> perJob = gpus("gpus");
        List<SlurmGres> perTask = new ArrayList<>(gpus("gpus-per-task"));
        sharedPerTask().ifPresent(perTask::add);
        long cpusPerTask = cpusPerTask(perTask);
        long tasks = Math.max(counts.tasks(), 1);
        number("ntasks-per-gpu").ifPresent(each -> {
            if (tasks % each != 0) {
                throw refused("ntasks must be a multiple of --ntasks-per-gpu, got " + tasks + " and " + each);
            }
        });
        long nodes = Math.max(counts.nodes(), 1);
        long gpus = perJob.stream().mapToLong(SlurmGres::count).sum();
        if (gpus > 0 && gpus < nodes) {
            throw refused("--gpus must be at least the number of nodes, since every node gets one, got " + gpus
                    + " for " + nodes + " nodes");
        }
        return new SlurmJob(
                (int) nodes,
                Math.max(tasks, nodes),
                counts.tasksPerNode(),
                perNode,
                perJob,
                perTask,
                cpusPerTask,
                number("cpus-per-gpu").orElse(0L),
                Optional.ofNullable(options.get("nodelist")).filter(names -> !names.isBlank()));
    }

    private long cpusPerTask(List<SlurmGres> perTask) {
        long perGpu = number("cpus-per-gpu").orElse(0L);
        long gpus = perTask.stream()
                .filter(g -> g.name().equals(SlurmGres.GPU))
                .mapToLong(SlurmGres::count)
                .sum();
        Optional<Long> asked = number("cpus-per-task");
        if (perGpu > 0 && gpus > 0) {
            if (asked.isPresent() && asked.get() != perGpu * gpus) {
                throw refused("--cpus-per-gpu times --gpus-per-task must equal --cpus-per-task, got " + perGpu
                        + " times " + gpus + " and " + asked.get());
            }
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
        if (options.containsKey("gpus-per-task") && !options.containsKey("ntasks") && !options.containsKey("gpus")) {
            throw refused("--gpus-per-task needs --ntasks or --gpus");
        }
    }

    private void checkTypes(List<SlurmGres> perNode) {
        List<SlurmGres> all = new ArrayList<>(perNode);
        for (String option : List.of("gpus", "gpus-per-socket", "gpus-per-task")) {
            all.addAll(gpus(option));
        }
        boolean typed = all.stream().anyMatch(gres -> !gres.type().isEmpty());
        boolean untyped = all.stream().anyMatch(gres -> gres.type().isEmpty());
        if (typed && untyped) {
            throw refused("Invalid generic resource (gres) specification: a job may not ask for a gres both with and "
                    + "without a type, got " + all);
        }
    }

    private Set<String> types(List<SlurmGres> perNode) {
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
        return parsed(option, () -> SlurmGres.parseList(options.getOrDefault(option, "")));
    }

    private List<SlurmGres> gpus(String option) {
        String text = options.get(option);
        return text == null ? List.of() : parsed(option, () -> SlurmGres.parseCounts(SlurmGres.GPU, text));
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
