package io.gpusched.cli.look;

import io.gpusched.analysis.Drain;
import io.gpusched.analysis.Repair;
import io.gpusched.decision.Unschedulable;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.model.NodeState;
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
                "Says which pods have to go before a node, or one of its GPUs, is repaired, where to, and in which order; as"
                        + " few as possible. Others move where that makes room. Moves nothing.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:all pods have another place", "1:some have none, or must not move", "2:bad input"})
public final class RepairCommand extends LookCommand {
    @Parameters(paramLabel = "NODE", description = "The node.")
    private String node = "";

    @Option(names = "--gpu", paramLabel = "N", description = "The GPU, counted from 0 (default: the whole node).")
    private @Nullable Integer gpu;

    @Option(names = "--moves", paramLabel = "N", description = "At most so many pods move (default: any number).")
    private int most = Integer.MAX_VALUE;

    @Mixin
    private MoveOptions moves = new MoveOptions();

    /** For the command line. */
    public RepairCommand() {}

    @Override
    int look(SeenCluster seen, PrintWriter out) {
        check(seen);
        OptionalInt device = gpu == null ? OptionalInt.empty() : OptionalInt.of(gpu);
        Repair repair = device.isPresent()
                ? Repair.plan(seen.cluster(), node, device.getAsInt(), moves.limits(seen, most))
                : Repair.plan(seen.cluster(), node, moves.limits(seen, most));
        String what = gpu == null ? node : "GPU " + gpu + " of " + node;
        out.println(what
                + (repair.isPossible() ? " can be emptied: " : " cannot be emptied, but for the rest: ")
                + (repair.pods() == 0 ? "no pod has to go" : Moves.pods(repair.pods()) + " moved"));
        repair.moves().forEach(move -> Moves.print(seen, move, out));
        Moves.warnOfBare(
                seen,
                repair.moves().stream().flatMap(move -> move.to().stream()).toList(),
                out);
        for (Drain.Obstacle obstacle : repair.obstacles()) {
            out.println(Moves.names(obstacle.pods())
                    + (obstacle.refusal().isPresent() ? " has no other place" : " does not tell what it asks"));
            obstacle.refusal()
                    .map(Unschedulable::diagnosis)
                    .ifPresent(diagnosis ->
                            out.println(diagnosis.toString().indent(2).stripTrailing()));
        }
        if (!repair.kept().isEmpty()) {
            out.println(Moves.names(repair.kept()) + " must not move");
        }
        return repair.isPossible() ? 0 : 1;
    }

    private void check(SeenCluster seen) {
        NodeState state = seen.cluster().node(node).orElse(null);
        if (state == null) {
            throw new InputException("the cluster", 0, "", "has no node " + node);
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
