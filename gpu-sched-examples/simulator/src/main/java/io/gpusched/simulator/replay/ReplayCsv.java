package io.gpusched.simulator.replay;

import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Writes the time series of replays as CSV: a row for each slice of time of each replay. */
public final class ReplayCsv {
    private ReplayCsv() {}

    /**
     * Writes the file, in place of what was there.
     *
     * @throws IOException if it cannot be written
     */
    public static void write(Path file, String workload, List<ReplayResult> results) throws IOException {
        try (CsvWriter csv = CsvWriter.builder().build(file)) {
            csv.writeRecord(
                    "workload", "policy", "seed", "hours", "used_percent", "frag_percent", "running", "waiting");
            for (ReplayResult result : results) {
                for (Sample sample : result.series()) {
                    csv.writeRecord(
                            workload,
                            result.policy(),
                            Long.toString(result.seed()),
                            twoDecimals(sample.hours()),
                            twoDecimals(sample.usedPercent()),
                            twoDecimals(sample.fragPercent()),
                            twoDecimals(sample.running()),
                            twoDecimals(sample.waiting()));
                }
            }
        }
    }

    private static String twoDecimals(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
