package io.gpusched.cookbook;

import io.gpusched.analysis.ScaleDown;

/** Finds nodes that can be switched off together, because what runs there fits elsewhere. */
public final class WhichNodesCanGo {
    private WhichNodesCanGo() {}

    /** Prints the nodes that can go, who moves, and what is idle when they are gone. */
    public static void main(String... args) {
        ScaleDown plan = ScaleDown.of(MapMyCluster.cluster());

        System.out.println("can go: " + plan.nodes());
        plan.moves().forEach(move -> System.out.println("move " + move));
        System.out.println("no more can: " + plan.certainty());
        System.out.println("idle GPUs left: " + plan.after().totals().idleGpus());
    }
}
