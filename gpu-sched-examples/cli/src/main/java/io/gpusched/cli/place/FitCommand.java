package io.gpusched.cli.place;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.analysis.Headroom;
import io.gpusched.cli.look.ClusterSource;
import io.gpusched.cli.look.JsonAnswer;
import io.gpusched.dialect.RefusedException;
import io.gpusched.manifests.cluster.PendingPods;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import io.gpusched.model.Cluster;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodSpec;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code gpu-sched fit MANIFEST}: whether it would start now, where, and how many more. */
@Command(
        name = "fit",
        description = "Says whether pods, controllers or jobs would start now, where, and how many more of them would."
                + " Nothing is written to the cluster.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:all would start", "1:some would not", "2:bad input; the message names file, line and field"})
public final class FitCommand implements Callable<Integer> {
    private static final int MOST_WARNINGS = 10;
    private static final SearchBudget BUDGET = SearchBudget.ofSteps(50_000_000);

    @Mixin
    private ClusterSource source = new ClusterSource();

    @Parameters(
            paramLabel = "MANIFEST",
            description =
                    "Pods, controllers, or jobs of JobSet, LeaderWorkerSet, KubeRay, Kubeflow, KServe, Grove, Volcano or Kueue;"
                            + " - is standard input.")
    @SuppressWarnings("NullAway.Init")
    private Path manifest;

    @Option(
            names = "--ignore",
            paramLabel = "FIELD",
            description = "Goes on without a field, a resource or a kind of object, as with place.")
    private Set<String> ignored = new LinkedHashSet<>();

    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    /** For the command line. */
    public FitCommand() {}

    @Override
    public Integer call() {
        List<YamlNode> documents = YamlReader.read(manifest);
        SeenCluster seen = source.read(documents.toString());
        PrintWriter out = spec.commandLine().getOut();
        Notes notes = new Notes(ignored);
        ObjectNode answer = JsonAnswer.object();
        int code;
        try {
            code = answer(seen, documents, notes, json ? new PrintWriter(Writer.nullWriter()) : out, answer);
        } catch (RefusedException e) {
            answer.put("rule", e.getMessage());
            if (!json) {
                out.println("refused: " + e.getMessage());
            }
            code = 1;
        } finally {
            if (!json) {
                warn(seen.notes());
                warn(notes.warnings());
            }
        }
        if (json) {
            out.println(JsonAnswer.of("fit", seen, notes.warnings(), answer));
        }
        out.flush();
        return code;
    }

    private void warn(List<String> warnings) {
        PrintWriter err = spec.commandLine().getErr();
        warnings.stream().limit(MOST_WARNINGS).forEach(warning -> err.println("warning: " + warning));
        if (warnings.size() > MOST_WARNINGS) {
            err.println("warning: " + (warnings.size() - MOST_WARNINGS) + " more like these");
        }
        err.flush();
    }

    private static int answer(
            SeenCluster seen, List<YamlNode> documents, Notes notes, PrintWriter out, ObjectNode answer) {
        out.println(seen.words());
        NamedDialect named = seen.informed(seen.dialectOf(documents.toString()));
        KubernetesFile file = new KubernetesFile(documents, notes);
        Cluster before = seen.cluster();
        PlaceRequest asked =
                new KubernetesRequest(file, named, notes, before, Optional.of(seen)).read(file.first(documents));
        PendingPods pending = PendingPods.of(seen);
        List<io.fabric8.kubernetes.api.model.Pod> kept = pending.nominated(asked.priority(), Set.of());
        kept.forEach(pod -> out.println(PendingPods.words(pod)));
        JsonAnswer.texts(
                answer.putArray("nominated"),
                kept.stream().map(PendingPods::words).toList());
        Cluster cluster = asked.leveled(pending.keeping(before, kept));
        asked.check(cluster);
        Placer placer = new Placer(cluster, Optional.of(named.dialect()), Optional.empty());
        FitReport report = new FitReport(out, placer.place(asked), seen);
        report.print();
        report.put(answer);
        more(asked, placer.cluster(), out, answer.putArray("more"));
        List<String> exceeded =
                Quotas.exceeded(seen.objects().others(), asked.manifests().values());
        exceeded.forEach(out::println);
        JsonAnswer.texts(answer.putArray("quotas"), exceeded);
        return report.fitsAll() && exceeded.isEmpty() ? 0 : 1;
    }

    /** How many more of each group, and of each kind of pod, would start after all these. */
    private static void more(PlaceRequest asked, Cluster after, PrintWriter out, ArrayNode more) {
        for (AskedGroup group : asked.groups()) {
            Headroom.Groups room = Headroom.of(after, group.group(), BUDGET);
            more("group \"" + group.group().name() + "\"", room.exact(), room.groups(), out, more);
        }
        Map<PodSpec, Pod> kinds = new LinkedHashMap<>();
        asked.pods().forEach(pod -> kinds.putIfAbsent(pod.spec(), pod));
        for (Pod pod : kinds.values()) {
            Headroom room = Headroom.of(after, pod);
            more("pod \"" + pod.id() + "\"", room.exact(), room.pods(), out, more);
        }
    }

    private static void more(String like, boolean exact, long count, PrintWriter out, ArrayNode more) {
        out.println(count(exact, count) + " more like " + like + " would start after that");
        more.addObject().put("like", like).put("count", count).put("exact", exact);
    }

    private static String count(boolean exact, long count) {
        return count == 0 ? "no" : exact ? String.valueOf(count) : "at least " + count;
    }
}
