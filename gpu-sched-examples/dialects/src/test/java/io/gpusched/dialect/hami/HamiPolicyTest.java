package io.gpusched.dialect.hami;

import static io.gpusched.dialect.vgpu.Vgpus.gpu;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuSelector;
import io.gpusched.dialect.vgpu.Vgpus;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HamiPolicyTest {
    /** In the list's order: scores 5, 1, 3, 3; NUMA 0, 1, 0, 1; users 2, 0, 1, 0. */
    private static final List<VgpuDevice> GPUS =
            List.of(gpu("g0", 0, 2, 0, 0), gpu("g1", 1, 0, 0, 0), gpu("g2", 0, 1, 0, 0), gpu("g3", 1, 0, 0, 0));

    private static final Map<String, Double> SCORES = Map.of("g0", 5.0, "g1", 1.0, "g2", 3.0, "g3", 3.0);

    private static String order(String policy, boolean numaBind) {
        List<String> ids = GPUS.stream()
                .sorted(HamiGpuPolicy.parse(policy).order(gpu -> SCORES.getOrDefault(gpu.id(), 0.0), numaBind))
                .map(VgpuDevice::id)
                .toList();
        return String.join(" ", ids);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "binpack|g1 g2 g3 g0",
                "spread|g0 g2 g3 g1",
                "''|g0 g2 g3 g1",
                "no-such-policy|g0 g2 g3 g1",
                "mutex|g0 g2 g1 g3",
                "topology-aware|g0 g2 g3 g1",
                "numa|g0 g2 g1 g3",
                "numa,binpack|g2 g0 g1 g3",
                "binpack,mutex|g1 g2 g3 g0",
                "mutex,topology-aware|g0 g2 g3 g1",
                " spread , numa |g0 g2 g3 g1"
            })
    void gpusAreTakenFromTheEndOfThisOrder(String policy, String order) {
        assertThat(order(policy, false)).isEqualTo(order);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"binpack|g1 g3 g2 g0", "spread|g0 g2 g3 g1", "binpack,spread|g2 g0 g1 g3"})
    void numaBind_keepsGpusOfANumaNodeTogether(String policy, String order) {
        assertThat(order(policy, true)).isEqualTo(order);
    }

    @Test
    void gpuScore_addsTheRequestAndWeighsTheThreeParts() {
        VgpuDevice gpu = gpu("g0", 0, 1, 1_600, 90);
        List<VgpuRequest> asked = List.of(new VgpuRequest(3, gpu.type(), 0, OptionalInt.of(40), 0));
        assertThat(HamiWeights.EQUAL.score(gpu, asked)).isEqualTo(10 * (0.2 + 0.9 + 0.5));
        assertThat(new HamiWeights(0, 0, 2).score(gpu, asked)).isEqualTo(10.0);
    }

    @Test
    void gpuScore_leavesOutRequestsWhoseTypeIsOnlyAPartOfTheGpus() {
        VgpuDevice gpu = gpu("g0", 0, 1, 1_600, 90);
        assertThat(gpu.type()).isEqualTo("NVIDIA-A100");
        assertThat(HamiWeights.EQUAL.score(gpu, List.of(Vgpus.askPercent(3, 40, 0))))
                .isEqualTo(HamiWeights.EQUAL.score(gpu, List.of()));
    }

    @ParameterizedTest
    @CsvSource({"hami-core,true", "'mig,hami-core',true", "mig,false", "hami,false", "'',false", "' , ',false"})
    void aModeThatIsAskedFor_mustNameTheGpusMode(String asked, boolean accepted) {
        HamiPodRules rules = HamiPodRules.of(Map.of(HamiPodRules.MODE, asked));
        assertThat(rules.acceptsMode("hami-core")).isEqualTo(accepted);
        assertThat(rules.acceptsMode("")).isTrue();
    }

    @Test
    void aListOfCommasAsksForNothingThatThereIs_andRefusesNothing() {
        VgpuSelector nothing = VgpuSelector.of(" , ", null);
        assertThat(nothing.acceptsType("NVIDIA-A100")).isFalse();
        assertThat(nothing.acceptsUuid("GPU-1")).isFalse();
        assertThat(nothing.acceptsUuid("")).isFalse();
        assertThat(VgpuSelector.of(null, ",").acceptsUuid("GPU-1")).isTrue();
    }

    @Test
    void nodeScore_isWhatIsInUseBeforeTheRequest() {
        assertThat(HamiPodRules.fullness(List.of(gpu("g0"), gpu("g1", 0, 5, 8_000, 50))))
                .isEqualTo(7.5);
        assertThat(HamiPodRules.fullness(List.of())).isZero();
    }

    @Test
    void weights_areReadFromTheAnnotation() {
        assertThat(HamiWeights.parse(" memory = 3 ,slot=1, core=0")).isEqualTo(new HamiWeights(1, 0, 3));
        assertThat(HamiWeights.parse(null)).isEqualTo(HamiWeights.EQUAL);
    }

    /** The words are HAMi's, and so is the order in which it looks: entry by entry, the sum at last. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|expected slot, core, and memory weights",
                "slot=1,core=1|expected slot, core, and memory weights",
                "slot=1,core=1,memory=1,memory=1|expected slot, core, and memory weights",
                "slot,core,memory|expected key=value entries",
                "slot=1,slot=1,memory=1|duplicate \"slot\" weight",
                "slot=1,core=1,memory=x|\"memory\" weight must be an integer",
                "slot=1,core=,memory=1|\"core\" weight must be an integer",
                "slot=1,core=1.5,memory=1|\"core\" weight must be an integer",
                "slot=9223372036854775808,core=1,memory=1|\"slot\" weight must be an integer",
                "slot=1,core=\u0661,memory=1|\"core\" weight must be an integer",
                "slot=-1,core=1,memory=3|\"slot\" weight must not be negative",
                "slot=1,core=-2,memory=3|\"core\" weight must not be negative",
                "slot=1,core=1,memory=-1|\"memory\" weight must not be negative",
                "slot=1,core=1,disk=1|unknown weight \"disk\"",
                "slot=1,core=1,disk=-1|\"disk\" weight must not be negative",
                "slot=0,core=0,memory=0|at least one weight must be positive",
            })
    void weights_thatAreIncompleteOrOutOfRange_areAnErrorInHamisWords(String annotation, String words) {
        assertThatThrownBy(() -> HamiWeights.parse(annotation))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("invalid hami.io/device-scoring-weights annotation \"" + annotation + "\": " + words);
    }

    @ParameterizedTest
    @CsvSource({"true,true", "1,true", "T,true", "false,false", "yes,false", "'',false"})
    void numaBind_isReadAsGoReadsTruthValues(String text, boolean bound) {
        assertThat(HamiPodRules.of(Map.of("nvidia.com/numa-bind", text)).numaBind())
                .isEqualTo(bound);
    }

    @ParameterizedTest
    @CsvSource({
        "a10,'',true",
        "V100,'',false",
        "'',A100,false",
        "A100,A100,false",
        "'V100,','',false",
        "'','V100,',true",
        "'  ','  ',true",
        "'V100, A100','',true"
    })
    void types_matchPartsOfNames_andRefusalsWin(String use, String nouse, boolean accepted) {
        assertThat(VgpuSelector.of(use, nouse).acceptsType("NVIDIA-A100")).isEqualTo(accepted);
    }
}
