package io.gpusched.cli.look;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.analysis.DefragPlan;
import io.gpusched.analysis.DefragPlan.Stage;
import io.gpusched.analysis.Defragmenter;
import io.gpusched.analysis.Extent;
import io.gpusched.manifests.cluster.SeenCluster;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code gpu-sched defrag}: which pods to move so that whole nodes, racks or room for larger pods come about. */
@Command(
        name = "defrag",
        description =
                "Says which pods to move, in which order, so that scattered free GPUs become whole free nodes, or what"
                        + " --want names. The moves that gain most for a pod come first. Moves nothing.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:moves make room", "1:none do", "2:bad input"})
public final class DefragCommand extends LookCommand {
    @Option(
            names = "--want",
            paramLabel = "ROOM",
            converter = WantedRooms.class,
            defaultValue = "nodes",
            description =
                    "The room to be made: nodes (whole nodes with all GPUs idle); domain:LEVEL (domains with all nodes"
                            + " idle); gpus:N (room for pods of N GPUs); or mix (room for pods as the cluster has them, by"
                            + " their number) (default: ${DEFAULT-VALUE}).")
    private WantedRooms.Wanted wanted = new WantedRooms.Wanted("nodes");

    @Option(
            names = "--moves",
            paramLabel = "N",
            description = "The greatest number of pods to move (default: ${DEFAULT-VALUE}).")
    private int most = 20;

    @Mixin
    private MoveOptions moves = new MoveOptions();

    /** For the command line. */
    public DefragCommand() {}

    @Override
    int look(SeenCluster seen, PrintWriter out, ObjectNode answer) {
        DefragPlan plan = Defragmenter.plan(seen.cluster(), wanted.rooms(seen), moves.limits(seen, most));
        String more = plan.extent() == Extent.COMPLETE ? "" : " (the search reached its limit, more may be had)";
        JsonAnswer.moves(answer.putArray("moves"), plan.moves());
        answer.put("before", plan.before().stream().mapToLong(Long::longValue).sum());
        answer.put("after", plan.after().stream().mapToLong(Long::longValue).sum());
        answer.put("complete", plan.extent() == Extent.COMPLETE);
        if (plan.stages().isEmpty()) {
            out.println("no move gives more than " + wanted.count(plan.before()) + more);
            return 1;
        }
        out.println("moving " + Moves.pods(plan.pods()) + " gives " + wanted.count(plan.after()) + " instead of "
                + plan.before().stream().mapToLong(Long::longValue).sum() + more);
        for (Stage stage : plan.stages()) {
            out.println(wanted.words(stage.gains())
                    + Moves.pods(stage.pods())
                    + (stage.pods() == 1 ? " moves:" : " move:"));
            stage.moves().forEach(move -> Moves.print(seen, move, out));
        }
        Moves.warnOfLoss(
                seen, plan.moves().stream().flatMap(move -> move.to().stream()).toList(), out);
        return 0;
    }
}
