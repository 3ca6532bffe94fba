package io.gpusched.simulator.cycle;

import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Writes what came of a replay as CSV. */
public final class CycleCsv {
    private CycleCsv() {}

    /**
     * Writes a row for each job, in place of what was there. What did not happen is left empty.
     *
     * @throws IOException if it cannot be written
     */
    public static void writeJobs(Path file, CycleResult result) throws IOException {
        try (CsvWriter csv = CsvWriter.builder().build(file)) {
            csv.writeRecord(
                    "job", "queue", "gpus", "submit_s", "duration_s", "promised_s", "start_s", "end_s", "evictions");
            for (PlayedJob job : result.jobs()) {
                csv.writeRecord(
                        job.name(),
                        job.queue(),
                        Long.toString(job.gpus()),
                        Long.toString(job.submitted()),
                        Long.toString(job.runs()),
                        text(job.promised()),
                        text(job.started()),
                        text(job.ended()),
                        Integer.toString(job.evictions()));
            }
        }
    }

    /**
     * Writes a row for each slice of time of each queue, in place of what was there.
     *
     * @throws IOException if it cannot be written
     */
    public static void writeSeries(Path file, CycleResult result) throws IOException {
        try (CsvWriter csv = CsvWriter.builder().build(file)) {
            csv.writeRecord("queue", "hours", "used_percent", "fair_share_percent", "waiting");
            for (String queue : result.series().keySet()) {
                List<QueueSample> samples = result.series().getOrDefault(queue, List.of());
                for (int slice = 0; slice < samples.size(); slice++) {
                    QueueSample sample = samples.get(slice);
                    csv.writeRecord(
                            queue,
                            twoDecimals((slice + 1) * result.sliceHours()),
                            twoDecimals(sample.usedPercent()),
                            twoDecimals(sample.fairPercent()),
                            twoDecimals(sample.waiting()));
                }
            }
        }
    }

    private static String text(OptionalLong time) {
        return time.isPresent() ? Long.toString(time.getAsLong()) : "";
    }

    private static String twoDecimals(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
