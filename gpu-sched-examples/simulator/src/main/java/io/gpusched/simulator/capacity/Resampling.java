package io.gpusched.simulator.capacity;

import io.gpusched.simulator.replay.BlockBootstrap;
import io.gpusched.simulator.replay.Scenario;
import java.util.List;

/**
 * Which arrivals are replayed.
 *
 * @param seeds for each the arrivals that {@link BlockBootstrap} draws; none for the arrivals as they were
 * @param blockSeconds the length of its blocks, at least 1; 0 for a day, or a thirtieth of the list where that is shorter
 */
public record Resampling(List<Long> seeds, long blockSeconds) {
    /** The arrivals as they were. */
    public static final Resampling NONE = new Resampling(List.of(), 0);

    /** Intervals from fewer blocks than this are not to be relied on. */
    public static final int FEW_BLOCKS = 20;

    private static final long DAY_SECONDS = 86_400;
    private static final int USUAL_BLOCKS = 30;

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if the length is negative
     */
    public Resampling {
        seeds = List.copyOf(seeds);
        if (blockSeconds < 0) {
            throw new IllegalArgumentException("resampling: blockSeconds must be at least 0, got " + blockSeconds);
        }
    }

    /** Returns the seeds of the runs; 0 stands for the arrivals as they were. */
    List<Long> runs() {
        return seeds.isEmpty() ? List.of(0L) : seeds;
    }

    Scenario of(Scenario scenario, long seed) {
        return seeds.isEmpty() ? scenario : BlockBootstrap.of(scenario, blockSeconds(scenario), seed);
    }

    /** Returns the length of a block for a list. */
    public long blockSeconds(Scenario scenario) {
        return blockSeconds > 0
                ? blockSeconds
                : Math.max(1, Math.min(DAY_SECONDS, (scenario.spanSeconds() + 1) / USUAL_BLOCKS));
    }

    /** Returns of how many blocks a list is; 0 if arrivals are replayed as they were. */
    public int blocks(Scenario scenario) {
        return seeds.isEmpty() ? 0 : (int) (scenario.spanSeconds() / blockSeconds(scenario)) + 1;
    }
}
