package io.gpusched.simulator;

import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Writes the curves of runs as CSV: a row for each whole percent of arrived GPU compute of each run. */
public final class CurveCsv {
    private CurveCsv() {}

    /**
     * Writes the file, in place of what was there.
     *
     * @throws IOException if it cannot be written
     */
    public static void write(Path file, List<RunResult> results) throws IOException {
        try (CsvWriter csv = CsvWriter.builder().build(file)) {
            csv.writeRecord(
                    "workload",
                    "policy",
                    "seed",
                    "arrived_percent",
                    "allocated_percent",
                    "frag_percent",
                    "placed",
                    "rejected");
            for (RunResult run : results) {
                for (CurvePoint point : run.curve()) {
                    csv.writeRecord(
                            run.workload(),
                            run.policy(),
                            Long.toString(run.seed()),
                            Integer.toString(point.arrivedPercent()),
                            twoDecimals(point.allocatedPercent()),
                            twoDecimals(point.fragPercent()),
                            Integer.toString(point.placed()),
                            Integer.toString(point.rejected()));
                }
            }
        }
    }

    private static String twoDecimals(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
