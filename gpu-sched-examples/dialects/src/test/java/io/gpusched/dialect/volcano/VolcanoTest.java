package io.gpusched.dialect.volcano;

import static io.gpusched.dialect.vgpu.Vgpus.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VolcanoTest {
    @Test
    void aGpuWithoutUuid_matchesNoConstraint() {
        VolcanoPodRules deny = VolcanoPodRules.of("default", Map.of("volcano.sh/vgpu-nouse-gpuuuid", "g7,"));
        assertThat(deny.acceptsUuid("")).isFalse();
        assertThat(deny.acceptsUuid("g1")).isTrue();
        assertThat(VolcanoPodRules.DEFAULT.acceptsUuid("")).isTrue();
    }

    @Test
    void requests_percentWinsOverMemory_andMemoryAloneAsksForOneGpu() {
        assertThat(VolcanoRequests.parse(Map.of(VolcanoRequests.MEMORY, "3000"), Map.of()))
                .hasValue(ask(1, 3_000, 0));
        assertThat(VolcanoRequests.parse(
                        Map.of(VolcanoRequests.NUMBER, "2", VolcanoRequests.MEMORY, "3000"),
                        Map.of(VolcanoRequests.PERCENTAGE, "40", VolcanoRequests.CORES, "20")))
                .hasValue(new VgpuRequest(2, "NVIDIA", 0, OptionalInt.of(40), 20));
        assertThat(VolcanoRequests.parse(
                        Map.of(VolcanoRequests.NUMBER, "1", VolcanoRequests.PERCENTAGE, "101"), Map.of()))
                .hasValue(new VgpuRequest(1, "NVIDIA", 0, OptionalInt.of(100), 0));
        assertThat(VolcanoRequests.parse(Map.of("cpu", "1"), Map.of(VolcanoRequests.NUMBER, "1")))
                .isEmpty();
        assertThatThrownBy(() -> VolcanoRequests.parse(Map.of(VolcanoRequests.NUMBER, "1.5"), Map.of()))
                .hasMessageContaining(VolcanoRequests.NUMBER);
    }

    @Test
    void registration_isRead_orRefusedWithTheRecord() {
        List<VgpuDevice> gpus = VolcanoRegistration.parse("u0,10,12288,NVIDIA-TITAN Xp,true:u1,10,1,NVIDIA,false,mig:");
        assertThat(gpus).extracting(VgpuDevice::id).containsExactly("u0", "u1");
        assertThat(gpus.get(0).memoryMib().total()).isEqualTo(12_288);
        assertThat(gpus.get(1).mode()).isEqualTo("mig");
        assertThatThrownBy(() -> VolcanoRegistration.parse("u0,10,x,NVIDIA,true:"))
                .hasMessageContaining("u0,10,x");
    }

    @ParameterizedTest
    @CsvSource({
        "A100,A100,true",
        "V100,,false",
        "'V100,',,true",
        "'','A100',true",
        ",A100,false",
        ",'V100,',false",
        ",V100,true",
        "' a100',,false",
        ",,true"
    })
    void types_thatAreAskedForPassOverThoseRefused_andAnEmptyNameIsPartOfEveryType(
            @Nullable String use, @Nullable String nouse, boolean accepted) {
        Map<String, String> annotations = new HashMap<>();
        if (use != null) {
            annotations.put("nvidia.com/use-gputype", use);
        }
        if (nouse != null) {
            annotations.put("nvidia.com/nouse-gputype", nouse);
        }
        assertThat(VolcanoPodRules.of("default", annotations).types().acceptsType("NVIDIA-A100"))
                .isEqualTo(accepted);
    }

    @Test
    void uuids_commasWithoutANameAskForNothingInParticular() {
        VolcanoPodRules rules = VolcanoPodRules.of("default", Map.of("volcano.sh/vgpu-use-gpuuuid", " , "));
        assertThat(rules.acceptsUuid("GPU-0")).isTrue();
        assertThat(rules.acceptsUuid("")).isTrue();
    }
}
