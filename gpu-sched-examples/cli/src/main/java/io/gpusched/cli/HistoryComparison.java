package io.gpusched.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.cli.look.JsonAnswer;
import io.gpusched.replay.JobOutcome;
import io.gpusched.replay.Outcome;
import io.gpusched.simulator.report.CurveReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What came of a history side by side: as it was recorded, played by the same rules, and as it would have been. */
final class HistoryComparison {
    private static final int MOST_WORSE = 10;
    private static final long GPU = 1_000;
    private static final String UNITS = "waits in minutes: mean / median / 95th percentile; GPUs as means over time";

    private final Map<String, Outcome> outcomes;
    private final HistoryTimes times;

    /** Compares outcomes by name, the one that was asked for last. */
    HistoryComparison(Map<String, Outcome> outcomes, HistoryTimes times) {
        this.outcomes = new LinkedHashMap<>(outcomes);
        this.times = times;
    }

    private Outcome last() {
        return new ArrayList<>(outcomes.values()).get(outcomes.size() - 1);
    }

    /** The outcome before the last, which differs from it by what was asked for alone. */
    private Outcome base() {
        return new ArrayList<>(outcomes.values()).get(outcomes.size() - 2);
    }

    /** A kind of jobs by name. */
    private Map<String, Predicate<JobOutcome>> kinds() {
        Map<String, Predicate<JobOutcome>> kinds = new LinkedHashMap<>();
        kinds.put("all jobs", job -> true);
        Map<String, Predicate<JobOutcome>> queues = new TreeMap<>();
        outcomes.values()
                .forEach(outcome -> outcome.jobs()
                        .forEach(job -> queues.put(
                                "queue " + job.queue(), each -> each.queue().equals(job.queue()))));
        if (queues.size() > 1) {
            kinds.putAll(queues);
        }
        kinds.put("no GPU", job -> job.gpuMillis() == 0);
        kinds.put("to 1 GPU", job -> job.gpuMillis() > 0 && job.gpuMillis() <= GPU);
        kinds.put("to 8 GPUs", job -> job.gpuMillis() > GPU && job.gpuMillis() <= 8 * GPU);
        kinds.put("more GPUs", job -> job.gpuMillis() > 8 * GPU);
        kinds.values()
                .removeIf(kind -> outcomes.values().stream()
                        .flatMap(outcome -> outcome.jobs().stream())
                        .noneMatch(kind));
        return kinds;
    }

    private List<String> columns() {
        List<String> columns = new ArrayList<>(List.of(""));
        columns.addAll(outcomes.keySet());
        return columns;
    }

    private List<List<String>> rows() {
        List<List<String>> table = new ArrayList<>();
        kinds().forEach((name, kind) -> {
            row(
                    table,
                    name + ": started",
                    outcome -> String.valueOf(outcome.waits(kind).started()));
            row(
                    table,
                    "  wait",
                    outcome -> number(outcome.waits(kind).mean()) + " / "
                            + number(outcome.waits(kind).median()) + " / "
                            + number(outcome.waits(kind).p95()));
        });
        row(
                table,
                "not started by the end",
                outcome -> String.valueOf(outcome.waits(job -> true).open()));
        row(table, "pods evicted", outcome -> String.valueOf(outcome.evictions()));
        row(table, "GPU hours lost", outcome -> decimal(times.hours(outcome.lostGpuTime()) / GPU));
        row(table, "GPUs", outcome -> decimal(outcome.gpus()));
        row(table, "GPUs in use", outcome -> decimal(outcome.usedGpus()));
        row(table, "GPUs stranded", outcome -> decimal(outcome.strandedGpus()));
        row(
                table,
                "promised starts kept",
                outcome -> outcome.kept(job -> true) + " of " + outcome.promised(job -> true));
        return table;
    }

    @Override
    public String toString() {
        TextTable table = new TextTable(1, columns().toArray(String[]::new));
        rows().forEach(table::row);
        StringBuilder text = new StringBuilder(UNITS + "\n\n").append(table);
        List<Worse> worse = worse();
        if (!worse.isEmpty()) {
            TextTable jobs = new TextTable(2, "job", "queue", "GPUs", "waited", "would wait");
            worse.stream()
                    .limit(MOST_WORSE)
                    .forEach(each -> jobs.row(
                            each.job().name(),
                            each.job().queue(),
                            decimal(each.job().gpuMillis() / (double) GPU),
                            number(each.before()),
                            each.job().started().isPresent() ? number(each.after()) : "> " + number(each.after())));
            text.append("\n").append(longer(worse)).append(":\n\n").append(jobs);
        }
        last().notes().forEach(note -> text.append('\n').append("note: ").append(note));
        return text.append(last().notes().isEmpty() ? "" : "\n").toString();
    }

    private static String longer(List<Worse> worse) {
        return worse.size() + (worse.size() == 1 ? " job" : " jobs")
                + " would wait more than a minute longer, the most";
    }

    /** Returns the page: the table, what was in use, stranded and waited over time, and which jobs would wait longer. */
    CurveReport page(String title) {
        List<String> notes = new ArrayList<>(List.of(UNITS));
        notes.addAll(last().notes());
        List<Worse> worse = worse();
        if (!worse.isEmpty()) {
            notes.add(longer(worse) + ": "
                    + worse.stream()
                            .limit(MOST_WORSE)
                            .map(each -> each.job().name() + " (" + number(each.before()) + ", then "
                                    + (each.job().started().isPresent() ? "" : "more than ") + number(each.after())
                                    + ")")
                            .collect(Collectors.joining(", ")));
        }
        Outcome any = last();
        List<CurveReport.Curves> curves = new ArrayList<>();
        outcomes.forEach((name, outcome) -> curves.add(new CurveReport.Curves(name, OutcomeCurves.of(outcome))));
        return new CurveReport(
                title,
                notes,
                columns(),
                rows(),
                "Over time",
                "Means over slices of time. Stranded GPUs are free and no usual pod can use them.",
                times.minutes(OutcomeCurves.width(any)) / 60,
                List.of(
                        new CurveReport.Chart("In use", "GPUs in use", false),
                        new CurveReport.Chart("Stranded", "GPUs stranded", false),
                        new CurveReport.Chart("Waiting", "jobs that wait", false)),
                curves);
    }

    private void row(List<List<String>> table, String name, Function<Outcome, String> value) {
        List<String> cells = new ArrayList<>(List.of(name));
        outcomes.values().forEach(outcome -> cells.add(value.apply(outcome)));
        table.add(cells);
    }

    private String number(double time) {
        return decimal(times.minutes(time));
    }

    private String number(long time) {
        return decimal(times.minutes(time));
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /** A job that waits longer; one that never starts counts until the end. */
    private record Worse(JobOutcome job, long before, long after) {}

    private List<Worse> worse() {
        Map<String, Iterator<JobOutcome>> before = new HashMap<>();
        base().jobs().stream()
                .collect(Collectors.groupingBy(JobOutcome::name))
                .forEach((name, jobs) -> before.put(name, jobs.iterator()));
        long minute = times.unitsPerSecond() * 60;
        List<Worse> worse = new ArrayList<>();
        for (JobOutcome job : last().jobs()) {
            Iterator<JobOutcome> same = before.getOrDefault(job.name(), Collections.emptyIterator());
            if (same.hasNext()) { // the first of a name is compared with the first
                long was = wait(same.next(), base());
                if (!job.old() && wait(job, last()) > was + minute) {
                    worse.add(new Worse(job, was, wait(job, last())));
                }
            }
        }
        worse.sort(Comparator.comparingLong((Worse each) -> each.before() - each.after())
                .thenComparing(each -> each.job().name()));
        return worse;
    }

    private static long wait(JobOutcome job, Outcome outcome) {
        return job.waited().orElse(job.ended().orElse(outcome.to()) - job.arrived());
    }

    /** Returns the numbers as JSON. */
    ObjectNode json() {
        ObjectNode document = JsonAnswer.object();
        document.put("version", 1);
        document.put("unitsPerSecond", times.unitsPerSecond());
        ObjectNode all = document.putObject("outcomes");
        outcomes.forEach((name, outcome) -> {
            ObjectNode one = all.putObject(name);
            ObjectNode waits = one.putObject("waits");
            kinds().forEach((kind, which) -> {
                Outcome.Waits numbers = outcome.waits(which);
                waits.putObject(kind)
                        .put("started", numbers.started())
                        .put("notStarted", numbers.open())
                        .put("mean", numbers.mean())
                        .put("median", numbers.median())
                        .put("p95", numbers.p95());
            });
            one.put("evictedPods", outcome.evictions());
            one.put("lostGpuHours", times.hours(outcome.lostGpuTime()) / GPU);
            one.put("gpus", outcome.gpus());
            one.put("usedGpus", outcome.usedGpus());
            one.put("strandedGpus", outcome.strandedGpus());
            one.put("promisedStarts", outcome.promised(job -> true));
            one.put("keptStarts", outcome.kept(job -> true));
            ArrayNode notes = one.putArray("notes");
            outcome.notes().forEach(notes::add);
        });
        ArrayNode worse = document.putArray("worse");
        worse().forEach(each -> worse.addObject()
                .put("job", each.job().name())
                .put("queue", each.job().queue())
                .put("gpuMillis", each.job().gpuMillis())
                .put("waited", each.before())
                .put("wouldWait", each.after())
                .put("starts", each.job().started().isPresent()));
        return document;
    }
}
