package io.gpusched.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "4, 4",
        "500m, 0.5",
        "7u, 0.000007",
        "7n, 0.000000007",
        "2k, 2000",
        "2M, 2000000",
        "2G, 2000000000",
        "2T, 2000000000000",
        "2P, 2000000000000000",
        "2E, 2000000000000000000",
        "2Ki, 2048",
        "2Mi, 2097152",
        "2Gi, 2147483648",
        "2Ti, 2199023255552",
        "2Pi, 2251799813685248",
        "2Ei, 2305843009213693952",
        "1.5Gi, 1610612736",
        ".5, 0.5",
        "2e3, 2000",
        "2E3, 2000",
        "' 4 ', 4"
    })
    void anAmount_isReadAsKubernetesWritesIt(String text, BigDecimal value) {
        assertThat(Quantity.parse(text).value()).isEqualByComparingTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "m", "-1", "1Xi", "1 Gi", "1mi", "0x10", "1e99999999", "1,5", "NaN", "Infinity", "1Gim"
            })
    void whatIsNoAmount_isAnErrorThatNamesIt(String text) {
        assertThatThrownBy(() -> Quantity.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got \"" + text + "\"");
    }

    @ParameterizedTest
    @CsvSource({"1, 1000", "0.0001, 1", "1500m, 1500", "1.0001, 1001", "0, 0"})
    void cpu_isRoundedUpToMilli(String text, long millis) {
        assertThat(Quantity.parse(text).millis()).isEqualTo(millis);
    }

    @ParameterizedTest
    @CsvSource({"1Mi, 1, 1", "1, 1, 0", "1048577, 2, 1", "0, 0, 0", "1Gi, 1024, 1024", "1G, 954, 953"})
    void bytes_areRoundedToMib(String text, long up, long down) {
        assertThat(Quantity.parse(text).mibCeiling()).isEqualTo(up);
        assertThat(Quantity.parse(text).mibFloor()).isEqualTo(down);
    }

    @Property
    void wholeNumbers_areExact_andFractionsAreNone(@ForAll @LongRange(min = 0) long number) {
        assertThat(Quantity.parse(Long.toString(number)).wholeNumber()).isEqualTo(number);
        Quantity half = Quantity.parse(number + ".5");
        assertThat(half.wholeFloor()).isEqualTo(number);
        assertThatThrownBy(half::wholeNumber).hasMessage("must be a whole number, got " + number + ".5");
        if (number < Long.MAX_VALUE) {
            assertThat(half.wholeCeiling()).isEqualTo(number + 1);
        }
    }

    @Property
    void aSuffix_multiplies(@ForAll @LongRange(min = 0, max = 1L << 40) long number) {
        assertThat(Quantity.parse(number + "Ki").wholeNumber()).isEqualTo(number << 10);
        assertThat(Quantity.parse(number + "k").wholeNumber()).isEqualTo(number * 1_000);
        assertThat(Quantity.parse(number + "m").millis()).isEqualTo(number);
        assertThat(Quantity.parse(number + "Mi").mibFloor()).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10E", "9223372036854775808", "1e30"})
    void aNumberThatIsTooLarge_isAnError(String text) {
        Quantity huge = Quantity.parse(text);
        List<ToLongFunction<Quantity>> reads =
                List.of(Quantity::wholeNumber, Quantity::wholeCeiling, Quantity::wholeFloor, Quantity::millis);
        for (ToLongFunction<Quantity> read : reads) {
            assertThatThrownBy(() -> read.applyAsLong(huge))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("must be at most 9223372036854775807 in the unit it is counted in, got ")
                    .hasMessageEndingWith(huge.value().toPlainString());
        }
    }

    @Test
    void whatANodeOrAContainerHasIsNoAmount_isAnErrorThatNamesBothAndTheResource() {
        NodeManifest node = NodeManifest.of("n1", Map.of(), Map.of("cpu", "9223372036854775807", "pods", "5e9"));
        assertThatThrownBy(node::toNode).hasMessageStartingWith("node \"n1\", resource cpu: must be at most ");
        NodeManifest crowded = NodeManifest.of("n1", Map.of(), Map.of("pods", "5e9", "gpu", "1.5", "memory", "much"));
        assertThatThrownBy(() -> crowded.amount("memory"))
                .hasMessageStartingWith("node \"n1\", resource memory: quantity must be a number");
        assertThatThrownBy(() -> crowded.count("gpu"))
                .hasMessage("node \"n1\", resource gpu: must be a whole number, got 1.5");
        NodeManifest many = NodeManifest.of("n1", Map.of(), Map.of("pods", "5e9"));
        assertThatThrownBy(many::toNode).hasMessage("node \"n1\": pods must be in 0..2147483647, got 5000000000");

        ContainerManifest container = ContainerManifest.limits("main", Map.of("cpu", "x", "memory", "1e40"));
        assertThatThrownBy(() -> PodManifest.resources(container))
                .hasMessageStartingWith("container \"main\", resource cpu: quantity must be a number");
        ContainerManifest large = ContainerManifest.limits("main", Map.of("memory", "1e40"));
        assertThatThrownBy(() -> PodManifest.resources(large))
                .hasMessageStartingWith("container \"main\", resource memory: must be at most ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e3m", "1E3Ki", "2e0G"})
    void anExponentAndASuffixTogether_areAnError_asInKubernetes(String text) {
        assertThatThrownBy(() -> Quantity.parse(text)).hasMessageContaining("got \"" + text + "\"");
    }
}
