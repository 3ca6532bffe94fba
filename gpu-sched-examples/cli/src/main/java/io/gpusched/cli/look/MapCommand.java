package io.gpusched.cli.look;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.pages.LivePage;
import io.gpusched.pages.LiveReport;
import io.gpusched.pages.MapRow;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gpu-sched map}: the GPUs of a cluster and the pods that hold them. */
@Command(
        name = "map",
        description =
                "Shows the GPUs of each node and what holds them: . idle, # whole, 1 to 9 tenths of a shared one, x out"
                        + " of order. Slots of time slicing and MPS are counted by node: no one writes of which GPU they"
                        + " are.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:shown", "2:bad input"})
public final class MapCommand extends LookCommand {
    private static final int MOST_WAITING = 20;

    @Option(names = "--html", paramLabel = "F", description = "Writes it as a page, too.")
    private @Nullable Path html;

    /** For the command line. */
    public MapCommand() {}

    @Override
    int look(SeenCluster seen, PrintWriter out, ObjectNode answer) throws IOException {
        List<Pod> waiting = seen.waiting().stream().filter(seen::asksForGpus).toList();
        ArrayNode nodes = answer.putArray("nodes");
        for (MapRow row : MapRow.inOrder(seen.cluster())) {
            out.println();
            NodeState first = seen.cluster().node(row.nodes().get(0).name()).orElseThrow();
            out.println(row.label()
                    .replaceFirst("^\\d+", String.valueOf(SeenCluster.gpus(first))) // cut ones are one device
                    .replaceFirst("-MIG-([^, ]+?)(-SHARED)?,", " cut into MIG $1$2,"));
            row.nodes().forEach(node -> out.println("  " + line(seen, node)));
            row.nodes().forEach(node -> put(seen, node, nodes.addObject()));
        }
        others(seen, out, answer.putArray("otherNodes"));
        JsonAnswer.pods(
                answer.putArray("pending"),
                waiting.stream().map(SeenCluster::idOf).toList());
        if (!waiting.isEmpty()) {
            out.println();
            out.println((waiting.size() == 1 ? "1 pending pod asks" : waiting.size() + " pending pods ask")
                    + " for GPUs: "
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

    /** Nodes without a GPU that is read here: with devices that are counted by name, with GPUs that they do not report, and the rest. */
    private static void others(SeenCluster seen, PrintWriter out, ArrayNode array) {
        List<String> lines = new ArrayList<>();
        int plain = 0;
        for (NodeState node : seen.cluster().nodes()) {
            if (node.gpuCount() > 0) {
                continue;
            }
            String words = devices(node);
            if (words.isEmpty()) {
                words = seen.promised(node.name())
                        .map(label -> "reports no GPUs, though its label " + label
                                + "; maybe its device plugin is not running")
                        .orElse("");
            }
            if (words.isEmpty()) {
                plain++;
            } else {
                lines.add("  " + node.name() + "  " + words + marks(node));
                array.addObject().put("name", node.name()).put("words", words);
            }
        }
        if (!lines.isEmpty()) {
            out.println();
            lines.forEach(out::println);
        }
        if (plain > 0) {
            out.println();
            out.println(plain + (plain == 1 ? " node has" : " nodes have") + " no GPUs");
        }
    }

    /** Devices of vendors that are counted by name, such as partitions of AMD GPUs: how many of each are held. */
    private static String devices(NodeState node) {
        List<String> words = new ArrayList<>();
        for (String name : SeenCluster.countedDevices(node)) {
            long all = node.node().capacity().named().amount(name);
            words.add((all - node.freeNamed().amount(name)) + " of " + all + " " + name + " held");
        }
        return String.join(", ", words);
    }

    private static String marks(NodeState node) {
        List<String> marks = SeenCluster.marks(node);
        return marks.isEmpty() ? "" : "  " + String.join(", ", marks);
    }

    private static void put(SeenCluster seen, MapRow.MapNode node, ObjectNode one) {
        NodeState state = seen.cluster().node(node.name()).orElseThrow();
        one.put("name", node.name());
        one.put("gpus", SeenCluster.gpus(state));
        one.put("gpusOfPodsKnown", !seen.countsOnly(node.name()));
        one.put("model", state.node().gpus().get(0).model().name());
        JsonAnswer.texts(one.putArray("marks"), SeenCluster.marks(state));
        JsonAnswer.placements(
                one.putArray("placements"),
                state.placements().stream().filter(Held::any).toList());
    }

    private static String line(SeenCluster seen, MapRow.MapNode node) {
        NodeState state = seen.cluster().node(node.name()).orElseThrow();
        StringBuilder cells = new StringBuilder();
        boolean isCounted = isCounted(seen, state);
        if (isCounted) {
            cells.append(slots(state));
        }
        for (int gpu = 0; gpu < node.gpus().size() && !isCounted; gpu++) {
            cells.append(
                    state.node().gpus().get(gpu).partitions().isAlwaysCut()
                            ? slices(state, gpu)
                            : cell(node.gpus().get(gpu)));
        }
        String held = state.placements().stream()
                .filter(Held::any)
                .map(placement -> holder(seen, placement))
                .collect(Collectors.joining("; "));
        String others = devices(state);
        return node.name() + "  " + cells + (others.isEmpty() ? "" : "  " + others) + marks(state)
                + (held.isEmpty() ? "" : "  " + held);
    }

    /** Whether of slots only their number is known, and not of which of several GPUs they are. */
    private static boolean isCounted(SeenCluster seen, NodeState node) {
        return node.gpuCount() > 1
                && node.node().mode() == NodeMode.SHARED
                && seen.countsOnly(node.node().name());
    }

    /** How many slots of a node are held, and a mark for each GPU that is out of order. */
    private static String slots(NodeState node) {
        long all = 0;
        StringBuilder broken = new StringBuilder();
        for (Gpu gpu : node.node().gpus()) {
            all += gpu.healthy() ? gpu.slots() : 0;
            broken.append(gpu.healthy() ? "" : "x");
        }
        long held = node.placements().stream()
                .flatMap(placement -> Held.shares(placement).values().stream())
                .mapToLong(GpuShare::slots)
                .sum();
        String slots = SeenCluster.isSliced(node) ? " slices]" : " slots]";
        return "[" + held + " of " + all + slots + broken;
    }

    /** GPUs that are cut for good: how many of their partitions are held. */
    private static String slices(NodeState node, int gpu) {
        long all = node.node().gpus().get(gpu).partitions().profiles().stream()
                .mapToLong(PartitionProfile::max)
                .sum();
        long held = node.placements().stream()
                .flatMap(placement -> placement.containers().stream())
                .filter(grant -> grant.gpus() instanceof GpuGrant.Partitions)
                .flatMap(grant -> ((GpuGrant.Partitions) grant.gpus()).partitions().stream())
                .filter(partition -> partition.gpu() == gpu)
                .count();
        return "[" + held + " of " + all + " partitions]";
    }

    private static String holder(SeenCluster seen, Placement placement) {
        return Moves.name(placement.pod()) + " " + Held.words(placement, seen);
    }

    private static String cell(int use) {
        return switch (use) {
            case MapRow.WHOLE -> "#";
            case MapRow.UNHEALTHY -> "x";
            case 0 -> ".";
            default -> String.valueOf(Math.min(9, Math.max(1, use / 100)));
        };
    }

    /** A page has a cell for each GPU, also where slots are only counted. */
    private static List<String> notes(SeenCluster seen) {
        List<String> notes = new ArrayList<>(seen.notes());
        long counted = seen.cluster().nodes().stream()
                .filter(node -> isCounted(seen, node))
                .count();
        if (counted > 0) {
            notes.add("no one writes of which GPU a slot of time slicing or MPS is: the cells of "
                    + (counted == 1 ? "1 node show" : counted + " nodes show") + " how many are held, not which");
        }
        return notes;
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
                notes(seen),
                new LiveReport.Queue(0, 0, waiting.size(), 0),
                pending,
                MOST_WAITING);
    }
}
