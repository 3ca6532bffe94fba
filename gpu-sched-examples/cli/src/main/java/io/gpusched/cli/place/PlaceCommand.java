package io.gpusched.cli.place;

import io.gpusched.dialect.RefusedException;
import io.gpusched.manifests.cluster.ClusterReader;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.forecast.RunTime;
import io.gpusched.manifests.forecast.Start;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import io.gpusched.model.Cluster;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.simulator.policy.LibraryPolicies;
import io.gpusched.simulator.trace.NodeTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code place}: decides where a pod or a group goes. Exit code 0 placed, 1 not placed, 2 bad input. */
@Command(
        name = "place",
        mixinStandardHelpOptions = true,
        description = "Decides where a pod or a group goes, and prints what the system would write.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:placed", "1:not placed", "2:bad input; the message names file, line and field"})
public final class PlaceCommand implements Callable<Integer> {
    private static final long SEED = 42;

    @Option(
            names = "--cluster",
            required = true,
            paramLabel = "F",
            description =
                    "The cluster: nodes and what runs, in the library's form or as Kubernetes manifests, or a node list"
                            + " in CSV; - is standard input.")
    @SuppressWarnings("NullAway.Init")
    private Path clusterFile;

    @Option(
            names = "--pod",
            required = true,
            paramLabel = "F",
            description =
                    "What to place: a pod or a group, in the library's form or as Kubernetes manifests, controllers"
                            + " such as Deployments included; - is standard input.")
    @SuppressWarnings("NullAway.Init")
    private Path podFile;

    @Option(
            names = "--dialect",
            paramLabel = "NAME",
            description = "The system whose resources the manifests use: t9k, device-plugin[:vendor/resource], nvidia,"
                    + " nvidia-sharing[:mps], nano-gpu[:spread], gpushare[:mib], elastic-gpu, gaia, hami[:FILE]"
                    + " (HAMi's device-config.yaml), volcano[:spread] or slurm.")
    private @Nullable String dialectName;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            description =
                    "The policy that chooses among nodes and GPUs that fit, such as bin-pack or spread (default: the"
                            + " dialect's own rule, without a dialect bin-pack). fgd and default expect pods like the"
                            + " running and the given ones.")
    private @Nullable String policyName;

    @Option(
            names = "--ignore",
            paramLabel = "FIELD",
            description =
                    "Goes on without a field, a resource or a kind of object that place would refuse to pass over;"
                            + " may be given several times. It becomes a warning.")
    private Set<String> ignored = new LinkedHashSet<>();

    @Option(
            names = "--when",
            description =
                    "Also prints when each pod or group starts, and how certain that is. Pods of the cluster end by"
                            + " activeDeadlineSeconds of the pod or its Job, or as its annotation " + RunTime.EXPECTED
                            + " lets expect.")
    private boolean when;

    @Option(
            names = "--now",
            paramLabel = "TIME",
            description =
                    "With --when: the time of the cluster file, such as 2026-01-31T12:00:00Z (default: the clock's).")
    private @Nullable Instant now;

    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;

    /** With {@code --when} the start of each answer. */
    private List<Start> starts = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Notes notes = new Notes(ignored);
        List<Answer> answers;
        starts = List.of();
        try {
            answers = answers(notes);
        } catch (RefusedException e) {
            answers = List.of(new Answer.Refused(String.valueOf(e.getMessage())));
        } catch (InputException e) {
            warn(notes.warnings());
            throw e;
        }
        warn(notes.warnings());
        warn(notes.needless());
        if (policyName != null && dialectName != null && dialectName.startsWith("hami")) {
            warn(List.of("--policy replaces HAMi's choice, and with it the rules about which devices go together"));
        }
        return print(answers);
    }

    private void warn(List<String> warnings) {
        PrintWriter err = spec.commandLine().getErr();
        warnings.forEach(warning -> err.println("warning: " + warning));
        err.flush();
    }

    private Integer print(List<Answer> answers) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(PlaceJson.of(answers, starts));
        } else {
            PlaceReport.print(out, answers);
            for (int i = 0; i < starts.size(); i++) {
                out.println("start of " + answers.get(i).subject() + ": " + starts.get(i));
            }
        }
        out.flush();
        return answers.stream().allMatch(answer -> answer instanceof Answer.Found) ? 0 : 1;
    }

    private List<Answer> answers(Notes notes) throws IOException {
        checkOptions();
        if (Dialects.SLURM.equals(dialectName)) {
            return SlurmPlace.place(clusterFile, podFile, notes::remark);
        }
        if (Files.isRegularFile(clusterFile) && NodeTable.isOne(clusterFile)) {
            return place(
                    new PlaceInput(
                            Cluster.of(NodeTable.read(clusterFile)), YamlReader.read(podFile), namedDialect(), notes),
                    notes);
        }
        ClusterReader cluster = YamlReader.read(
                clusterFile, () -> new ClusterReader(object -> UnlikelyValues.ofMemory(List.of(object), notes)));
        List<YamlNode> podDocuments = YamlReader.read(podFile);
        UnlikelyValues.ofMemory(cluster.otherForm(), notes);
        UnlikelyValues.ofMemory(podDocuments, notes);
        return place(new PlaceInput(cluster, podDocuments, namedDialect(), notes), notes);
    }

    private List<Answer> place(PlaceInput input, Notes notes) {
        if (input.dialect().isPresent() && !input.hasManifests()) {
            throw bad("--dialect goes with Kubernetes manifests; both files are in the library's own form");
        }
        Cluster described = input.cluster();
        PlaceRequest asked = input.asked();
        Cluster cluster = asked.leveled(described);
        asked.check(cluster);
        UnlikelyValues.ofGpus(cluster, asked.all(), notes);
        Optional<PlacementPolicy> policy = policy(cluster, asked);
        Placer placer = new Placer(cluster, input.dialect(), policy);
        List<Answer> answers = placer.place(asked);
        if (when) {
            Instant time = (now == null ? Instant.now() : now).truncatedTo(ChronoUnit.SECONDS);
            starts = StartTimes.of(
                    placer.cluster(),
                    input.ends(cluster, time),
                    asked,
                    answers,
                    policy.map(GpuScheduler::of).orElseGet(GpuScheduler::create),
                    time);
        }
        return answers;
    }

    private void checkOptions() {
        if (clusterFile.equals(podFile) && clusterFile.toString().equals(YamlReader.STANDARD_INPUT)) {
            throw bad("only one of --cluster and --pod can be standard input");
        }
        boolean slurm = Dialects.SLURM.equals(dialectName);
        if (slurm && when) {
            throw bad("--when does not go with --dialect slurm: its files have no run times");
        }
        if (now != null && !when) {
            throw bad("--now goes with --when");
        }
        if (slurm && policyName != null) {
            throw bad("--policy does not go with --dialect slurm, which chooses by Slurm's own order");
        }
        if (slurm && !ignored.isEmpty()) {
            throw bad("--ignore does not go with --dialect slurm, which honours all that it reads");
        }
        if (policyName != null && !LibraryPolicies.names().contains(policyName)) {
            throw bad("--policy must be one of " + String.join(", ", LibraryPolicies.names()) + ", got \"" + policyName
                    + "\"");
        }
    }

    private Optional<PlacementPolicy> policy(Cluster cluster, PlaceRequest asked) {
        return Optional.ofNullable(policyName)
                .map(name -> LibraryPolicies.of(name, () -> Expected.pods(cluster, asked), SEED));
    }

    private Optional<NamedDialect> namedDialect() {
        if (dialectName == null) {
            return Optional.empty();
        }
        try {
            Optional<NamedDialect> found = Dialects.find(dialectName);
            if (found.isEmpty()) {
                throw bad("--dialect must be one of " + String.join(", ", Dialects.known()) + ", slurm, got \""
                        + dialectName + "\"");
            }
            return found;
        } catch (IllegalArgumentException e) {
            throw bad("--dialect: " + e.getMessage());
        }
    }

    private ParameterException bad(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }
}
