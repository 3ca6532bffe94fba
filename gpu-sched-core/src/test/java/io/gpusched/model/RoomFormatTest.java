package io.gpusched.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Placed;
import io.gpusched.internal.Lanes;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
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

    @Test
    void memoryLevels_areToldFromThoseOfComputeAtTheBoundary() {
        GpuModel model = GpuModel.of("nvidia", "small", 1_000);
        Node node = Node.builder("n").capacity(8_000, 8_000).gpus(1, model).build();
        GpuScheduler scheduler = GpuScheduler.create();
        Resources little = Resources.of(100, 100);
        Pod first = Pod.of("first", little, GpuRequest.share(501, GpuMemory.mib(500)));
        Pod second = Pod.of("second", little, GpuRequest.share(0, GpuMemory.mib(500)));
        Cluster half = Cluster.of(List.of(node));
        half = half.with(((Placed) scheduler.schedule(half, first)).placement());
        assertThat(scheduler.schedule(half, second)).isInstanceOf(Placed.class);
    }
}
