package io.gpusched.cli.place;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.slurm.SlurmBatch;
import io.gpusched.dialect.slurm.SlurmConf;
import io.gpusched.dialect.slurm.SlurmEnvironment;
import io.gpusched.dialect.slurm.SlurmGres;
import io.gpusched.dialect.slurm.SlurmGresConf;
import io.gpusched.dialect.slurm.SlurmNode;
import io.gpusched.dialect.slurm.SlurmRequest;
import io.gpusched.dialect.slurm.SlurmScheduler;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Slurm's form: a cluster of {@code nodes} with {@code name}, {@code cpus}, {@code memory} and {@code gres} (or, for all,
 * the text of {@code gresConf}) and the jobs that run; a {@code job} with its name and the options of {@code sbatch}. Or Slurm's own
 * files.
 */
final class SlurmPlace {
    private static final long MEMORY_MIB_PER_TASK = 0;

    private SlurmPlace() {}

    /**
     * Decides about files as Slurm has them: {@code slurm.conf}, with {@code gres.conf} beside it if there is one, and a batch script.
     *
     * @param warnings takes a line for each thing that is not looked at
     */
    static List<Answer> place(Path slurmConf, Path script, Consumer<String> warnings) throws IOException {
        Path gresConf = slurmConf.resolveSibling("gres.conf");
        List<SlurmGresConf> gres = Files.exists(gresConf) ? SlurmGresConf.parse(Files.readString(gresConf)) : List.of();
        Map<String, Node> nodes = SlurmConf.nodes(Files.readString(slurmConf), gres);
        SlurmBatch batch = SlurmBatch.parse(Files.readString(script));
        if (!batch.others().isEmpty()) {
            warnings.accept(script + ": not looked at: --" + String.join(", --", batch.others()));
        }
        String name = batch.name().isEmpty() ? String.valueOf(script.getFileName()) : batch.name();
        SlurmScheduler scheduler = new SlurmScheduler(List.copyOf(nodes.keySet()), MEMORY_MIB_PER_TASK);
        return List.of(describe(submit(scheduler, Cluster.of(nodes.values()), name, batch.options()), nodes, name));
    }

    /** Returns whether files are as Slurm has them. */
    static boolean areSlurmsOwn(Path cluster, Path job) throws IOException {
        return Files.isRegularFile(cluster)
                && Files.isRegularFile(job)
                && SlurmConf.describesNodes(Files.readString(cluster))
                && SlurmBatch.isOne(Files.readString(job));
    }

    static List<Answer> place(YamlNode clusterFile, YamlNode jobFile) {
        clusterFile.only("nodes", "gresConf", "running");
        jobFile.only("job");
        Map<String, Node> nodes = nodes(clusterFile);
        SlurmScheduler scheduler = new SlurmScheduler(List.copyOf(nodes.keySet()), MEMORY_MIB_PER_TASK);
        Cluster cluster = clusterFile.at("nodes").build(() -> Cluster.of(nodes.values()));
        for (YamlNode earlier : clusterFile.at("running").list()) {
            SlurmScheduler.Verdict answer = submit(scheduler, cluster, earlier);
            if (!(answer instanceof SlurmScheduler.Verdict.Started started)) {
                throw earlier.error("a running job must fit after those before it, got " + answer);
            }
            cluster = cluster.withAll(started.placements());
        }
        YamlNode job = jobFile.need("job");
        return List.of(describe(
                submit(scheduler, cluster, job), nodes, job.need("name").text()));
    }

    private static Map<String, Node> nodes(YamlNode file) {
        List<SlurmGresConf> conf = file.at("gresConf")
                .build(() -> SlurmGresConf.parse(file.at("gresConf").textOr("")));
        Map<String, Node> nodes = new java.util.LinkedHashMap<>();
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

    private static SlurmScheduler.Verdict submit(SlurmScheduler scheduler, Cluster cluster, YamlNode job) {
        Map<String, String> options = new HashMap<>(job.texts());
        options.remove("name");
        return submit(scheduler, cluster, job.need("name").text(), options);
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
        return new Answer.Refused("pending (Resources)");
    }
}
