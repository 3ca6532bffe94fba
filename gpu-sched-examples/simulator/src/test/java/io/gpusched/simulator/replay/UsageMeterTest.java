package io.gpusched.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageMeterTest {
    @TempDir
    private Path folder;

    @Test
    void samples_areMeansOverTheirSlice() {
        UsageMeter meter = new UsageMeter(7_200, 2, 1_000);
        meter.until(1_800, 0, 0, 0, 4);
        meter.until(5_400, 1_000, 500, 2, 0);
        meter.until(7_200, 0, 0, 0, 0);
        assertThat(meter.samples()).containsExactly(new Sample(1, 50, 25, 1, 2), new Sample(2, 50, 25, 1, 0));
    }

    @Test
    void samples_goOnBeyondTheSpan() {
        UsageMeter meter = new UsageMeter(3_600, 1, 1_000);
        meter.until(7_200, 100, 0, 1, 0);
        assertThat(meter.samples()).hasSize(2).allMatch(sample -> sample.usedPercent() == 10);
    }

    @Test
    void timeThatStandsStill_countsForNothing() {
        UsageMeter meter = new UsageMeter(3_600, 1, 1_000);
        meter.until(0, 1_000, 0, 9, 9);
        assertThat(meter.samples()).isEmpty();
    }

    @Test
    void csv_hasARowForEachSlice() throws IOException {
        UsageMeter meter = new UsageMeter(3_600, 1, 1_000);
        meter.until(3_600, 250, 125, 1, 2);
        ReplayResult result = new ReplayResult(
                "p", 7, List.of(), 0, 0, 1, 1, meter.samples(), 1, io.gpusched.model.Cluster.of(List.of()));
        Path csv = folder.resolve("r.csv");
        ReplayCsv.write(csv, "w,x", List.of(result));
        assertThat(Files.readAllLines(csv))
                .containsExactly(
                        "workload,policy,seed,hours,used_percent,frag_percent,running,waiting",
                        "\"w,x\",p,7,1.00,25.00,12.50,1.00,2.00");
    }
}
