package io.gpusched.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.partition.MigGeometry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every kind of request answers to the questions that are asked of all. */
class GpuRequestTest {
    private static final Gpu GPU = Gpu.of(3, "gpu-3", GpuModel.of("nvidia", "A100", 40_000));
    private static final Gpu CUT_ON_DEMAND = GPU.withPartitions(MigGeometry.A100_40GB.geometry());

    @Test
    void wholeRequestsTakeAllOfAGpu() {
        for (GpuRequest request : List.of(GpuRequest.exclusive(2), GpuRequest.wholeNode())) {
            assertThat(taken(request)).containsExactly(GPU.computeMillis(), GPU.memoryMib(), GPU.slots());
            assertThat(request.takesWhole()).isTrue();
            assertThat(request.takesPart() || request.takesPartitions()).isFalse();
            assertThat(asked(request)).containsExactly(0, 0L, 0);
        }
    }

    @Test
    void nothingTakesNothing() {
        assertThat(taken(GpuRequest.none())).containsExactly(0, 0L, 0);
        assertThat(GpuRequest.none().takesWhole()).isFalse();
        assertThat(GpuRequest.none().takesPart()).isFalse();
        assertThat(GpuRequest.none().isNone()).isTrue();
    }

    @Test
    void aShareTakesWhatItAsksForAndAPercentageFollowsTheGpu() {
        GpuRequest fixed = GpuRequest.share(300, GpuMemory.mib(5_000)).withSlots(2);
        assertThat(taken(fixed)).containsExactly(300, 5_000L, 2);
        assertThat(asked(fixed)).containsExactly(300, 5_000L, 2);
        assertThat(fixed.takesPart()).isTrue();
        assertThat(taken(GpuRequest.percent(25))).containsExactly(250, 10_000L, 1);
        assertThat(asked(GpuRequest.percent(25))).containsExactly(250, 0L, 1);
    }

    @Test
    void aPartitionTakesWhatItsProfileSays() {
        GpuRequest partition = GpuRequest.partition("3g.20gb", 1);
        assertThat(partition.takesPartitions()).isTrue();
        assertThat(partition.takesPart() || partition.takesWhole()).isFalse();
        assertThat(partition.memoryMibOn(CUT_ON_DEMAND)).isEqualTo(19_968);
        assertThat(partition.fitsOnIdle(CUT_ON_DEMAND)).isTrue();
        assertThat(partition.fitsOnIdle(GPU)).as("a GPU without partitions").isFalse();
        assertThat(GpuRequest.partition("3g.40gb", 1).fitsOnIdle(CUT_ON_DEMAND)).isFalse();
    }

    @Test
    void aRequestFitsOnAnIdleGpuUpToAllOfItsComputeMemoryAndSlots() {
        assertThat(GpuRequest.exclusive(1).fitsOnIdle(GPU)).isTrue();
        GpuRequest.Share all = GpuRequest.share(1_000, GpuMemory.mib(40_000)).withSlots(GPU.slots());
        assertThat(all.fitsOnIdle(GPU)).isTrue();
        assertThat(all.withSlots(GPU.slots() + 1).fitsOnIdle(GPU)).isFalse();
        assertThat(GpuRequest.share(1_001, GpuMemory.none()).fitsOnIdle(GPU)).isFalse();
        assertThat(GpuRequest.share(1, GpuMemory.mib(40_001)).fitsOnIdle(GPU)).isFalse();
    }

    @Test
    void aChoiceSaysWhatHoldsOfAllItsAlternatives() {
        GpuRequest.Share share = GpuRequest.share(300, GpuMemory.mib(5_000)).withSlots(2);
        GpuRequest choice = GpuRequest.firstOf(GpuRequest.exclusive(2), share);
        assertThat(choice.count()).isEqualTo(1);
        assertThat(taken(choice)).isEqualTo(taken(share));
        assertThat(choice.takesPart() || choice.takesWhole()).isFalse();
        assertThat(choice.fitsOnIdle(GPU)).isTrue();
        assertThat(choice.alternatives()).containsExactly(GpuRequest.exclusive(2), share);
        assertThat(GpuRequest.firstOf(share, share.withCount(2)).computeMillis())
                .isEqualTo(300);
        GpuRequest partitions =
                GpuRequest.firstOf(GpuRequest.partition("3g.20gb", 1), GpuRequest.partition("1g.5gb", 1));
        assertThat(partitions.takesPartitions()).isTrue();
        assertThat(partitions.fitsOnIdle(GPU)).isFalse();
    }

    @Test
    void modelsWithoutNames_areAnError() {
        assertThatThrownBy(GpuSelector::models).hasMessageContaining("models must be named, got none");
    }

    /** Compute, memory and slots of the GPU. */
    private static List<Number> taken(GpuRequest request) {
        return List.of(request.computeMillisOn(GPU), request.memoryMibOn(GPU), request.slotsOn(GPU));
    }

    /** Compute, memory and slots whatever the GPU. */
    private static List<Number> asked(GpuRequest request) {
        return List.of(request.computeMillis(), request.memory().on(0), request.slots());
    }
}
