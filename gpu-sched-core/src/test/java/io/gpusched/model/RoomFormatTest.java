package io.gpusched.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.tree.Lanes;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class RoomFormatTest {
    @Property
    void steps_growWithTheAmountAndAreAtMostASixteenThousandthOfTheCapacity(
            @ForAll @LongRange(max = Resources.MAX) long capacity,
            @ForAll @LongRange(max = Resources.MAX) long one,
            @ForAll @LongRange(max = Resources.MAX) long other) {
        long less = Math.min(one, other) % (capacity + 1);
        long more = Math.max(less, Math.max(one, other) % (capacity + 1));
        assertThat(RoomFormat.steps(less, capacity)).isBetween(1L, RoomFormat.steps(more, capacity));
        assertThat(RoomFormat.steps(more, capacity)).isLessThanOrEqualTo(Lanes.MAX);
        if (more - less > capacity / 16_000) {
            assertThat(RoomFormat.steps(less, capacity)).isLessThan(RoomFormat.steps(more, capacity));
        }
    }

    @Test
    void steps_stayInRangeAroundPowersOfTwo() {
        for (long power = 1; power <= Resources.MAX; power *= 2) {
            for (long capacity = Math.max(0, power - 3); capacity < power + 3; capacity++) {
                assertThat(RoomFormat.steps(capacity, capacity)).isBetween(1L, (long) Lanes.MAX);
            }
            long ones = power - power / 65_536;
            assertThat(RoomFormat.steps(ones, ones)).isBetween(1L, (long) Lanes.MAX);
        }
    }
}
