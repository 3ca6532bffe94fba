package io.gpusched.bench;

import io.gpusched.decision.Certainty;
import org.openjdk.jmh.annotations.Benchmark;

/** How long does a proven no take in a nearly full cluster? */
public class RefusalBenchmark extends RefusedRequest {
    /** A decision, without its reasons. */
    @Benchmark
    public Certainty refuse() {
        return refusals.next().certainty();
    }
}
