package io.gpusched.cli.look;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.analysis.Repair;
import io.gpusched.manifests.cluster.Evictions;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import java.io.PrintWriter;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gpu-sched repair NODE}: how to empty a GPU or a node before it is repaired. */
@Command(
        name = "repair",
        description =
                "Says which pods have to leave a node, or one of its GPUs, before it is repaired, where they can go, and"
                        + " in which order; as few as possible. Other pods move where that makes room. Moves nothing.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:all pods have another place", "1:some have none, or must not move", "2:bad input"})
public final class RepairCommand extends LookCommand {
    @Parameters(paramLabel = "NODE", description = "The node.")
    private String node = "";

    @Option(names = "--gpu", paramLabel = "N", description = "The GPU, counted from 0 (default: the whole node).")
    private @Nullable Integer gpu;

    @Option(
            names = "--moves",
            paramLabel = "N",
            description = "The greatest number of pods to move (default: any number).")
    private int most = Integer.MAX_VALUE;

    @Mixin
    private MoveOptions moves = new MoveOptions();

    /** For the command line. */
    public RepairCommand() {}

    @Override
    int look(SeenCluster seen, PrintWriter out, ObjectNode answer) {
        check(seen);
        OptionalInt device = gpu == null ? OptionalInt.empty() : OptionalInt.of(gpu);
        Evictions evictions = seen.evictions();
        Cluster cluster = seen.cluster();
        for (Placement placement : seen.cluster().node(node).orElseThrow().placements()) {
            cluster = evictions.leavesWithNode(placement.pod()) ? cluster.without(placement.pod()) : cluster;
        }
        Repair repair = device.isPresent()
                ? Repair.plan(cluster, node, device.getAsInt(), moves.limits(seen, most))
                : Repair.plan(cluster, node, moves.limits(seen, most));
        String what = gpu == null ? node : "GPU " + gpu + " of " + node;
        answer.put("possible", repair.isPossible());
        JsonAnswer.moves(answer.putArray("moves"), repair.moves());
        Obstacles.put(repair.kept(), evictions, answer.putArray("kept"));
        if (repair.isPossible()) {
            out.println(what + " can be drained: "
                    + (repair.pods() == 0 ? "it has no pods to move" : Moves.pods(repair.pods()) + " moved"));
        } else {
            out.println(what + " cannot be drained:");
            Obstacles.words(repair.kept(), evictions).forEach(out::println);
        }
        Obstacles.print(seen, repair.obstacles(), out, answer.putArray("obstacles"));
        if (!repair.isPossible() && repair.pods() > 0) {
            out.println("of the others " + Moves.pods(repair.pods()) + " can move:");
        }
        repair.moves().forEach(move -> Moves.print(seen, move, out));
        Moves.warnOfLoss(
                seen,
                repair.moves().stream().flatMap(move -> move.to().stream()).toList(),
                out);
        return repair.isPossible() ? 0 : 1;
    }

    private void check(SeenCluster seen) {
        NodeState state = seen.cluster().node(node).orElse(null);
        if (state == null) {
            throw new InputException("node " + node, 0, "", "the cluster has no such node");
        }
        if (gpu != null && (gpu < 0 || gpu >= state.gpuCount())) {
            throw new InputException(
                    "the cluster",
                    0,
                    "",
                    "has no GPU " + gpu + " on node " + node + ", which has " + Held.gpus(state.gpuCount()));
        }
        if (gpu != null && seen.countsOnly(node)) {
            throw new InputException(
                    "the cluster",
                    0,
                    "",
                    "tells of node " + node
                            + " only how many GPUs a pod holds, not which. Maybe empty the whole node: without --gpu");
        }
    }
}
