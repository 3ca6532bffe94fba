package io.gpusched.testkit;

import io.gpusched.model.GpuLinks;
import io.gpusched.model.GpuLinks.Link;
import io.gpusched.model.GpuLinks.Path;
import io.gpusched.model.Node;
import io.gpusched.workload.GpuAffinity.Bond;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Links for tests, and the plain meaning of bonds. */
public final class Wiring {
    private static final Link[] LINKS = {
        Link.NONE, Link.of(Path.SYS, 0), Link.of(Path.PIX, 0), Link.of(Path.PIX, 1), Link.of(Path.SYS, 2)
    };

    private Wiring() {}

    /** Returns links among so many GPUs, drawn at random. */
    public static GpuLinks random(Random random, int gpus) {
        List<List<Link>> matrix = new ArrayList<>();
        for (int a = 0; a < gpus; a++) {
            matrix.add(new ArrayList<>(Collections.nCopies(gpus, Link.NONE)));
            for (int b = 0; b < a; b++) {
                Link link = LINKS[random.nextInt(LINKS.length)];
                matrix.get(a).set(b, link);
                matrix.get(b).set(a, link);
            }
        }
        return GpuLinks.of(matrix, List.of());
    }

    /** Returns whether every two of these GPUs share a bond. */
    public static boolean holds(Bond bond, Node node, Collection<Integer> gpus) {
        for (int a : gpus) {
            for (int b : gpus) {
                boolean shared = switch (bond) {
                    case NONE -> true;
                    case NUMA_NODE ->
                        node.gpus().get(a).numaNode() == node.gpus().get(b).numaNode();
                    case NVLINK_CLIQUE ->
                        a == b
                                || !node.links().isNone()
                                        && node.links().link(a, b).nvlinks() > 0;
                };
                if (!shared) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the sum of the scores of all pairs. */
    public static int score(GpuLinks links, List<Integer> gpus) {
        int score = 0;
        for (int i = 0; i < gpus.size(); i++) {
            for (int j = 0; j < i; j++) {
                score += links.link(gpus.get(i), gpus.get(j)).score();
            }
        }
        return score;
    }
}
