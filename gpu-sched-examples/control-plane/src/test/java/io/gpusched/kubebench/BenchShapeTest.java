package io.gpusched.kubebench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchShapeTest {
    @ParameterizedTest
    @ValueSource(strings = {"pods:5000", "claims:5000", "partitions:5000", "gangs:1000x3", "racks:750x4", "gangs:1x1"})
    void shapes_areWrittenAsTheyAreRead(String text) {
        assertThat(BenchShape.parse(text)).hasToString(text);
    }

    @Test
    void groups_haveTheirPods() {
        BenchShape racks = BenchShape.parse("racks:750x4");
        assertThat(racks.kind()).isEqualTo(BenchShape.Kind.RACKS);
        assertThat(racks.groups()).isEqualTo(750);
        assertThat(racks.podsPerGroup()).isEqualTo(4);
        assertThat(racks.pods()).isEqualTo(3_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "pods",
                "pods:",
                "pods:3x4",
                "gangs:3",
                "gangs:3x",
                "trees:3x4",
                "claims:3x4",
                "pods:-1",
                "pods:99999999"
            })
    void otherWords_areRefused_withWhatIsMeant(String text) {
        assertThatThrownBy(() -> BenchShape.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pods:N")
                .hasMessageContaining("\"" + text + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pods:0", "gangs:0x3", "gangs:3x0", "gangs:1001x1000"})
    void sizesOutOfRange_areRefused(String text) {
        assertThatThrownBy(() -> BenchShape.parse(text)).hasMessageContaining("must be in 1..1000000");
    }
}
