package io.gpusched.cli.look;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.analysis.ScaleDown;
import io.gpusched.decision.Certainty;
import io.gpusched.manifests.cluster.Evictions;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.BinPack;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** {@code gpu-sched shrink}: which nodes could be removed, and where their pods would go. */
@Command(
        name = "shrink",
        description = "Says which nodes with GPUs could be removed together, and where their pods would go."
                + " Removes nothing.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:at least one node could be removed", "1:none could", "2:bad input"})
public final class ShrinkCommand extends LookCommand {
    /** For the command line. */
    public ShrinkCommand() {}

    @Override
    int look(SeenCluster seen, PrintWriter out, ObjectNode answer) {
        Cluster cluster = seen.cluster();
        Evictions evictions = seen.evictions();
        List<NodeState> withGpus =
                cluster.nodes().stream().filter(node -> node.gpuCount() > 0).toList();
        List<PodId> kept = withGpus.stream()
                .flatMap(node -> node.placements().stream())
                .map(Placement::pod)
                .filter(pod -> evictions.refusal(pod).isPresent())
                .toList();
        List<String> candidates = withGpus.stream()
                .filter(node -> node.placements().stream()
                        .noneMatch(
                                placement -> evictions.refusal(placement.pod()).isPresent()))
                .map(NodeState::name)
                .toList();
        ScaleDown down = ScaleDown.of(
                cluster,
                candidates,
                cluster.placements().stream()
                        .map(Placement::pod)
                        .filter(evictions::leavesWithNode)
                        .collect(Collectors.toUnmodifiableSet()),
                GpuScheduler.builder().policy(BinPack.of()).memory(0).build(),
                SearchBudget.ofSteps(200_000_000));
        int gpus = down.nodes().stream()
                .mapToInt(name -> SeenCluster.gpus(cluster.node(name).orElseThrow()))
                .sum();
        JsonAnswer.texts(answer.putArray("nodes"), down.nodes());
        answer.put("gpus", gpus);
        answer.put("proven", down.certainty() == Certainty.PROVEN);
        JsonAnswer.placements(answer.putArray("moves"), down.moves());
        Obstacles.put(kept, evictions, answer.putArray("kept"));
        if (down.nodes().isEmpty()) {
            out.println("no node with GPUs could go" + limits(down));
        } else {
            out.println(down.nodes().size() + " of " + withGpus.size() + " nodes with GPUs could go, with "
                    + Held.gpus(gpus) + limits(down) + ": " + String.join(", ", down.nodes()));
            out.println(
                    down.moves().isEmpty()
                            ? "no pods have to move"
                            : Moves.pods(down.moves().size()) + (down.moves().size() == 1 ? " fits" : " fit")
                                    + " on the nodes that stay:");
            Moves.print(seen, down.moves(), out);
        }
        if (candidates.size() < withGpus.size()) {
            int staying = withGpus.size() - candidates.size();
            out.println((staying == 1 ? "1 node stays" : staying + " nodes stay") + " because of these pods:");
            Obstacles.words(kept, evictions).forEach(words -> out.println("  " + words));
        }
        return down.nodes().isEmpty() ? 1 : 0;
    }

    private static String limits(ScaleDown down) {
        return down.certainty() == Certainty.PROVEN ? "" : " (a search reached its limit, more may)";
    }
}
