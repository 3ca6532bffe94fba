package io.gpusched.dialect.hami;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.dialect.vgpu.Vgpus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HamiQuotaTest {
    private static final HamiQuota QUOTA = HamiQuota.of(
            Map.of("limits.nvidia.com/gpumem", 2_048L, "limits.nvidia.com/gpucores", 100L), HamiSettings.DEFAULT);

    private static VgpuShare share(String gpu, long memory, long cores) {
        return new VgpuShare(gpu, "NVIDIA", memory, cores);
    }

    @Test
    void whatIsUsedCounts_andTheBoundItselfIsAllowed() {
        assertThat(QUOTA.admits(2_048, 100)).isTrue();
        assertThat(QUOTA.admits(2_049, 100)).isFalse();
        assertThat(QUOTA.admits(2_048, 101)).isFalse();
        assertThat(QUOTA.withUsed(48, 0).admits(2_001, 0)).isFalse();
    }

    @Test
    void zeroBlocks_andNoKeyIsNoBound() {
        HamiQuota none = HamiQuota.of(Map.of("limits.nvidia.com/gpumem", 0L), HamiSettings.DEFAULT);
        assertThat(none.admits(1, 0)).isFalse();
        assertThat(none.admits(0, 1_000_000)).isTrue();
        assertThat(HamiQuota.NONE.admits(Integer.MAX_VALUE, Integer.MAX_VALUE)).isTrue();
    }

    @Test
    void memoryIsCountedInTheInstallationsUnit() {
        HamiQuota factor =
                HamiQuota.of(Map.of("limits.nvidia.com/gpumem", 10L), HamiSettings.DEFAULT.withDefaults(256, 0, 0));
        assertThat(factor.admits(2_560, 0)).isTrue();
        assertThat(factor.admits(2_561, 0)).isFalse();
    }

    @Test
    void initContainersCountByTheirPeak_perGpu() {
        assertThat(QUOTA.admits(2, List.of(List.of(share("a", 1_500, 1)), List.of(share("a", 1_500, 1)))))
                .isTrue();
        assertThat(QUOTA.admits(1, List.of(List.of(share("a", 1_500, 1)), List.of(share("b", 600, 1)))))
                .isFalse();
    }

    @Test
    void atCreation_amountsCountForEachGpuAskedFor() {
        assertThat(QUOTA.admitsAsked(List.of(), List.of(Vgpus.ask(2, 1_024, 50))))
                .isTrue();
        assertThat(QUOTA.admitsAsked(List.of(), List.of(Vgpus.ask(2, 1_025, 50))))
                .isFalse();
        assertThat(QUOTA.admitsAsked(List.of(Vgpus.ask(2, 1_025, 1)), List.of()))
                .isFalse();
    }

    @Test
    void collapse_takesPeakOrSum_eachOnItsOwn() {
        List<List<VgpuShare>> containers = List.of(
                List.of(share("b", 500, 10)),
                List.of(share("a", 1, 1)),
                List.of(share("b", 100, 20)),
                List.of(share("b", 100, 20)));
        assertThat(VgpuUsage.collapse(2, containers))
                .containsExactly(new VgpuUsage("a", 1, 1, 1), new VgpuUsage("b", 500, 40, 2));
    }
}
