package io.gpusched.simulator.trace;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.gpusched.model.Resources;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads what Slurm's {@code sacct} prints with {@code -P}, {@code -p} or {@code --delimiter}, columns by their names: {@code JobID} or
 * {@code JobIDRaw}; {@code Submit}; {@code AllocTRES} or {@code ReqTRES}; {@code ElapsedRaw}, {@code Elapsed}, or {@code Start} and
 * {@code End}; and, if they are there, {@code State}, {@code NNodes}, {@code TimelimitRaw} or {@code Timelimit}, and {@code Partition},
 * {@code Account} or {@code User}. sacct quotes nothing, so a quotation mark is a character like others.
 *
 * <p>Steps of jobs ({@code 7.batch}), jobs that never ran and jobs that still run, whose length is not known, are left out and counted. A
 * job of several nodes becomes a gang of pods of as many GPUs as it had on each.
 */
final class SacctJobs {
    private static final String GPU = "gres/gpu";
    private static final String MPS = "gres/mps";
    private static final Pattern FIRST = Pattern.compile("\\W*(\\w+)(\\W+)");
    private static final String AGAIN = "\n"
            + "Maybe print it again: sacct -a -X -P -o"
            + " JobIDRaw,User,Partition,Submit,Start,End,ElapsedRaw,State,NNodes,AllocTRES";
    private static final int MINUTE = 60;
    private static final int WHOLE_PERCENT = 100;

    private final Path file;
    private final List<String> header;
    private final Map<String, Integer> columns;
    private final Map<String, Integer> leftOut = new TreeMap<>();
    private final Map<String, Long> lineOf = new HashMap<>();

    /** How times are written; several in one list are not comparable. */
    private final Set<String> kinds = new HashSet<>();

    private SacctJobs(Path file, List<String> header) {
        this.file = file;
        this.header = header;
        this.columns = TraceTable.places(header);
    }

    /** Returns whether this is the first line of such a file. */
    static boolean isOne(String first) {
        return Stream.of(first.split("\\W+")).anyMatch(word -> word.equals("JobID") || word.equals("JobIDRaw"));
    }

    /**
     * Returns the jobs that ran.
     *
     * @throws TraceException if the file cannot be used, or none ran
     */
    static JobList read(Path file) {
        List<String> lines = SacctJson.isOne(TraceText.firstLine(file)) ? SacctJson.lines(file) : lines(file);
        String head = lines.get(0).replace("\"", "");
        Matcher first = FIRST.matcher(head);
        String delimiter = first.lookingAt() ? first.group(2) : "|";
        if (delimiter.isBlank() && !delimiter.equals("\t")) {
            throw new TraceException("file \"" + file + "\", line 1: columns of one width cut what is longer" + AGAIN);
        }
        SacctJobs jobs = new SacctJobs(file, List.of(head.split(Pattern.quote(delimiter), -1)));
        jobs.checkHeader();
        return jobs.list(lines, delimiter);
    }

    private static List<String> lines(Path file) {
        try (BufferedReader text = TraceText.open(file)) {
            return text.lines().toList();
        } catch (IOException | UncheckedIOException e) {
            throw TraceException.unreadable(file, e);
        }
    }

    private void checkHeader() {
        need("Submit");
        need("AllocTRES", "ReqTRES");
        if (!(has("Start") && has("End"))) {
            need("ElapsedRaw", "Elapsed", "Start and End");
        }
    }

    private void need(String... names) {
        if (Stream.of(names).noneMatch(this::has)) {
            throw new TraceException("file \"" + file + "\", line 1: expected a column " + String.join(" or ", names)
                    + ", got " + String.join(",", header) + AGAIN);
        }
    }

    private boolean has(String column) {
        return columns.containsKey(column);
    }

    private JobList list(List<String> lines, String delimiter) {
        List<SubmittedJob> jobs = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            if (!lines.get(i).isBlank()) {
                TraceRow row = new TraceRow(file, i + 1, columns, fields(lines.get(i), delimiter, i + 1));
                TraceTable.value(row, this::job).ifPresent(jobs::add);
            }
        }
        long first = jobs.stream()
                .mapToLong(job -> job.job().lifetime().arrivalSeconds())
                .min()
                .orElseThrow(
                        () -> new TraceException("file \"" + file + "\": expected at least one job that ran, got none"
                                + (leftOut.isEmpty() ? "" : "; " + leftOut)));
        return new JobList("sacct", jobs.stream().map(job -> job.earlier(first)).toList(), leftOut);
    }

    private List<String> fields(String line, String delimiter, int number) {
        List<String> fields = delimiter.equals(",") ? commas(line) : List.of(line.split(Pattern.quote(delimiter), -1));
        if (fields.size() != header.size()) {
            throw new TraceException("file \"" + file + "\", line " + number + ": expected " + header.size()
                    + " fields, got " + fields.size() + "\nMaybe a name has \"" + delimiter
                    + "\" in it: leave its column out." + AGAIN);
        }
        return fields;
    }

    /** Joins the parts of resources, which have commas too; where two columns have them, it cannot be told which part belongs to which. */
    private List<String> commas(String line) {
        List<String> fields = new ArrayList<>(List.of(line.split(",", -1)));
        if (line.contains("\"")) {
            try (CsvReader<CsvRecord> reader = CsvReader.builder().ofCsvRecord(line)) {
                List<String> quoted = reader.iterator().next().getFields();
                if (quoted.size() == header.size()) {
                    return quoted;
                }
            } catch (IOException | CsvParseException e) {
                return fields;
            }
        }
        int more = fields.size() - header.size();
        Integer resources = columns.get(has("AllocTRES") ? "AllocTRES" : "ReqTRES");
        if (more > 0 && resources != null && !(has("AllocTRES") && has("ReqTRES"))) {
            List<String> parts = fields.subList(resources, resources + more + 1);
            String joined = String.join(",", parts);
            parts.clear();
            fields.add(resources, joined);
        }
        return fields;
    }

    private Optional<SubmittedJob> job(TraceRow row) {
        String id = row.name(has("JobIDRaw") ? "JobIDRaw" : "JobID");
        if (id.contains(".")) {
            return without("of steps of jobs");
        }
        String state = row.textOr("State");
        boolean isRunning = Stream.of("RUNNING", "SUSPENDED", "COMPLETING", "STOPPED", "RESIZING")
                .anyMatch(state::startsWith);
        if (isRunning) {
            return without("of jobs that still run");
        }
        OptionalLong run = run(row);
        if (run.isEmpty() && date(row, "Start").isPresent()) {
            return without("of jobs that still run");
        }
        if (run.orElse(0) == 0) {
            return without("of jobs that never ran");
        }
        Long before = lineOf.put(id, row.line());
        if (before != null) {
            throw row.bad("job \"" + id + "\" is there twice, first in line " + before
                    + "\nMaybe sacct printed each run of a requeued job: leave out -D.");
        }
        long submit = date(row, "Submit").orElseThrow(() -> row.bad("Submit", "a time such as 2026-05-01T12:00:00"));
        Map<String, String> tres = tres(row);
        if (tres.containsKey("gres/shard") || typed(row, tres).size() > 1) {
            return without("that request shards, or GPUs of more than one kind");
        }
        String kind = typed(row, tres).stream().findFirst().orElse("");
        JobDemand demand = demand(row, tres, kind);
        TraceJob job = TraceJob.of(id, demand, new Lifetime(submit, run.orElseThrow()));
        String owner = Stream.of("Partition", "Account", "User")
                .filter(this::has)
                .map(row::text)
                .findFirst()
                .orElse("");
        return Optional.of(new SubmittedJob(job, owner, GpuPart.isMig(kind) ? "" : kind));
    }

    private Optional<SubmittedJob> without(String reason) {
        leftOut.merge(reason, 1, Integer::sum);
        return Optional.empty();
    }

    private JobDemand demand(TraceRow row, Map<String, String> tres, String kind) {
        int gpus = count(row, tres.getOrDefault(kind.isEmpty() ? GPU : GPU + ":" + kind, "0"));
        int mps = count(row, tres.getOrDefault(MPS, "0"));
        GpuPart part = GpuPart.isMig(kind) ? GpuPart.mig(GpuPart.profileOf(kind)) : GpuPart.WHOLE;
        if (gpus == 0 && mps > 0) {
            gpus = (mps + WHOLE_PERCENT - 1) / WHOLE_PERCENT;
            part = mps < WHOLE_PERCENT ? new GpuPart(10 * mps, 0, "") : GpuPart.WHOLE;
        }
        long cpuMillis = 1_000L * count(row, tres.getOrDefault("cpu", "0"));
        Resources all = Resources.of(cpuMillis, mib(row, tres.getOrDefault("mem", "0")));
        int nodes = Math.max(1, count(row, tres.getOrDefault("node", has("NNodes") ? row.text("NNodes") : "1")));
        int podGpus = nodes == 1 ? JobDemand.ANY : Math.max(1, (gpus + nodes - 1) / nodes);
        return new JobDemand(gpus, part, all, "", podGpus, false, limit(row), false);
    }

    private static long limit(TraceRow row) {
        String minutes = row.textOr("TimelimitRaw");
        if (minutes.matches("\\d{1,8}")) {
            return MINUTE * Long.parseLong(minutes);
        }
        return JobTimes.elapsed(row.textOr("Timelimit")).orElse(0);
    }

    /** Returns how long a job ran; empty if it has not ended. */
    private OptionalLong run(TraceRow row) {
        boolean hasEnd = row.has("End");
        OptionalLong end = date(row, "End");
        if (hasEnd && end.isEmpty()) {
            return OptionalLong.empty();
        }
        if (row.has("ElapsedRaw")) {
            return OptionalLong.of(row.number("ElapsedRaw", 0, Integer.MAX_VALUE));
        }
        if (row.has("Elapsed")) {
            return OptionalLong.of(JobTimes.elapsed(row.text("Elapsed"))
                    .orElseThrow(() -> row.bad("Elapsed", "a time such as 1-02:03:04")));
        }
        OptionalLong start = date(row, "Start");
        return start.isEmpty()
                ? OptionalLong.of(0)
                : OptionalLong.of(Math.max(0, end.orElseThrow() - start.getAsLong()));
    }

    /** Reads a date, or with {@code SLURM_TIME_FORMAT=%s} seconds since 1970; empty for {@code Unknown} and {@code None}. */
    private OptionalLong date(TraceRow row, String column) {
        String text = row.textOr(column);
        if (text.isEmpty() || text.equals("Unknown") || text.equals("None")) {
            return OptionalLong.empty();
        }
        boolean isNumber = text.matches("\\d{9,11}");
        kinds.add(isNumber ? "seconds" : JobTimes.hasOffset(text) ? "with an offset" : "without");
        OptionalLong date = isNumber ? OptionalLong.of(Long.parseLong(text)) : JobTimes.date(text);
        if (date.isEmpty() || kinds.size() > 1) {
            throw row.bad(
                    column,
                    date.isEmpty() ? "a time such as 2026-05-01T12:00:00" : "a time of the form that others have here");
        }
        return date;
    }

    private static Map<String, String> tres(TraceRow row) {
        String text = row.textOr("AllocTRES");
        text = text.isEmpty() ? row.textOr("ReqTRES") : text;
        Map<String, String> tres = new TreeMap<>();
        for (String one : text.split(",", -1)) {
            int equals = one.indexOf('=');
            if (equals > 0) {
                tres.put(one.substring(0, equals), one.substring(equals + 1));
            } else if (!one.isEmpty()) {
                throw row.bad("resources are cut off after \"" + text + "\"" + AGAIN);
            }
        }
        return tres;
    }

    /** Returns the models or partitions of a job's GPUs. */
    private static Set<String> typed(TraceRow row, Map<String, String> tres) {
        Set<String> typed = new TreeSet<>();
        tres.forEach((name, amount) -> {
            if (name.startsWith(GPU + ":") && count(row, amount) > 0) {
                typed.add(name.substring(GPU.length() + 1));
            }
        });
        return typed;
    }

    private static int count(TraceRow row, String text) {
        if (!text.matches("\\d{1,6}")) {
            throw row.bad("expected whole numbers of nodes, CPUs and GPUs, got \"" + text + "\"");
        }
        return Integer.parseInt(text);
    }

    /** Slurm writes {@code 64G}, {@code 500M}, {@code 1.5T}; megabytes where there is no letter. */
    private static long mib(TraceRow row, String text) {
        if (!text.matches("\\d{1,9}(\\.\\d+)?[KMGTn]?c?")) {
            throw row.bad("expected an amount of memory such as 64G, got \"" + text + "\"");
        }
        double amount = Double.parseDouble(text.replaceAll("[^0-9.]", ""));
        double unit =
                text.contains("K") ? 1 / 1_024.0 : text.contains("G") ? 1_024 : text.contains("T") ? 1_024 * 1_024 : 1;
        return (long) Math.ceil(amount * unit);
    }
}
