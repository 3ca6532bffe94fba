package io.gpusched.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class BenchOptionsTest {
    @Test
    void parse_nothing_wantsEveryBenchmark() {
        BenchOptions options = BenchOptions.parse();

        assertThat(options.quick()).isFalse();
        assertThat(options.json()).isEmpty();
        assertThat(options.wants("GangBenchmark.schedule")).isTrue();
    }

    @Test
    void parse_everything_keepsIt() {
        BenchOptions options = BenchOptions.parse("--quick", "--json", "out.json", "Gang", "^Peer");

        assertThat(options.quick()).isTrue();
        assertThat(options.json()).isEqualTo("out.json");
        assertThat(options.wants("GangBenchmark.schedule")).isTrue();
        assertThat(options.wants("PeerBenchmark.gpuSched")).isTrue();
        assertThat(options.wants("RefusalBenchmark.refuse")).isFalse();
    }

    @Test
    void parse_unknownOption_saysHowItIsUsed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BenchOptions.parse("--fast"))
                .withMessageContaining("--fast")
                .withMessageContaining("usage: bench");
    }

    @Test
    void parse_jsonWithoutFile_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BenchOptions.parse("--json"))
                .withMessageContaining("--json");
    }
}
