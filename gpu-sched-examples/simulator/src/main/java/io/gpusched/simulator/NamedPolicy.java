package io.gpusched.simulator;

import io.gpusched.simulator.trace.Workload;
import java.util.Objects;

/**
 * A policy under the name it was asked for.
 *
 * @param name the name, as tables show it
 * @param factory makes a placer for each run
 */
public record NamedPolicy(String name, Factory factory) {
    /** Makes a placer for one run. Called from the thread that plays the run. */
    @FunctionalInterface
    public interface Factory {
        /** Returns a placer that no other run uses. */
        PodPlacer placer(Workload workload, ArrivalSequence arrivals, TypicalMix mix);
    }

    /** Checks that both are there. */
    public NamedPolicy {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(factory, "factory");
    }
}
