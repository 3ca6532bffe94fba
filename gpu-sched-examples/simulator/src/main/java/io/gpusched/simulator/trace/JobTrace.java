package io.gpusched.simulator.trace;

import java.nio.file.Path;
import java.util.List;

/**
 * Reads job lists, by the columns that they have: those of published traces (PCS, Helios, Philly, Acme, Pollux, Muri, Tiresias, ElasticFlow,
 * Alibaba's of 2025 and 2026), what {@code sacct -P} or {@code sacct --json} prints, a list of one's own, or any CSV whose columns are named. docs/capacity.md has
 * them all. Times that a list does not have are never guessed: what several lists share in different units is refused.
 */
public final class JobTrace {
    private JobTrace() {}

    /**
     * Returns the jobs of a list in file order, each named as there.
     *
     * @param columns which column says what; {@link JobColumns#NONE} if the header shall tell
     * @throws TraceException if the file cannot be used; the message names the line and the field
     */
    public static JobList read(Path file, JobColumns columns) {
        String first = TraceText.firstLine(file);
        if (columns.columns().isEmpty() && (SacctJobs.isOne(first) || SacctJson.isOne(first))) {
            return SacctJobs.read(file);
        }
        List<String> header = TraceTable.header(file);
        JobForm form = columns.columns().isEmpty()
                ? JobForm.of(header).orElseThrow(() -> unknown(file, header))
                : JobForm.of(columns);
        return JobRows.read(file, form, header);
    }

    private static TraceException unknown(Path file, List<String> header) {
        if (header.containsAll(List.of("num_gpu", "submit_time", "duration"))) {
            return shared(file, header);
        }
        return new TraceException(
                "file \"" + file + "\", line 1: expected a job list with the columns submit,gpus,run_seconds, "
                        + "the columns of a published trace, or what sacct -P prints, got " + String.join(",", header)
                        + "\nMaybe say which column is which: --columns submit=...,gpus=...,duration=...:s");
    }

    /** Returns the refusal of columns that lists in seconds and lists in milliseconds have. */
    static TraceException shared(Path file, List<String> header) {
        return new TraceException(
                "file \"" + file + "\", line 1: lists in seconds (Tiresias, ElasticFlow) and in milliseconds "
                        + "(Muri) have these columns, got " + String.join(",", header)
                        + "\nMaybe say the unit: --columns "
                        + (header.contains("job_id") ? "name=job_id," : "")
                        + "submit=submit_time:s,gpus=num_gpu,duration=duration:s, or :ms.");
    }
}
