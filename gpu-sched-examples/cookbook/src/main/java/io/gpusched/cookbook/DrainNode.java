package io.gpusched.cookbook;

import io.gpusched.analysis.Drain;
import io.gpusched.model.Cluster;
import java.util.List;

/** Finds new places for all that runs on a node. */
public final class DrainNode {
    private DrainNode() {}

    /** Prints who would move where if a node were drained, and why two nodes cannot be drained together. */
    public static void main(String... args) {
        Cluster cluster = MapMyCluster.cluster();
        Drain drain = Drain.of(cluster, List.of("a3"));
        drain.moves().forEach(move -> System.out.println("move " + move));
        System.out.println(
                "left on a3: " + drain.after().node("a3").orElseThrow().podCount());

        Drain all = Drain.of(cluster, List.of("a1", "a2", "a3"));
        all.obstacles().forEach(System.out::println);
    }
}
