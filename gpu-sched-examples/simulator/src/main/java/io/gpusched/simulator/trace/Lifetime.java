package io.gpusched.simulator.trace;

/**
 * When a pod came and how long it ran, by its trace.
 *
 * @param arrivalSeconds when it was asked for, in seconds since the start of the trace, at least 0
 * @param runSeconds how long it ran once it was placed, at least 0
 */
public record Lifetime(long arrivalSeconds, long runSeconds) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a time is negative
     */
    public Lifetime {
        if (arrivalSeconds < 0 || runSeconds < 0) {
            throw new IllegalArgumentException("lifetime: arrivalSeconds and runSeconds must be >= 0, got "
                    + arrivalSeconds + " and " + runSeconds);
        }
    }
}
