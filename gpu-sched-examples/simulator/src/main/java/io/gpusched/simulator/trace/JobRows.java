package io.gpusched.simulator.trace;

import io.gpusched.model.Resources;
import io.gpusched.simulator.trace.JobColumns.Source;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads the rows of a job list whose form is known. */
final class JobRows {
    private static final int MOST_GPUS = 100_000;
    private static final long MOST_SECONDS = Integer.MAX_VALUE;
    private static final long LATEST = 100_000_000_000L;
    private static final int MOST_GIB = 1_000_000;
    private static final int MIB_A_GIB = 1_024;
    private static final int WHOLE_PERCENT = 100;
    private static final int MANY_ROWS = 5;
    private static final Set<String> NOTHING = Set.of("", "nan", "none", "null", "unknown", "n/a");

    private final Path file;
    private final JobForm form;
    private final List<String> header;
    private final Set<String> dates = new TreeSet<>();

    /** Whether dates say their offset from UTC; both in one list are not comparable. */
    private final Set<Boolean> offsets = new TreeSet<>();

    private final Set<String> numbers = new TreeSet<>();
    private final Map<String, Long> lineOf = new HashMap<>();
    private final Map<String, Integer> leftOut = new TreeMap<>();
    private final List<Read> read = new ArrayList<>();
    private long now;
    private long last;
    private long first = Long.MAX_VALUE;
    private boolean isAllThousands = true;

    /** A row as it was read; one that still ran at the end of the list has no end. */
    private record Read(
            String name, JobDemand demand, long submit, long start, OptionalLong end, String owner, String ranOn) {}

    private JobRows(Path file, JobForm form, List<String> header) {
        this.file = file;
        this.form = form;
        this.header = header;
    }

    /**
     * Returns the jobs of a CSV file.
     *
     * @throws TraceException if it cannot be used; the message names the line and the field
     */
    static JobList read(Path file, JobForm form, List<String> header) {
        JobRows rows = new JobRows(file, form, header);
        rows.checkColumns();
        TraceTable.read(file, List.of(), row -> {
            rows.add(row);
            return row;
        });
        return rows.list();
    }

    private void checkColumns() {
        form.columns().forEach((field, source) -> {
            if (form.header().contains(source.column()) && !isThere(field)) {
                int at = source.column().lastIndexOf(':');
                throw bad(
                        at > 0 && header.contains(source.column().substring(0, at))
                                ? "the unit of " + field + " must be s, ms, min or h, got \""
                                        + source.column().substring(at + 1) + "\""
                                : "there is no column \"" + source.column() + "\" for " + field);
            }
        });
        if (!isThere("submit") && !isThere("interval")) {
            throw bad("no column tells when jobs were submitted (submit)");
        }
        if (!isThere("gpus")) {
            throw bad("no column tells the number of GPUs (gpus)");
        }
        if (!isThere("duration") && !(isThere("start") && isThere("end"))) {
            throw bad("no column tells how long jobs ran (duration, or start and end)");
        }
    }

    private TraceException bad(String what) {
        return new TraceException("file \"" + file + "\", line 1: " + what + ", got the columns "
                + String.join(",", header) + "\nMaybe say which column is which: "
                + "--columns submit=...,gpus=...,duration=...:s");
    }

    private boolean isThere(String field) {
        return form.column(field, header).isPresent();
    }

    private void add(TraceRow row) {
        String name = text(row, "name");
        if (name.isEmpty()) {
            name = isThere("name")
                    ? row.name(form.column("name", header).orElseThrow().column())
                    : "job-" + (row.line() - 2);
        }
        Long before = lineOf.put(name, row.line());
        if (before != null) {
            throw row.bad("job \"" + name + "\" is there twice, first in line " + before
                    + "\nMaybe the list has a row for each attempt of a job: keep one.");
        }
        OptionalLong submit = submit(row);
        OptionalLong start = time(row, "start");
        OptionalLong end = time(row, "end");
        OptionalLong run = time(row, "duration");
        boolean isOpen = form.isOpen() && (end.isEmpty() || submit.isEmpty());
        if (submit.isEmpty() && !form.isOpen()) {
            throw row.bad(
                    form.column("submit", header).orElseThrow().column(),
                    "a time such as 2026-05-01T12:00:00, or a number");
        }
        if (run.isEmpty() && !isOpen && (start.isEmpty() || end.isEmpty())) {
            leftOut.merge("without a start, an end or a duration", 1, Integer::sum);
            return;
        }
        long from = start.orElse(submit.orElse(0));
        if (run.isPresent()) {
            end = OptionalLong.of(from + run.getAsLong());
        }
        if (end.isPresent() && end.getAsLong() < from) {
            throw row.bad("the job ends before it starts");
        }
        first = Math.min(first, submit.orElse(0));
        last = Math.max(last, end.orElse(from));
        read.add(new Read(name, demand(row), submit.orElse(0), from, end, text(row, "owner"), text(row, "ran_on")));
    }

    private OptionalLong submit(TraceRow row) {
        if (isThere("submit")) {
            return time(row, "submit");
        }
        now += time(row, "interval").orElse(0);
        return OptionalLong.of(now);
    }

    private String text(TraceRow row, String field) {
        return form.column(field, header)
                .map(source -> row.textOr(source.column()))
                .orElse("");
    }

    /** Reads a time; empty where the row tells none. Dates and numbers in one column are not of one kind. */
    private OptionalLong time(TraceRow row, String field) {
        Optional<Source> source = form.column(field, header);
        if (source.isEmpty()) {
            return OptionalLong.empty();
        }
        String column = source.get().column();
        String text = row.text(column);
        if (NOTHING.contains(text.toLowerCase(java.util.Locale.ROOT))) {
            return OptionalLong.empty();
        }
        boolean isLength = field.equals("duration") || field.equals("interval");
        OptionalLong number = JobTimes.seconds(text, source.get().unit());
        OptionalLong time = number.isPresent() || isLength ? number : JobTimes.date(text);
        boolean isNumber = number.isPresent();
        if (time.isEmpty() || isLength && time.getAsLong() > MOST_SECONDS) {
            throw row.bad(
                    column,
                    isLength
                            ? "a number of " + source.get().unit() + " of at most " + MOST_SECONDS + " seconds"
                            : "a time such as 2026-05-01T12:00:00, or a number");
        }
        if (!isLength && time.getAsLong() > LATEST) {
            throw row.bad("column \"" + column + "\" is read in " + source.get().unit() + " and has " + text
                    + ", which is after the year 5000\nMaybe say its unit: --columns " + field + "=" + column + ":ms");
        }
        (isNumber ? numbers : dates).add(column);
        if (numbers.contains(column) && dates.contains(column)) {
            throw row.bad(column, (isNumber ? "a date" : "a number") + " as in the rows before");
        }
        if (!isNumber) {
            offsets.add(JobTimes.hasOffset(text));
        }
        if (offsets.size() > 1) {
            throw row.bad(
                    column,
                    "a date " + (JobTimes.hasOffset(text) ? "without" : "with") + " an offset from UTC as before");
        }
        isAllThousands &= isNumber && text.matches("0|\\d+000");
        return time;
    }

    private JobDemand demand(TraceRow row) {
        int workers = isThere("workers") ? count(row, "workers", 1, MOST_GPUS) : 1;
        BigDecimal asked = decimal(row, "gpus", MOST_GPUS);
        GpuPart part = part(row, asked);
        int each = part.isWhole() || asked.compareTo(BigDecimal.ONE) >= 0 ? wholeGpus(row, asked) : 1;
        Resources all = Resources.of(
                workers * millis(row, "cpus"),
                workers
                        * decimal(row, "memory_gib", MOST_GIB)
                                .multiply(BigDecimal.valueOf(MIB_A_GIB))
                                .longValue());
        if ((long) workers * each > MOST_GPUS) {
            throw row.bad("the job asks for more than " + MOST_GPUS + " GPUs");
        }
        return new JobDemand(
                workers * each,
                part,
                all,
                text(row, "models"),
                workers > 1 ? Math.max(1, each) : JobDemand.ANY,
                form.isCpuCapped(),
                time(row, "limit").orElse(0),
                false);
    }

    private GpuPart part(TraceRow row, BigDecimal gpus) {
        String profile = text(row, "mig");
        if (!profile.isEmpty()) {
            return GpuPart.mig(profile);
        }
        boolean isFraction = gpus.signum() > 0 && gpus.compareTo(BigDecimal.ONE) < 0;
        BigDecimal percent = text(row, "gpu_percent").isEmpty()
                ? isFraction ? gpus.movePointRight(2) : BigDecimal.valueOf(WHOLE_PERCENT)
                : decimal(row, "gpu_percent", WHOLE_PERCENT);
        long memoryMib = decimal(row, "gpu_memory_gib", MOST_GIB)
                .multiply(BigDecimal.valueOf(MIB_A_GIB))
                .longValue();
        boolean isByMemory = memoryMib > 0 && text(row, "gpu_percent").isEmpty() && !isFraction;
        return new GpuPart(isByMemory ? 0 : percent.movePointRight(1).intValue(), memoryMib, "");
    }

    private int wholeGpus(TraceRow row, BigDecimal gpus) {
        if (gpus.stripTrailingZeros().scale() > 0) {
            throw row.bad(
                    form.column("gpus", header).orElseThrow().column(),
                    "a whole number of GPUs, or a part of one below 1");
        }
        return gpus.intValueExact();
    }

    private long millis(TraceRow row, String field) {
        return decimal(row, field, MOST_GPUS).movePointRight(3).longValue();
    }

    private int count(TraceRow row, String field, int least, int most) {
        return row.count(form.column(field, header).orElseThrow().column(), least, most);
    }

    /** Reads an amount of at least 0; 0 where the list tells none. */
    private BigDecimal decimal(TraceRow row, String field, int most) {
        String text = text(row, field);
        if (text.isEmpty() && !field.equals("gpus")) {
            return BigDecimal.ZERO;
        }
        if (!text.matches("\\d{1,9}(\\.\\d{1,9})?") || new BigDecimal(text).compareTo(BigDecimal.valueOf(most)) > 0) {
            throw row.bad(form.column(field, header).orElseThrow().column(), "a number in 0.." + most);
        }
        return new BigDecimal(text);
    }

    private JobList list() {
        if (form.isShared() && isAllThousands && read.size() >= MANY_ROWS) {
            throw JobTrace.shared(file, header);
        }
        if (read.isEmpty()) {
            throw new TraceException(
                    "file \"" + file + "\": expected at least one job that ran, got none; rows left out: " + leftOut);
        }
        List<SubmittedJob> jobs = new ArrayList<>();
        int open = 0;
        for (Read one : read) {
            open += one.end.isEmpty() ? 1 : 0;
            Lifetime lifetime = new Lifetime(one.submit - first, one.end.orElse(last) - one.start);
            jobs.add(new SubmittedJob(TraceJob.of(one.name, one.demand, lifetime), one.owner, one.ranOn));
        }
        String words = form.words(header, dates)
                + (open == 0 ? "" : "; " + open + " jobs that still ran at the end of the list are taken to end there");
        return new JobList(words, jobs, leftOut);
    }
}
