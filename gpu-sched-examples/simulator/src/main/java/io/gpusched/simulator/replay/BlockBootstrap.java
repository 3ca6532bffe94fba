package io.gpusched.simulator.replay;

import io.gpusched.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/**
 * Other arrivals of the same kind: the time of a scenario is cut into blocks, and as many are drawn with replacement and put one after
 * the other, each with the jobs that arrive in it. Within a block arrivals depend on each other as they did; a day keeps its night.
 *
 * <p>Künsch, "The jackknife and the bootstrap for general stationary observations", Annals of Statistics 17, 1989; here of blocks that do
 * not overlap.
 */
public final class BlockBootstrap {
    private BlockBootstrap() {}

    /**
     * Returns a scenario of drawn blocks; equal arguments give equal scenarios. Jobs are named after the block.
     *
     * @param blockSeconds the length of a block, at least 1; the last block may be shorter
     */
    public static Scenario of(Scenario scenario, long blockSeconds, long seed) {
        if (blockSeconds < 1) {
            throw new IllegalArgumentException("bootstrap: blockSeconds must be at least 1, got " + blockSeconds);
        }
        List<List<TraceJob>> blocks = blocks(scenario, blockSeconds);
        RandomGenerator random = new Well19937c(seed);
        List<TraceJob> drawn = new ArrayList<>();
        long start = 0;
        for (int i = 0; i < blocks.size(); i++) {
            int from = random.nextInt(blocks.size());
            for (TraceJob job : blocks.get(from)) {
                long within = job.lifetime().arrivalSeconds() - from * blockSeconds;
                drawn.add(job.withName(job.name() + "-b" + i).at(start + within));
            }
            start += Math.min(blockSeconds, scenario.spanSeconds() + 1 - from * blockSeconds);
        }
        return scenario.withJobs(drawn);
    }

    private static List<List<TraceJob>> blocks(Scenario scenario, long seconds) {
        List<List<TraceJob>> blocks = new ArrayList<>();
        for (long from = 0; from <= scenario.spanSeconds(); from += seconds) {
            blocks.add(new ArrayList<>());
        }
        for (TraceJob job : scenario.jobs()) {
            blocks.get((int) (job.lifetime().arrivalSeconds() / seconds)).add(job);
        }
        return blocks;
    }
}
