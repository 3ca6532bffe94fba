package io.gpusched.cli.look;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.pages.LivePage;
import io.gpusched.pages.LiveReport;
import io.gpusched.pages.MapRow;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gpu-sched map}: the GPUs of a cluster and who holds them. */
@Command(
        name = "map",
        description =
                "Shows the GPUs of each node and who holds them: . idle, # whole, 1 to 9 tenths of a shared one, x out"
                        + " of order.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:shown", "2:bad input"})
public final class MapCommand extends LookCommand {
    private static final int MOST_WAITING = 20;

    @Option(names = "--html", paramLabel = "F", description = "Writes it as a page, too.")
    private @Nullable Path html;

    /** For the command line. */
    public MapCommand() {}

    @Override
    int look(SeenCluster seen, PrintWriter out) throws IOException {
        List<Pod> waiting = seen.waiting().stream().filter(seen::asksForGpus).toList();
        List<MapRow> rows = MapRow.inOrder(seen.cluster());
        for (MapRow row : rows) {
            out.println();
            out.println(row.label());
            row.nodes().forEach(node -> out.println("  " + line(seen, node)));
        }
        if (!waiting.isEmpty()) {
            out.println();
            out.println(waiting.size() + (waiting.size() == 1 ? " pod waits" : " pods wait") + " for GPUs: "
                    + Moves.names(waiting.stream().map(SeenCluster::idOf).toList())
                    + ". Maybe ask: gpu-sched why "
                    + Moves.name(SeenCluster.idOf(waiting.get(0))));
        }
        if (html != null) {
            Files.writeString(html, LivePage.of(new ObjectMapper().writeValueAsString(report(seen, waiting))));
            out.println();
            out.println("the page is " + html);
        }
        return 0;
    }

    private static String line(SeenCluster seen, MapRow.MapNode node) {
        NodeState state = seen.cluster().node(node.name()).orElseThrow();
        String cells = node.gpus().stream().map(MapCommand::cell).collect(Collectors.joining());
        String held = state.placements().stream()
                .filter(Held::any)
                .map(placement -> holder(seen, placement))
                .collect(Collectors.joining("; "));
        return node.name() + "  " + cells + (state.isCordoned() ? "  cordoned" : "")
                + (held.isEmpty() ? "" : "  " + held);
    }

    private static String holder(SeenCluster seen, Placement placement) {
        return Moves.name(placement.pod()) + " " + Held.words(placement, seen.countsOnly(placement.node()));
    }

    private static String cell(int use) {
        return switch (use) {
            case MapRow.WHOLE -> "#";
            case MapRow.UNHEALTHY -> "x";
            case 0 -> ".";
            default -> String.valueOf(Math.min(9, Math.max(1, use / 100)));
        };
    }

    private static LiveReport report(SeenCluster seen, List<Pod> waiting) {
        List<LiveReport.Pending> pending = waiting.stream()
                .map(pod -> new LiveReport.Pending(
                        Moves.name(SeenCluster.idOf(pod)),
                        1,
                        false,
                        Objects.requireNonNullElse(pod.getSpec().getSchedulerName(), "default-scheduler"),
                        WhyCommand.condition(pod).orElse("")))
                .toList();
        return LiveReport.of(
                "gpu-sched map",
                "snapshot",
                seen.cluster(),
                seen.notes(),
                new LiveReport.Queue(0, 0, waiting.size(), 0),
                pending,
                MOST_WAITING);
    }
}
