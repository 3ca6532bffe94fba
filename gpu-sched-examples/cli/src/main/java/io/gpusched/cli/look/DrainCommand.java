package io.gpusched.cli.look;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.analysis.Drain;
import io.gpusched.manifests.cluster.Evictions;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code gpu-sched drain NODE...}: whether nodes can be emptied, and where their pods would go. */
@Command(
        name = "drain",
        description =
                "Says whether nodes can be drained together, and where each of their pods would go. Moves nothing.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:all pods have another place", "1:some have none", "2:bad input"})
public final class DrainCommand extends LookCommand {
    @Parameters(paramLabel = "NODE", arity = "1..*", description = "The nodes.")
    private List<String> nodes = new ArrayList<>();

    /** For the command line. */
    public DrainCommand() {}

    @Override
    int look(SeenCluster seen, PrintWriter out, ObjectNode answer) {
        Cluster cluster = seen.cluster();
        for (String node : nodes) {
            if (cluster.node(node).isEmpty()) {
                throw new InputException("node " + node, 0, "", "the cluster has no such node");
            }
        }
        Evictions evictions = seen.evictions();
        List<PodId> kept = new ArrayList<>();
        Cluster left = cluster;
        for (Placement placement : cluster.placements()) {
            boolean isKept = evictions.refusal(placement.pod()).isPresent();
            if (nodes.contains(placement.node()) && (isKept || evictions.leavesWithNode(placement.pod()))) {
                left = left.without(placement.pod());
                if (isKept) {
                    kept.add(placement.pod());
                }
            }
        }
        return print(seen, Drain.of(left, nodes), kept, out, answer);
    }

    private static int print(SeenCluster seen, Drain drain, List<PodId> kept, PrintWriter out, ObjectNode answer) {
        boolean isPossible = drain.isPossible() && kept.isEmpty();
        String names = String.join(", ", drain.nodes());
        answer.put("possible", isPossible);
        JsonAnswer.texts(answer.putArray("nodes"), drain.nodes());
        JsonAnswer.placements(answer.putArray("moves"), drain.moves());
        Obstacles.put(kept, seen.evictions(), answer.putArray("kept"));
        if (isPossible) {
            out.println(names + " can be drained: " + Moves.count(drain.nodes().size(), drain.moves()));
            Moves.print(seen, drain.moves(), out);
        } else {
            out.println(names + " cannot be drained:");
            Obstacles.words(kept, seen.evictions()).forEach(out::println);
        }
        Obstacles.print(seen, drain.obstacles(), out, answer.putArray("obstacles"));
        return isPossible ? 0 : 1;
    }
}
