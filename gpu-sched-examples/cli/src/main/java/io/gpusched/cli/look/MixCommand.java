package io.gpusched.cli.look;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.analysis.Headroom;
import io.gpusched.cli.TextTable;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.PodSpec;
import io.gpusched.workload.Toleration;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gpu-sched mix}: how many more pods of each shape the cluster can take. */
@Command(
        name = "mix",
        description =
                "Says how many more pods of each shape the cluster can take, each shape by itself: those that pods"
                        + " of the cluster have, and GPUs with nothing beside them.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:answered", "2:bad input"})
public final class MixCommand extends LookCommand {
    private static final List<Integer> COUNTS = List.of(1, 2, 4, 8, 16);
    private static final List<Integer> PERCENTS = List.of(10, 25, 50);

    @Option(
            names = "--most",
            paramLabel = "N",
            description =
                    "So many shapes of pods of the cluster are shown, the most frequent (default: ${DEFAULT-VALUE}).")
    private int most = 10;

    /** For the command line. */
    public MixCommand() {}

    @Override
    int look(SeenCluster seen, PrintWriter out) {
        TextTable table = new TextTable(1, "shape", "pods have it", "fit still", "on nodes");
        Map<PodSpec, Integer> asked = asked(seen);
        asked.entrySet().stream()
                .sorted(Map.Entry.<PodSpec, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(entry -> Shape.words(entry.getKey())))
                .limit(most)
                .forEach(entry -> row(table, seen.cluster(), entry.getKey(), entry.getValue()));
        for (GpuRequest request : bare(seen)) {
            PodSpec bare = io.gpusched.workload.Pod.builder("shape")
                    .container("shape", Resources.NONE, request)
                    .toleration(Toleration.equal(T9kDialect.XGN_TAINT.key(), T9kDialect.XGN_TAINT.value()))
                    .build()
                    .spec();
            if (!asked.containsKey(bare)) {
                row(table, seen.cluster(), bare, 0);
            }
        }
        out.print(table);
        return 0;
    }

    private static void row(TextTable table, Cluster cluster, PodSpec spec, int pods) {
        Headroom room = Headroom.of(cluster, new io.gpusched.workload.Pod(PodId.of("shape"), spec));
        table.row(
                Shape.words(spec),
                pods == 0 ? "" : String.valueOf(pods),
                (room.exact() || room.pods() == 0 ? "" : "at least ") + room.pods(),
                String.valueOf(room.byNode().size()));
    }

    /** What pods that hold GPUs, or wait for some, ask for. */
    private static Map<PodSpec, Integer> asked(SeenCluster seen) {
        Map<PodSpec, Integer> asked = new LinkedHashMap<>();
        seen.cluster().placements().stream()
                .filter(Held::any)
                .flatMap(placement -> io.gpusched.workload.Pod.of(placement).stream())
                .filter(pod -> Shape.asksForGpus(pod.spec()))
                .forEach(pod -> asked.merge(pod.spec(), 1, Integer::sum));
        for (Pod pod : seen.waiting()) {
            if (seen.asksForGpus(pod)) {
                Shape.of(seen, pod).ifPresent(spec -> asked.merge(spec, 1, Integer::sum));
            }
        }
        return asked;
    }

    private static List<GpuRequest> bare(SeenCluster seen) {
        List<GpuRequest> bare = new ArrayList<>();
        int largest = seen.cluster().nodes().stream()
                .filter(Shape::takesWhole)
                .mapToInt(NodeState::gpuCount)
                .max()
                .orElse(0);
        COUNTS.stream().filter(count -> count <= largest).forEach(count -> bare.add(GpuRequest.exclusive(count)));
        if (seen.cluster().nodes().stream().anyMatch(Shape::takesPercent)) {
            PERCENTS.forEach(percent -> bare.add(GpuRequest.percent(percent)));
        }
        if (seen.cluster().nodes().stream().anyMatch(Shape::takesTurns)) {
            bare.add(GpuRequest.share(0, GpuMemory.none()));
        }
        return bare;
    }
}
