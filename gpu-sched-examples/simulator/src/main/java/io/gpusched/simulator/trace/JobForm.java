package io.gpusched.simulator.trace;

import io.gpusched.simulator.trace.JobColumns.Source;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the columns of a job list say: a published form that is known by its header, or one whose columns a user names.
 *
 * @param name what it is called
 * @param header the columns by which it is known; in a form that a user names, those that are named
 * @param columns the column of each of {@link JobColumns#FIELDS} that it tells; a column that is not in a file is not told there
 * @param isCpuCapped see {@link JobDemand#isCpuCapped}
 * @param isOpen whether jobs without a submission were there at the start, and those without an end still ran at the end of the list
 */
record JobForm(String name, Set<String> header, Map<String, Source> columns, boolean isCpuCapped, boolean isOpen) {
    /** The columns of a list of one's own. */
    static final JobForm OWN = new JobForm(
            "own columns",
            Set.of("submit"),
            columns(
                    "submit",
                    "submit",
                    "start",
                    "start",
                    "end",
                    "end",
                    "duration",
                    "run_seconds",
                    "gpus",
                    "gpus",
                    "workers",
                    "workers",
                    "name",
                    "name|job_id",
                    "owner",
                    "vc|queue|user",
                    "models",
                    "gpu_model",
                    "ran_on",
                    "ran_on",
                    "cpus",
                    "cpus",
                    "memory_gib",
                    "memory_gib",
                    "gpu_percent",
                    "gpu_percent",
                    "gpu_memory_gib",
                    "gpu_memory_gib",
                    "mig",
                    "mig",
                    "limit",
                    "limit_seconds"),
            false,
            false);

    private static final String TIRESIAS = "Tiresias";
    private static final String NAMED = "columns as named";

    private static final List<JobForm> KNOWN = List.of(
            new JobForm(
                    "PCS",
                    Set.of("job_id", "submit_s", "gpus", "duration_s"),
                    columns(
                            "name",
                            "job_id",
                            "submit",
                            "submit_s",
                            "gpus",
                            "gpus",
                            "duration",
                            "duration_s",
                            "owner",
                            "vc|user"),
                    false,
                    false),
            new JobForm(
                    "Helios and Philly by intervals",
                    Set.of("u_id", "gpu_num", "interval", "run_time"),
                    columns(
                            "name",
                            "u_id",
                            "interval",
                            "interval",
                            "gpus",
                            "gpu_num",
                            "cpus",
                            "cpu_num",
                            "duration",
                            "run_time",
                            "owner",
                            "vc|user"),
                    true,
                    false),
            new JobForm(
                    "Helios cluster_log and Acme traces",
                    Set.of("job_id", "gpu_num", "submit_time", "start_time", "end_time", "state"),
                    columns(
                            "name",
                            "job_id",
                            "submit",
                            "submit_time",
                            "start",
                            "start_time",
                            "end",
                            "end_time",
                            "gpus",
                            "gpu_num",
                            "cpus",
                            "cpu_num",
                            "owner",
                            "vc|user"),
                    true,
                    false),
            new JobForm(
                    "Pollux philly.csv",
                    Set.of("timestamp", "duration", "num_gpus", "gpu_time", "cluster"),
                    columns("submit", "timestamp", "gpus", "num_gpus", "duration", "duration", "owner", "cluster"),
                    false,
                    false),
            new JobForm(
                    "Muri",
                    Set.of("job_id", "num_gpu", "submit_time", "duration", "resource_time_0"),
                    columns("name", "job_id", "submit", "submit_time:ms", "gpus", "num_gpu", "duration", "duration:ms"),
                    false,
                    false),
            new JobForm(
                    "ElasticFlow",
                    Set.of("job_id", "num_gpu", "submit_time", "duration", "ddl"),
                    columns("name", "job_id", "submit", "submit_time", "gpus", "num_gpu", "duration", "duration"),
                    false,
                    false),
            new JobForm(
                    TIRESIAS,
                    Set.of("job_id", "num_gpu", "submit_time", "iterations", "model_name", "duration", "interval"),
                    columns("name", "job_id", "submit", "submit_time", "gpus", "num_gpu", "duration", "duration"),
                    false,
                    false),
            new JobForm(
                    "Alibaba DLRM instances of 2025",
                    Set.of("instance_sn", "gpu_request", "creation_time", "scheduled_time", "deletion_time"),
                    columns(
                            "name",
                            "instance_sn",
                            "submit",
                            "creation_time",
                            "start",
                            "scheduled_time",
                            "end",
                            "deletion_time",
                            "gpus",
                            "gpu_request",
                            "cpus",
                            "cpu_request",
                            "memory_gib",
                            "memory_request",
                            "owner",
                            "app_name"),
                    false,
                    true),
            new JobForm(
                    "Alibaba spot GPU jobs of 2026",
                    Set.of("job_name", "gpu_request", "worker_num", "submit_time", "duration"),
                    columns(
                            "name",
                            "job_name",
                            "submit",
                            "submit_time",
                            "gpus",
                            "gpu_request",
                            "workers",
                            "worker_num",
                            "cpus",
                            "cpu_request",
                            "duration",
                            "duration",
                            "models",
                            "gpu_model",
                            "owner",
                            "organization"),
                    false,
                    false));

    /** Returns the form of a file with this header, if it is known. */
    static Optional<JobForm> of(List<String> header) {
        return KNOWN.stream()
                .filter(form -> header.containsAll(form.header))
                .filter(form -> !form.isShared() || form.header.containsAll(header))
                .findFirst()
                .or(() -> own(header));
    }

    /** Returns whether lists in another unit have these columns and more. */
    boolean isShared() {
        return name.equals(TIRESIAS);
    }

    private static Optional<JobForm> own(List<String> header) {
        boolean hasRun = header.contains("run_seconds") || header.containsAll(List.of("start", "end"));
        return header.contains("submit") && hasRun ? Optional.of(OWN) : Optional.empty();
    }

    /** Returns the form in which these columns say what a user says they do; what is not named is looked for under its own name. */
    static JobForm of(JobColumns named) {
        Map<String, Source> columns = new LinkedHashMap<>(OWN.columns);
        columns.put("duration", new Source("duration|run_seconds", "s"));
        columns.putAll(named.columns());
        if (named.columns().containsKey("interval")) {
            columns.remove("submit");
        }
        Set<String> header =
                named.columns().values().stream().map(Source::column).collect(Collectors.toSet());
        return new JobForm(NAMED, header, columns, false, false);
    }

    private static Map<String, Source> columns(String... pairs) {
        Map<String, Source> columns = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            boolean isMillis = pairs[i + 1].endsWith(":ms");
            columns.put(pairs[i], new Source(pairs[i + 1].replace(":ms", ""), isMillis ? "ms" : "s"));
        }
        return columns;
    }

    /** Returns the column of a field in a file, if it is told there; the first that the file has of several. */
    Optional<Source> column(String field, List<String> header) {
        Source source = columns.get(field);
        if (source == null) {
            return Optional.empty();
        }
        for (String column : header.contains(source.column()) ? List.of(source.column()) : alternatives(source)) {
            if (header.contains(column)) {
                return Optional.of(new Source(column, source.unit()));
            }
        }
        return Optional.empty();
    }

    private static List<String> alternatives(Source source) {
        return List.of(source.column().split("\\|", -1));
    }

    /** Returns its name, which columns are the times, in which unit, and which columns of a user's own say nothing here. */
    String words(List<String> header, Set<String> dates) {
        List<String> times = new ArrayList<>();
        for (String field : List.of("submit", "interval", "start", "end", "duration")) {
            column(field, header)
                    .ifPresent(source -> times.add(
                            source.column() + " in " + (dates.contains(source.column()) ? "dates" : source.unit())));
        }
        return name + ": " + String.join(", ", times) + notRead(header);
    }

    private String notRead(List<String> header) {
        if (!name.equals(OWN.name) && !name.equals(NAMED)) {
            return "";
        }
        List<String> others = new ArrayList<>(header);
        columns.keySet().forEach(field -> column(field, header).ifPresent(source -> others.remove(source.column())));
        return others.isEmpty() ? "" : "; columns not read: " + String.join(", ", others);
    }
}
