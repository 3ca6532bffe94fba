package io.gpusched.dialect.hami;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.Vgpus;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HamiRequestsTest {
    private static final String GPU = "nvidia.com/gpu";
    private static final String MEMORY = "nvidia.com/gpumem";
    private static final String PERCENT = "nvidia.com/gpumem-percentage";
    private static final String CORES = "nvidia.com/gpucores";
    private static final HamiRequests STRICT = HamiRequests.of(HamiSettings.DEFAULT);
    private static final HamiRequests LENIENT = HamiRequests.of(HamiSettings.DEFAULT.withLenient(true));

    private static VgpuRequest parse(HamiRequests reader, Map<String, String> limits) {
        return reader.parse(limits, Map.of()).orElseThrow();
    }

    @Test
    void withoutMemory_theWholeMemoryIsAskedFor() {
        assertThat(parse(STRICT, Map.of(GPU, "2"))).isEqualTo(new VgpuRequest(2, "NVIDIA", 0, OptionalInt.of(100), 0));
    }

    @Test
    void withoutACount_noGpuIsAskedFor() {
        assertThat(STRICT.parse(Map.of(MEMORY, "1000"), Map.of())).isEmpty();
        assertThat(STRICT.parse(Map.of(GPU, "0"), Map.of())).isEmpty();
    }

    @Test
    void limitsCountBeforeRequests() {
        assertThat(STRICT.parse(Map.of(GPU, "1"), Map.of(GPU, "3", CORES, "20")).orElseThrow())
                .isEqualTo(new VgpuRequest(1, "NVIDIA", 0, OptionalInt.of(100), 20));
    }

    @Test
    void memoryIsMultipliedByTheFactor_andDefaultsApplyWhereNothingIsAsked() {
        HamiRequests reader = HamiRequests.of(HamiSettings.DEFAULT.withDefaults(2, 512, 25));
        assertThat(parse(reader, Map.of(GPU, "1", MEMORY, "1000"))).isEqualTo(Vgpus.ask(1, 2_000, 25));
        assertThat(parse(reader, Map.of(GPU, "1", PERCENT, "0"))).isEqualTo(Vgpus.ask(1, 512, 25));
    }

    @ParameterizedTest
    @ValueSource(strings = {"16Gi", "1.5", "3.0", "2147483648", "-1", "many", ""})
    void memoryThatIsNoWholeNumberInRange_isRefused_orVoidsTheRequestAsInHami(String memory) {
        Map<String, String> limits = Map.of(GPU, "1", MEMORY, memory);
        assertThatThrownBy(() -> parse(STRICT, limits))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(MEMORY);
        assertThat(LENIENT.parse(limits, Map.of())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1Ki,2048", "1e3,2000", "1073741823,2147483646"})
    void whereAMemoryFactorIsSet_everyPlainAmountIsMultiplied(String memory, long multiplied) {
        HamiSettings factor = HamiSettings.DEFAULT.withDefaults(2, 0, 0);
        assertThat(parse(HamiRequests.of(factor), Map.of(GPU, "1", MEMORY, memory))
                        .memoryMib())
                .isEqualTo(multiplied);
    }

    @Test
    void whereAMemoryFactorIsSet_anAmountWhoseMultipleIsTooLargeIsNoRequest() {
        HamiSettings factor = HamiSettings.DEFAULT.withDefaults(2, 0, 0);
        Map<String, String> limits = Map.of(GPU, "1", MEMORY, "1Gi");
        assertThatThrownBy(() -> HamiRequests.of(factor).parse(limits, Map.of()))
                .hasMessageContaining("must be in 0..1073741823, got 1073741824");
        assertThat(HamiRequests.of(factor.withLenient(true)).parse(limits, Map.of()))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.0", "0.5", "1000m", "1.5Ki", "1e-3"})
    void lenient_takesAnAmountThatIsNotPlainAsIfItWereNotThere(String amount) {
        assertThat(parse(LENIENT, Map.of(GPU, "2", PERCENT, amount, CORES, amount)))
                .isEqualTo(Vgpus.askPercent(2, 100, 0));
        assertThat(LENIENT.parse(Map.of(GPU, amount), Map.of())).isEmpty();
    }

    @Test
    void theErrorOfAUnitTellsWhatToWrite() {
        assertThatThrownBy(() -> parse(STRICT, Map.of(GPU, "1", MEMORY, "16Gi")))
                .hasMessageContaining("0..2147483647")
                .hasMessageContaining("Maybe it was written with a unit");
    }

    @ParameterizedTest
    @CsvSource({"150,100", "101,100", "4294967346,100", "-1,100", "0,100", "37,37"})
    void lenient_readsPercentagesAsHamiDoes(String asked, int read) {
        assertThat(parse(LENIENT, Map.of(GPU, "1", PERCENT, asked)).memoryPercent())
                .hasValue(read);
    }

    @ParameterizedTest
    @CsvSource({PERCENT + ",101", PERCENT + ",-1", CORES + ",101", CORES + ",-5", GPU + ",-2"})
    void strict_refusesWhatIsOutOfRange(String resource, String amount) {
        Map<String, String> limits = new java.util.HashMap<>(Map.of(GPU, "1"));
        limits.put(resource, amount);
        assertThatThrownBy(() -> parse(STRICT, limits))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(resource)
                .hasMessageContaining(amount);
    }
}
