package io.gpusched.simulator.capacity;

import io.gpusched.simulator.replay.BlockBootstrap;
import io.gpusched.simulator.replay.Scenario;
import java.util.List;

/**
 * Which arrivals are replayed.
 *
 * @param seeds for each the arrivals that {@link BlockBootstrap} draws; none for the arrivals as they were
 * @param blockSeconds the length of its blocks
 */
public record Resampling(List<Long> seeds, long blockSeconds) {
    /** The arrivals as they were. */
    public static final Resampling NONE = new Resampling(List.of(), 1);

    /** Copies the list. */
    public Resampling {
        seeds = List.copyOf(seeds);
    }

    /** Returns the seeds of the runs; 0 stands for the arrivals as they were. */
    List<Long> runs() {
        return seeds.isEmpty() ? List.of(0L) : seeds;
    }

    Scenario of(Scenario scenario, long seed) {
        return seeds.isEmpty() ? scenario : BlockBootstrap.of(scenario, blockSeconds, seed);
    }
}
