package io.gpusched.simulator.paper;

import io.gpusched.simulator.TypicalMix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * {@code fgd-paper}: fragmentation gradient descent in the paper's form. The score is the sigmoid of the fragments that a
 * placement removes, in GPUs, cut to a whole percent; a share goes to the GPU that scores best, the first of equals.
 *
 * <p>The cut is part of the policy: nodes within one step of 0.04 GPU tie and go to the lowest rank. Scores are kept per
 * shape and node until the node changes.
 */
final class FgdPaper implements PaperPolicy {
    /** What is known of one shape on each node: valid while the node is at that version. */
    private static final class Known {
        private final int[] version;
        private final byte[] score;
        private final byte[] gpu;

        Known(int nodes) {
            version = new int[nodes];
            score = new byte[nodes];
            gpu = new byte[nodes];
        }
    }

    private final PaperFragmentation fragmentation;
    private final List<Known> byShape = new ArrayList<>();
    private final double[] now;
    private final int[] nowVersion;

    FgdPaper(TypicalMix mix, PaperNodes nodes) {
        fragmentation = new PaperFragmentation(mix, nodes);
        now = new double[nodes.size];
        nowVersion = new int[nodes.size];
    }

    @Override
    public int score(PaperNodes nodes, int rank, PaperRequest request) {
        while (byShape.size() <= request.index()) {
            byShape.add(new Known(nodes.size));
        }
        Known known = byShape.get(request.index());
        if (known.version[rank] != nodes.version[rank]) {
            known.version[rank] = nodes.version[rank];
            evaluate(nodes, rank, request, known);
        }
        return known.score[rank];
    }

    @Override
    public int gpu(PaperNodes nodes, int rank, PaperRequest request) {
        score(nodes, rank, request);
        return byShape.get(request.index()).gpu[rank];
    }

    private void evaluate(PaperNodes nodes, int rank, PaperRequest request, Known known) {
        if (request.isShare()) {
            evaluateShare(nodes, rank, request, known);
            return;
        }
        int[] after = nodes.left[rank].clone();
        int wanted = request.gpus();
        for (int gpu = 0; gpu < after.length && wanted > 0; gpu++) {
            if (after[gpu] == 1_000) {
                after[gpu] = 0;
                wanted--;
            }
        }
        known.score[rank] = score(nodes, rank, request, after);
    }

    private void evaluateShare(PaperNodes nodes, int rank, PaperRequest request, Known known) {
        int[] left = nodes.left[rank];
        int[] after = left.clone();
        byte best = -1;
        for (int gpu = 0; gpu < left.length; gpu++) {
            if (left[gpu] < request.gpuMillis() || seenBefore(left, gpu)) {
                continue;
            }
            after[gpu] -= request.gpuMillis();
            byte score = score(nodes, rank, request, after);
            after[gpu] = left[gpu];
            if (score > best) {
                best = score;
                known.gpu[rank] = (byte) gpu;
            }
        }
        known.score[rank] = best;
    }

    /** A GPU with as much left as an earlier one cannot score better. */
    private static boolean seenBefore(int[] left, int gpu) {
        return Arrays.stream(left, 0, gpu).anyMatch(millis -> millis == left[gpu]);
    }

    private byte score(PaperNodes nodes, int rank, PaperRequest request, int[] after) {
        double removed = now(nodes, rank)
                - fragmentation.of(nodes.model[rank], nodes.cpuLeft[rank] - request.cpuMillis(), after);
        return (byte) (100 * (1 / (1 + StrictMath.exp(-removed / 1_000))));
    }

    private double now(PaperNodes nodes, int rank) {
        if (nowVersion[rank] != nodes.version[rank]) {
            nowVersion[rank] = nodes.version[rank];
            now[rank] = fragmentation.of(nodes.model[rank], nodes.cpuLeft[rank], nodes.left[rank]);
        }
        return now[rank];
    }
}
