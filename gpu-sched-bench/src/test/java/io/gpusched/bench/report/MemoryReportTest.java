package io.gpusched.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryReportTest {
    @Test
    void of_aFewNodes_countsTheBytesOfEmptyAndFullOnes() {
        assertThat(MemoryReport.of(16)).contains("| empty | 0 |").contains("| exclusive1 | 128 |");
    }
}
