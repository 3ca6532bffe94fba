package io.gpusched.cli.look;

import io.gpusched.analysis.Drain;
import io.gpusched.decision.Unschedulable;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.model.Cluster;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code gpu-sched drain NODE...}: whether nodes can be emptied, and where their pods would go. */
@Command(
        name = "drain",
        description =
                "Says whether nodes can be emptied together, and where each of their pods would go. Moves nothing.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:all pods have another place", "1:some have none", "2:bad input"})
public final class DrainCommand extends LookCommand {
    @Parameters(paramLabel = "NODE", arity = "1..*", description = "The nodes.")
    private List<String> nodes = new ArrayList<>();

    /** For the command line. */
    public DrainCommand() {}

    @Override
    int look(SeenCluster seen, PrintWriter out) {
        Cluster cluster = seen.cluster();
        for (String node : nodes) {
            if (cluster.node(node).isEmpty()) {
                throw new InputException("the cluster", 0, "", "has no node " + node);
            }
        }
        Drain drain = Drain.of(cluster, nodes);
        if (drain.isPossible()) {
            out.println(String.join(", ", drain.nodes()) + " can be drained: " + Moves.count(drain.moves()));
            Moves.print(seen, drain.moves(), out);
            return 0;
        }
        out.println(String.join(", ", drain.nodes()) + " cannot be drained:");
        for (Drain.Obstacle obstacle : drain.obstacles()) {
            out.println(Moves.names(obstacle.pods())
                    + (obstacle.refusal().isPresent() ? " has no other place" : " does not tell what it asks"));
            obstacle.refusal()
                    .map(Unschedulable::diagnosis)
                    .ifPresent(diagnosis ->
                            out.println(diagnosis.toString().indent(2).stripTrailing()));
        }
        return 1;
    }
}
