package io.gpusched.cli.place;

import io.gpusched.analysis.Headroom;
import io.gpusched.cli.look.ClusterSource;
import io.gpusched.dialect.RefusedException;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import io.gpusched.model.Cluster;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodSpec;
import java.io.PrintWriter;
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
    private static final SearchBudget BUDGET = SearchBudget.ofSteps(50_000_000);

    @Mixin
    private ClusterSource source = new ClusterSource();

    @Parameters(
            paramLabel = "MANIFEST",
            description = "Pods, controllers, or jobs of JobSet, LeaderWorkerSet, KubeRay, Kubeflow, Volcano or Kueue;"
                    + " - is standard input.")
    @SuppressWarnings("NullAway.Init")
    private Path manifest;

    @Option(
            names = "--ignore",
            paramLabel = "FIELD",
            description = "Goes on without a field, a resource or a kind of object, as with place.")
    private Set<String> ignored = new LinkedHashSet<>();

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
        out.println(seen.words());
        Notes notes = new Notes(ignored);
        try {
            return answer(seen, documents, notes, out);
        } catch (RefusedException e) {
            out.println("refused: " + e.getMessage());
            return 1;
        } finally {
            notes.warnings().forEach(note -> spec.commandLine().getErr().println("warning: " + note));
            spec.commandLine().getErr().flush();
            out.flush();
        }
    }

    private int answer(SeenCluster seen, List<YamlNode> documents, Notes notes, PrintWriter out) {
        NamedDialect named = seen.informed(seen.dialectOf(documents.toString()));
        KubernetesFile file = new KubernetesFile(documents, notes);
        Cluster before = seen.cluster();
        PlaceRequest asked = new KubernetesRequest(file, named, notes, NamedDialect.counted(before), pod -> seen.onItsNodes(seen.admitted(pod)))
                .read(file.first(documents));
        Cluster cluster = asked.leveled(before);
        asked.check(cluster);
        Placer placer = new Placer(cluster, Optional.of(named.dialect()), Optional.empty());
        FitReport report = new FitReport(out, placer.place(asked), seen);
        report.print();
        more(asked, placer.cluster(), out);
        return report.fitsAll() ? 0 : 1;
    }

    /** How many more of each group, and of each kind of pod, would start after all these. */
    private static void more(PlaceRequest asked, Cluster after, PrintWriter out) {
        for (AskedGroup group : asked.groups()) {
            Headroom.Groups room = Headroom.of(after, group.group(), BUDGET);
            out.println(count(room.exact(), room.groups()) + " more like group \""
                    + group.group().name() + "\" would start after that");
        }
        Map<PodSpec, Pod> kinds = new LinkedHashMap<>();
        asked.pods().forEach(pod -> kinds.putIfAbsent(pod.spec(), pod));
        for (Pod pod : kinds.values()) {
            Headroom room = Headroom.of(after, pod);
            out.println(
                    count(room.exact(), room.pods()) + " more like pod \"" + pod.id() + "\" would start after that");
        }
    }

    private static String count(boolean exact, long count) {
        return count == 0 ? "no" : exact ? String.valueOf(count) : "at least " + count;
    }
}
