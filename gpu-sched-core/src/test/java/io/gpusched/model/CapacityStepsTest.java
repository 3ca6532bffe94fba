package io.gpusched.model;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** How amounts of a node are rounded, so that machines of one kind come out equal. */
class CapacityStepsTest {
    @Property
    void roundUp_turnsNothingAwayAndAddsLessThanASixteenth(
            @ForAll @LongRange(min = 0, max = 1L << 35) long cpu,
            @ForAll @LongRange(min = 0, max = 1L << 35) long memory,
            @ForAll @LongRange(min = 0, max = 1L << 50) long nics) {
        Resources exact = Resources.of(cpu, memory).with("example.com/nic", nics);
        Resources rounded = CapacitySteps.roundUp(exact);
        assertThat(exact.fitsIn(rounded)).isTrue();
        assertThat(rounded.cpuMillis() - cpu).isLessThanOrEqualTo(cpu / 16);
        assertThat(rounded.named().amount("example.com/nic")).isLessThan(Math.max(2, 2 * nics));
        assertThat(CapacitySteps.roundUp(rounded)).isEqualTo(rounded);
    }

    @Test
    void wholeCores_stayAsTheyAre_andNearlyWholeOnesJoinThem() {
        assertThat(CapacitySteps.roundUp(Resources.of(64_000, 524_288))).isEqualTo(Resources.of(64_000, 524_288));
        assertThat(CapacitySteps.roundUp(Resources.of(63_500, 515_000))).isEqualTo(Resources.of(64_000, 524_288));
    }
}
