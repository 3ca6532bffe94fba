package io.gpusched.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.tree.Lanes;
import io.gpusched.model.Resources;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class NodeSummaryEncoderTest {
    @Property
    void steps_growWithTheAmountAndAreAtMostASixteenThousandthOfTheCapacity(
            @ForAll @LongRange(max = Resources.MAX) long capacity,
            @ForAll @LongRange(max = Resources.MAX) long one,
            @ForAll @LongRange(max = Resources.MAX) long other) {
        long less = Math.min(one, other) % (capacity + 1);
        long more = Math.max(less, Math.max(one, other) % (capacity + 1));
        assertThat(NodeSummaryEncoder.steps(less, capacity)).isBetween(1L, NodeSummaryEncoder.steps(more, capacity));
        assertThat(NodeSummaryEncoder.steps(more, capacity)).isLessThanOrEqualTo(Lanes.MAX);
        if (more - less > capacity / 16_000) {
            assertThat(NodeSummaryEncoder.steps(less, capacity)).isLessThan(NodeSummaryEncoder.steps(more, capacity));
        }
    }

    @Test
    void steps_stayInRangeAroundPowersOfTwo() {
        for (long power = 1; power <= Resources.MAX; power *= 2) {
            for (long capacity = Math.max(0, power - 3); capacity < power + 3; capacity++) {
                assertThat(NodeSummaryEncoder.steps(capacity, capacity)).isBetween(1L, (long) Lanes.MAX);
            }
            long ones = power - power / 65_536;
            assertThat(NodeSummaryEncoder.steps(ones, ones)).isBetween(1L, (long) Lanes.MAX);
        }
    }
}
