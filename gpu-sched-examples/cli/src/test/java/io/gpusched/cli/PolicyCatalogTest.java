package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpusched.simulator.ArrivalSequence;
import io.gpusched.simulator.NamedPolicy;
import io.gpusched.simulator.PodPlacer;
import io.gpusched.simulator.SchedulerPlacer;
import io.gpusched.simulator.TypicalMix;
import io.gpusched.simulator.paper.PaperPolicies;
import io.gpusched.simulator.trace.GeneratedWorkload;
import io.gpusched.simulator.trace.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParameterException;

class PolicyCatalogTest {
    private static final Workload WORKLOAD = GeneratedWorkload.of(1, 0.01, 1);

    private static PodPlacer placer(String name, boolean recordedOrder) {
        ArrivalSequence arrivals = ArrivalSequence.shuffled(WORKLOAD, 1, 1.3);
        return PolicyCatalog.of(name, recordedOrder)
                .factory()
                .placer(WORKLOAD, arrivals, TypicalMix.of(WORKLOAD.pods()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "random",
                "dot-product",
                "gpu-clustering",
                "gpu-packing",
                "best-fit",
                "fgd",
                "bin-pack",
                "spread",
                "first-fit",
                "default",
                "core:fgd"
            })
    void plainNames_areTheLibrarysOwn(String name) {
        assertThat(placer(name, false)).isInstanceOf(SchedulerPlacer.class);
        assertThat(PolicyCatalog.core(name, WORKLOAD, 1)).isNotNull();
    }

    @Test
    void paperNames_areThePapersForm() {
        for (String name : PaperPolicies.NAMES) {
            assertThat(placer(name, false)).as(name).isNotInstanceOf(SchedulerPlacer.class);
        }
    }

    @Test
    void recordedOrder_makesPlainNamesThePapersAndCoreNamesTheLibrarys() {
        assertThat(placer("fgd", true)).isNotInstanceOf(SchedulerPlacer.class);
        assertThat(placer("core:fgd", true)).isInstanceOf(SchedulerPlacer.class);
        assertThat(placer("bin-pack", true)).isInstanceOf(SchedulerPlacer.class);
    }

    @Test
    void names_areTakenOnceInTheirOrder() {
        assertThat(PolicyCatalog.named(null, List.of("fgd", " best-fit", "fgd ", "best-fit"), false))
                .extracting(NamedPolicy::name)
                .containsExactly("fgd", "best-fit");
        assertThat(PolicyCatalog.coreNames(null, List.of("spread", "spread", "random")))
                .containsExactly("spread", "random");
    }

    @Test
    void unknownNames_areRefusedWithAllThatAreKnown() {
        var spec = GpuSched.commandLine().getCommandSpec();
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> PolicyCatalog.named(spec, List.of("fgd", "nonsense"), false))
                .withMessageStartingWith("--policies: policy must be one of best-fit, bin-pack, default,")
                .withMessageEndingWith("fgd-paper, got \"nonsense\"");
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> PolicyCatalog.coreNames(spec, List.of("fgd-paper")))
                .withMessageStartingWith("--policies: policy must be one of the library's own: ")
                .withMessageEndingWith(", got \"fgd-paper\"");
    }
}
