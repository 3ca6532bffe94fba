package io.gpusched.cli.place;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.slurm.ScontrolNodes;
import io.gpusched.dialect.slurm.SlurmBatch;
import io.gpusched.dialect.slurm.SlurmConf;
import io.gpusched.dialect.slurm.SlurmEnvironment;
import io.gpusched.dialect.slurm.SlurmGres;
import io.gpusched.dialect.slurm.SlurmGresConf;
import io.gpusched.dialect.slurm.SlurmNode;
import io.gpusched.dialect.slurm.SlurmPartitions;
import io.gpusched.dialect.slurm.SlurmRequest;
import io.gpusched.dialect.slurm.SlurmScheduler;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Slurm's form: a cluster of {@code nodes} with {@code name}, {@code cpus}, {@code memory} and {@code gres} (or, for all,
 * the text of {@code gresConf}) and the jobs that run; a {@code job} with its name and the options of {@code sbatch}. Or Slurm's own
 * files.
 */
final class SlurmPlace {
    private static final long MEMORY_MIB_PER_TASK = 0;
    private static final String WAITS = "pending (Resources)";

    /** A member of the form of our own, or its beginning as JSON. */
    private static final Pattern OWN_FORM = Pattern.compile("(?m)^(nodes|gresConf|running)\\s*:|\\A\\s*\\{");

    /** The heads of the tables of sinfo and squeue. */
    private static final Pattern TABLE =
            Pattern.compile("\\A\\s*(PARTITION\\s+AVAIL|NODELIST\\s|HOSTNAMES\\s|JOBID\\s+PARTITION)");

    private SlurmPlace() {}

    /**
     * Decides about two files, each as Slurm has it or in the form of our own: {@code slurm.conf}, with {@code gres.conf} beside it if
     * there is one, or what {@code scontrol -d show node} prints; and a batch script.
     *
     * @param warnings takes a line for each thing that is not looked at
     */
    static List<Answer> place(Path clusterFile, Path jobFile, Consumer<String> warnings) throws IOException {
        Machines machines = isShown(clusterFile)
                ? shown(clusterFile, warnings)
                : isConf(clusterFile) ? machines(clusterFile) : machines(single(clusterFile));
        return List.of(
                isScript(jobFile)
                        ? together(machines, jobs(jobFile, machines, warnings))
                        : place(machines, job(single(jobFile))));
    }

    /** The components of a heterogeneous job start together, each on nodes of its own, or not at all. */
    private static Answer together(Machines machines, List<Job> components) {
        if (components.size() == 1) {
            return place(machines, components.get(0));
        }
        List<Answer.Part> parts = new ArrayList<>();
        Set<String> free = new HashSet<>(machines.usable());
        for (Job component : components) {
            Answer answer = place(machines.only(free), component);
            if (!(answer instanceof Answer.Found found)) {
                return answer instanceof Answer.Refused refused
                        ? new Answer.Refused("component " + component.name() + ": " + refused.rule())
                        : answer;
            }
            parts.addAll(found.parts());
            found.parts().forEach(part -> free.remove(part.placement().node()));
        }
        return new Answer.Found("job \"" + components.get(0).name() + "\"", parts, List.of(), List.of());
    }

    static Answer place(Machines machines, Job job) {
        Map<String, String> options = new HashMap<>(job.options());
        SlurmScheduler.Verdict verdict = new SlurmScheduler.Verdict.Pending();
        try {
            for (SlurmScheduler scheduler : machines.schedulers(options)) {
                verdict = submit(scheduler, machines.cluster(), job.name(), options);
                if (verdict instanceof SlurmScheduler.Verdict.Pending
                        && !(submit(scheduler, machines.idle(), job.name(), options)
                                instanceof SlurmScheduler.Verdict.Started)) {
                    verdict =
                            new SlurmScheduler.Verdict.Rejected(WAITS + ", and there is no room on idle nodes either");
                }
                if (verdict instanceof SlurmScheduler.Verdict.Started) {
                    break;
                }
            }
        } catch (RefusedException e) {
            verdict = new SlurmScheduler.Verdict.Rejected(e.rule());
        }
        return describe(verdict, machines.nodes(), job.name());
    }

    /**
     * Nodes, what runs on them, and which of them jobs may use.
     *
     * @param partitions empty where the nodes are in the form of our own, which has no partitions and features
     */
    record Machines(
            Map<String, Node> nodes, Cluster cluster, Set<String> usable, Optional<SlurmPartitions> partitions) {
        static Machines of(Map<String, Node> nodes, Optional<SlurmPartitions> partitions) {
            return new Machines(nodes, Cluster.of(nodes.values()), nodes.keySet(), partitions);
        }

        /** The same with some of the nodes. */
        Machines only(Set<String> some) {
            return new Machines(nodes, cluster, some, partitions);
        }

        Cluster idle() {
            return Cluster.of(nodes.values());
        }

        /** One for each partition in which a job may run; takes out of its options what says so. */
        List<SlurmScheduler> schedulers(Map<String, String> options) {
            return partitions
                    .map(all -> all.choices(
                            Objects.requireNonNullElse(options.remove("partition"), ""),
                            Objects.requireNonNullElse(options.remove("constraint"), "")))
                    .orElse(List.of(List.copyOf(nodes.keySet())))
                    .stream()
                    .map(of -> nodes.keySet().stream()
                            .filter(node -> usable.contains(node) && of.contains(node))
                            .toList())
                    .map(of -> new SlurmScheduler(of, MEMORY_MIB_PER_TASK))
                    .toList();
        }
    }

    /** A job with the options of {@code sbatch}. */
    record Job(String name, Map<String, String> options) {}

    private static YamlNode single(Path file) {
        return PlaceInput.single(YamlReader.read(file));
    }

    /** The form of our own may hold lines of gres.conf, which look like those of slurm.conf. */
    private static boolean isConf(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        String text = Files.readString(file);
        return SlurmConf.describesNodes(text) && !OWN_FORM.matcher(text).find();
    }

    private static boolean isShown(Path file) throws IOException {
        String text = Files.isRegularFile(file) ? Files.readString(file) : "";
        if (TABLE.matcher(text).find()) {
            throw new InputException(
                    file.toString(),
                    1,
                    "",
                    "is what sinfo or squeue prints, which does not say what each node has. Maybe give what"
                            + " scontrol -d show node prints");
        }
        return ScontrolNodes.isOne(text);
    }

    /** The nodes that scontrol shows, with what their jobs hold. */
    private static Machines shown(Path file, Consumer<String> warnings) throws IOException {
        ScontrolNodes shown = ScontrolNodes.parse(Files.readString(file));
        shown.notes().forEach(note -> warnings.accept(file + ": " + note));
        Map<String, Node> nodes = new LinkedHashMap<>();
        shown.cluster().nodes().forEach(node -> nodes.put(node.name(), node.node()));
        return new Machines(nodes, shown.cluster(), nodes.keySet(), Optional.of(shown.partitions()));
    }

    private static boolean isScript(Path file) throws IOException {
        return Files.isRegularFile(file) && SlurmBatch.isOne(Files.readString(file));
    }

    private static Machines machines(Path slurmConf) throws IOException {
        Path gresConf = slurmConf.resolveSibling("gres.conf");
        List<SlurmGresConf> gres = Files.exists(gresConf) ? SlurmGresConf.parse(Files.readString(gresConf)) : List.of();
        String conf = Files.readString(slurmConf);
        return Machines.of(SlurmConf.nodes(conf, gres), Optional.of(SlurmPartitions.of(conf)));
    }

    static Machines machines(YamlNode file) {
        file.only("nodes", "gresConf", "running");
        Machines machines = file.at("nodes").build(() -> Machines.of(nodes(file), Optional.empty()));
        Cluster cluster = machines.cluster();
        for (YamlNode earlier : file.at("running").list()) {
            Job job = named(earlier);
            SlurmScheduler.Verdict answer =
                    submit(machines.schedulers(Map.of()).get(0), cluster, job.name(), job.options());
            if (!(answer instanceof SlurmScheduler.Verdict.Started started)) {
                throw earlier.error("a running job must fit after those before it, got " + answer);
            }
            cluster = cluster.withAll(started.placements());
        }
        return new Machines(machines.nodes(), cluster, machines.usable(), machines.partitions());
    }

    private static List<Job> jobs(Path script, Machines machines, Consumer<String> warnings) throws IOException {
        List<SlurmBatch> components = SlurmBatch.parse(Files.readString(script));
        Set<String> others = new TreeSet<>();
        List<Map<String, String>> asked = new ArrayList<>();
        for (SlurmBatch component : components) {
            Map<String, String> options = new HashMap<>(component.options());
            others.addAll(component.others());
            if (machines.partitions().isEmpty() && options.remove("partition") != null) {
                others.add("partition");
            }
            String exclusive = options.getOrDefault("exclusive", "");
            if (!exclusive.isEmpty()) {
                options.remove("exclusive");
                others.add("exclusive=" + exclusive);
            }
            String constraint = options.getOrDefault("constraint", "");
            boolean isRead = machines.partitions().isPresent() && SlurmPartitions.isRead(constraint);
            if (!constraint.isEmpty() && !isRead) {
                options.remove("constraint");
                others.add("constraint");
            }
            asked.add(options);
        }
        if (!others.isEmpty()) {
            warnings.accept(script + ": not looked at: --" + String.join(", --", others));
        }
        String first = components.get(0).name();
        String name = first.isEmpty() ? String.valueOf(script.getFileName()) : first;
        List<Job> jobs = new ArrayList<>();
        for (Map<String, String> options : asked) {
            String suffix = asked.size() == 1 ? "" : "+" + jobs.size();
            jobs.add(new Job(name + suffix, options));
        }
        return jobs;
    }

    static Job job(YamlNode file) {
        return named(file.only("job").need("job"));
    }

    private static Job named(YamlNode job) {
        Map<String, String> options = new HashMap<>(job.texts());
        options.remove("name");
        return new Job(job.need("name").text(), options);
    }

    private static Map<String, Node> nodes(YamlNode file) {
        List<SlurmGresConf> conf = file.at("gresConf")
                .build(() -> SlurmGresConf.parse(file.at("gresConf").textOr("")));
        Map<String, Node> nodes = new LinkedHashMap<>();
        for (YamlNode node : file.need("nodes").list()) {
            node.only("name", "cpus", "memory", "gres");
            String name = node.need("name").text();
            List<SlurmGres> gres = node.at("gres").isPresent()
                    ? node.at("gres")
                            .build(() -> SlurmGres.parseList(node.at("gres").text()))
                    : SlurmGresConf.inventory(conf, name);
            nodes.put(
                    name,
                    node.build(() -> SlurmNode.of(
                            name, node.at("cpus").numberOr(1), node.at("memory").numberOr(0), gres)));
        }
        return nodes;
    }

    private static SlurmScheduler.Verdict submit(
            SlurmScheduler scheduler, Cluster cluster, String name, Map<String, String> options) {
        try {
            return scheduler.submit(cluster, name, SlurmRequest.of(options).resolve());
        } catch (RefusedException e) {
            return new SlurmScheduler.Verdict.Rejected(e.getMessage() == null ? e.rule() : e.getMessage());
        }
    }

    private static Answer describe(SlurmScheduler.Verdict answer, Map<String, Node> nodes, String job) {
        if (answer instanceof SlurmScheduler.Verdict.Rejected rejected) {
            return new Answer.Refused(rejected.why());
        }
        if (answer instanceof SlurmScheduler.Verdict.Started started) {
            List<Answer.Part> parts = new ArrayList<>();
            for (Placement placement : started.placements()) {
                Node node = nodes.get(placement.node());
                if (node != null) {
                    Map<String, String> values = new HashMap<>(SlurmEnvironment.of(node, placement));
                    values.put("GRES", SlurmEnvironment.grant(node, placement));
                    parts.add(new Answer.Part(placement, BindingMetadata.environment(Map.of("job", values))));
                }
            }
            return new Answer.Found("job \"" + job + "\"", parts, List.of(), List.of());
        }
        return new Answer.Refused(WAITS);
    }
}
