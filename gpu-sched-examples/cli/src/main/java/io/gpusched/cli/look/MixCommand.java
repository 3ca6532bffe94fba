package io.gpusched.cli.look;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.analysis.Headroom;
import io.gpusched.cli.TextTable;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeRequirement.Operator;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.PodSpec;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gpu-sched mix}: how many more pods of each shape the cluster can take. */
@Command(
        name = "mix",
        description = "Says how many more pods of each shape the cluster can take, each shape by itself: the shapes of"
                + " the cluster's pods, and GPUs without CPU or memory.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:answered", "2:bad input"})
public final class MixCommand extends LookCommand {
    private static final List<Integer> COUNTS = List.of(1, 2, 4, 8, 16);
    private static final List<Integer> PERCENTS = List.of(10, 25, 50);

    @Option(
            names = "--most",
            paramLabel = "N",
            description = "How many shapes of the cluster's pods are shown, the most frequent first (default:"
                    + " ${DEFAULT-VALUE}).")
    private int most = 10;

    private final Set<List<Object>> said = new HashSet<>();

    /** For the command line. */
    public MixCommand() {}

    @Override
    int look(SeenCluster seen, PrintWriter out, ObjectNode answer) {
        TextTable table = new TextTable(1, "shape", "pods have it", "fit still", "on nodes");
        Map<PodSpec, List<PodId>> asked = Shape.asked(seen);
        Map<PodSpec, String> words = Shape.words(asked, seen);
        ArrayNode rows = answer.putArray("shapes");
        asked.entrySet().stream()
                .sorted(Comparator.<Map.Entry<PodSpec, List<PodId>>>comparingInt(
                                entry -> -entry.getValue().size())
                        .thenComparing(entry -> words.getOrDefault(entry.getKey(), "")))
                .limit(most)
                .forEach(entry -> row(
                        table,
                        seen,
                        entry.getKey(),
                        words.getOrDefault(entry.getKey(), ""),
                        entry.getValue().size(),
                        rows));
        for (GpuRequest request : requests(seen)) {
            for (NodeSelector nodes : kinds(seen, request)) {
                PodSpec bare = Shape.bare(seen, request, nodes);
                boolean isGivenOut = seen.cluster().nodes().stream()
                        .anyMatch(node -> nodes.matches(node.node()) && isGivenOut(request, node));
                if (isGivenOut && !asked.containsKey(bare)) {
                    row(table, seen, bare, Shape.words(bare, seen), 0, rows);
                }
            }
        }
        out.print(table);
        return 0;
    }

    /** GPUs alone: whole ones, parts of one, a slot, and each partition that some node offers. */
    private static List<GpuRequest> requests(SeenCluster seen) {
        List<GpuRequest> requests = new ArrayList<>();
        COUNTS.forEach(count -> requests.add(GpuRequest.exclusive(count)));
        PERCENTS.forEach(percent -> requests.add(GpuRequest.percent(percent)));
        requests.add(GpuRequest.share(0, GpuMemory.none()));
        Set<String> profiles = new TreeSet<>();
        seen.cluster().nodes().forEach(node -> profiles.addAll(Shape.partitions(node)));
        profiles.forEach(profile -> requests.add(GpuRequest.partition(profile, 1)));
        return requests;
    }

    /** The nodes of each system that gives out GPUs here; a slot of a shared GPU is apart from a slice of a cut one. */
    private static List<NodeSelector> kinds(SeenCluster seen, GpuRequest request) {
        boolean isCut = request instanceof GpuRequest.Share
                && seen.cluster().nodes().stream().anyMatch(SeenCluster::isSliced);
        return !isCut
                ? systems(seen)
                : systems(seen).stream()
                        .flatMap(system -> Stream.of(Operator.DOES_NOT_EXIST, Operator.EXISTS)
                                .map(is -> system.and(
                                        NodeSelector.all(new NodeRequirement(SeenCluster.SLICES, is, List.of())))))
                        .toList();
    }

    /** The systems that give out GPUs here; one selector of any node where there is only one. */
    private static List<NodeSelector> systems(SeenCluster seen) {
        List<NamedDialect> dialects = seen.dialects().all();
        return dialects.size() == 1
                ? List.of(NodeSelector.ANY)
                : dialects.stream()
                        .map(one -> NodeSelector.labels(Map.of(DialectSet.LABEL, one.id())))
                        .toList();
    }

    /** Adds a row; one of GPUs alone that a shape of pods has said already is left out. */
    private void row(TextTable table, SeenCluster seen, PodSpec spec, String words, int pods, ArrayNode rows) {
        Headroom room = Headroom.of(seen.cluster(), new io.gpusched.workload.Pod(PodId.of("shape"), spec));
        boolean isExact = room.exact() || room.pods() == 0;
        if (!said.add(List.of(words, room.pods(), room.byNode().size())) && pods == 0) {
            return;
        }
        table.row(
                words,
                pods == 0 ? "" : String.valueOf(pods),
                (isExact ? "" : "at least ") + room.pods(),
                String.valueOf(room.byNode().size()));
        ObjectNode row = rows.addObject();
        row.put("shape", words);
        row.put("pods", pods);
        row.put("fit", room.pods());
        row.put("exact", isExact);
        row.put("nodes", room.byNode().size());
    }

    /** Whether a node gives out GPUs of this kind, and at least as many as are asked for. */
    private static boolean isGivenOut(GpuRequest request, NodeState node) {
        return request instanceof GpuRequest.Partition part
                ? Shape.partitions(node).contains(part.profile())
                : request instanceof GpuRequest.Exclusive
                        ? Shape.takesWhole(node) && request.count() <= node.gpuCount()
                        : ((GpuRequest.Share) request).computeMillis() > 0
                                ? Shape.takesPercent(node)
                                : Shape.takesTurns(node);
    }
}
