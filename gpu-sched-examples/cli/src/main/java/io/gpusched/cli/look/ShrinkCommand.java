package io.gpusched.cli.look;

import io.gpusched.analysis.ScaleDown;
import io.gpusched.decision.Certainty;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.policy.BinPack;
import io.gpusched.schedule.GpuScheduler;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code gpu-sched shrink}: which nodes could go, and where their pods would land. */
@Command(
        name = "shrink",
        description = "Says which nodes with GPUs could go, all together, and where their pods would land."
                + " Removes nothing.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:at least one node could go", "1:none could", "2:bad input"})
public final class ShrinkCommand extends LookCommand {
    /** For the command line. */
    public ShrinkCommand() {}

    @Override
    int look(SeenCluster seen, PrintWriter out) {
        Cluster cluster = seen.cluster();
        List<String> candidates = cluster.nodes().stream()
                .filter(node -> node.gpuCount() > 0)
                .map(NodeState::name)
                .toList();
        ScaleDown down = ScaleDown.of(
                cluster,
                candidates,
                GpuScheduler.builder().policy(BinPack.of()).memory(0).build());
        if (down.nodes().isEmpty()) {
            out.println("no node with GPUs could go" + limits(down));
            return 1;
        }
        int gpus = down.nodes().stream()
                .mapToInt(name -> cluster.node(name).orElseThrow().gpuCount())
                .sum();
        out.println(down.nodes().size() + " of " + candidates.size() + " nodes with GPUs could go, with "
                + Held.gpus(gpus) + limits(down) + ": " + String.join(", ", down.nodes()));
        out.println(Moves.count(down.moves()) + (down.moves().isEmpty() ? "" : " on the nodes that stay"));
        Moves.print(seen, down.moves(), out);
        return 0;
    }

    private static String limits(ScaleDown down) {
        return down.certainty() == Certainty.PROVEN ? "" : " (a search reached its limit, more may)";
    }
}
