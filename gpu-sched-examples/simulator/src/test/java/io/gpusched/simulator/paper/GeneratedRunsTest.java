package io.gpusched.simulator.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.simulator.ArrivalSequence;
import io.gpusched.simulator.Run;
import io.gpusched.simulator.RunListener;
import io.gpusched.simulator.RunResult;
import io.gpusched.simulator.TypicalMix;
import io.gpusched.simulator.trace.GeneratedWorkload;
import io.gpusched.simulator.trace.Workload;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The paper's policies on the generated workload: the numbers may change only with the workload. */
class GeneratedRunsTest {
    private static final Workload WORKLOAD = GeneratedWorkload.of(1, 0.1, 1);

    @ParameterizedTest
    @CsvSource({
        "random-paper,86.5,827",
        "dot-product-paper,86.55,788",
        "gpu-clustering-paper,88.65,808",
        "gpu-packing-paper,89.08,811",
        "best-fit-paper,91.14,825",
        "fgd-paper,92.99,839"
    })
    void run_onTheGeneratedWorkloadIsKnown(String policy, double allocated, int placed) {
        ArrivalSequence arrivals = ArrivalSequence.shuffled(WORKLOAD, 42, 1.3);
        TypicalMix mix = TypicalMix.of(WORKLOAD.pods());
        RunResult result = Run.play(
                WORKLOAD,
                policy,
                arrivals,
                mix,
                PaperPolicies.placer(policy, WORKLOAD, arrivals, mix),
                RunListener.NONE);
        assertThat(result.at(100).allocatedPercent() + " % allocated, "
                        + result.at(130).placed() + " placed")
                .isEqualTo(allocated + " % allocated, " + placed + " placed");
    }
}
