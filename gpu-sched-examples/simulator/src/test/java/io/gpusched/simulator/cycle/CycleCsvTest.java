package io.gpusched.simulator.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CycleCsvTest {
    private static final CycleResult RESULT = new CycleResult(
            List.of(
                    new PlayedJob("7", "a", 4, 10, 60, 60, time(20), time(80), time(30), 0),
                    new PlayedJob(
                            "8",
                            "a",
                            99,
                            11,
                            5,
                            5,
                            OptionalLong.empty(),
                            OptionalLong.empty(),
                            OptionalLong.empty(),
                            0)),
            Map.of("a", List.of(new QueueSample(50, 100, 0.5))),
            0.25,
            1,
            0,
            Map.of("8", "too large"));

    @TempDir
    private Path folder;

    private static OptionalLong time(long seconds) {
        return OptionalLong.of(seconds);
    }

    @Test
    void jobs_haveARowEachAndNothingWhereNothingHappened() throws IOException {
        Path file = folder.resolve("jobs.csv");
        CycleCsv.writeJobs(file, RESULT);
        assertThat(Files.readAllLines(file))
                .containsExactly(
                        "job,queue,gpus,submit_s,duration_s,promised_s,start_s,end_s,evictions",
                        "7,a,4,10,60,30,20,80,0",
                        "8,a,99,11,5,,,,0");
    }

    @Test
    void series_haveARowForEachSliceOfEachQueue() throws IOException {
        Path file = folder.resolve("series.csv");
        CycleCsv.writeSeries(file, RESULT);
        assertThat(Files.readAllLines(file))
                .containsExactly("queue,hours,used_percent,fair_share_percent,waiting", "a,0.25,50.00,100.00,0.50");
    }
}
