package io.gpusched.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What requests say of themselves, and how one is made from another. */
class GpuRequestTest {
    private static final Gpu GPU = Gpu.of(3, "gpu-3", GpuModel.of("nvidia", "A100", 40_000));
    private static final GpuSelector A100 = GpuSelector.models("A100");

    @Test
    void nothingNeedsNoGpuAndAcceptsAny() {
        assertThat(GpuRequest.none().isNone()).isTrue();
        assertThat(GpuRequest.none().count()).isZero();
        assertThat(GpuRequest.none().withSelector(A100)).isEqualTo(GpuRequest.none());
    }

    @Test
    void aShareTakesWhatItAsksForAndAPercentageFollowsTheGpu() {
        GpuRequest.Share fixed = GpuRequest.share(300, GpuMemory.mib(5_000)).withSlots(2);
        assertThat(fixed.on(GPU)).isEqualTo(new GpuShare(3, 300, 5_000, 2));
        assertThat(GpuRequest.percent(25).on(GPU)).isEqualTo(new GpuShare(3, 250, 10_000, 1));
    }

    @Test
    void aRequestWithAnotherSelector_asksForTheSameOfOtherGpus() {
        for (GpuRequest request : List.of(
                GpuRequest.exclusive(2),
                GpuRequest.percent(30).withCount(2),
                GpuRequest.partition("1g.5gb", 2),
                GpuRequest.wholeNode())) {
            GpuRequest of = request.withSelector(A100);
            assertThat(of.selector()).isEqualTo(A100);
            assertThat(of.count()).isEqualTo(request.count());
            assertThat(of.withSelector(GpuSelector.ANY)).isEqualTo(request);
            assertThat(of.withAffinity(GpuAffinity.requiring(GpuAffinity.Bond.NUMA_NODE))
                            .selector())
                    .isEqualTo(A100.withAffinity(GpuAffinity.requiring(GpuAffinity.Bond.NUMA_NODE)));
        }
    }

    @Test
    void ofAlternativesEachSpeaksForItself_andTheyNeedAtLeastTheFewestGpus() {
        GpuRequest.Share share = GpuRequest.share(300, GpuMemory.mib(5_000)).withSlots(2);
        GpuRequest choice = GpuRequest.firstOf(GpuRequest.exclusive(2, A100), share);
        assertThat(choice.count()).isEqualTo(1);
        assertThat(choice.selector()).isEqualTo(GpuSelector.ANY);
        assertThat(choice.alternatives()).containsExactly(GpuRequest.exclusive(2, A100), share);
        assertThat(choice.withSelector(A100))
                .isEqualTo(GpuRequest.firstOf(GpuRequest.exclusive(2, A100), share.withSelector(A100)));
    }

    @Test
    void alternativesThatBecomeEqual_areOneRequest() {
        GpuRequest choice =
                GpuRequest.firstOf(GpuRequest.exclusive(2, A100), GpuRequest.exclusive(2, GpuSelector.models("H100")));
        assertThat(choice.withSelector(GpuSelector.ANY)).isEqualTo(GpuRequest.exclusive(2));
    }

    @Test
    void modelsWithoutNames_areAnError() {
        assertThatThrownBy(GpuSelector::models).hasMessageContaining("models must be named, got none");
    }
}
