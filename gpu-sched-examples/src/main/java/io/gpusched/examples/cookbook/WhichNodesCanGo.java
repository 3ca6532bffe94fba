package io.gpusched.examples.cookbook;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds nodes that can be switched off together, because what runs there fits elsewhere. */
public final class WhichNodesCanGo {
    private WhichNodesCanGo() {}

    /** Prints the nodes that can go, and what is idle when they are gone. */
    public static void main(String... args) {
        Cluster cluster = MapMyCluster.cluster();
        List<NodeState> emptiestFirst = cluster.nodes().stream()
                .sorted(Comparator.comparingInt(NodeState::podCount).thenComparing(NodeState::name))
                .toList();

        List<String> gone = new ArrayList<>();
        for (NodeState node : emptiestFirst) {
            Optional<Cluster> drained = DrainNode.drained(cluster, node.name(), DrainNode.requests());
            if (drained.isPresent()) {
                cluster = drained.get().withoutNode(node.name());
                gone.add(node.name());
            }
        }

        System.out.println("can go: " + gone);
        System.out.println("idle GPUs left: " + cluster.totals().idleGpus());
    }
}
