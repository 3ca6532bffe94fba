package io.gpusched.bench;

import io.gpusched.decision.Diagnosis;
import org.openjdk.jmh.annotations.Benchmark;

/** How long does it take to say why there is no room, with every node under exactly one reason? */
public class DiagnosisBenchmark extends RefusedRequest {
    /** A refusal with its reasons. */
    @Benchmark
    public Diagnosis diagnose() {
        return refusals.next().diagnosis();
    }
}
