package io.gpusched.simulator.report;

import io.gpusched.simulator.cycle.CycleResult;
import io.gpusched.simulator.cycle.QueueNumbers;
import io.gpusched.simulator.cycle.QueueSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A page of a table and of curves over time that are compared: of the queues of one replay, or of several replays.
 *
 * @param title its heading
 * @param notes what was played, a line each
 * @param columns the heads of the table
 * @param rows its rows
 * @param heading the heading of the curves
 * @param explanation what the curves show
 * @param stepHours length of a slice of time in hours
 * @param charts what is drawn, a chart each
 * @param policies what is compared, a curve each in every chart; named as the scripts of all pages name it
 */
public record CurveReport(
        String title,
        List<String> notes,
        List<String> columns,
        List<List<String>> rows,
        String heading,
        String explanation,
        double stepHours,
        List<Chart> charts,
        List<Curves> policies) {
    /** Copies the lists. */
    public CurveReport {
        notes = List.copyOf(notes);
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        charts = List.copyOf(charts);
        policies = List.copyOf(policies);
    }

    /**
     * A chart.
     *
     * @param title its title
     * @param unit what is on its vertical axis
     * @param percent whether that goes to 100
     */
    public record Chart(String title, String unit, boolean percent) {}

    /**
     * What is compared with others.
     *
     * @param name its name
     * @param values for each chart a value for each slice of time
     */
    public record Curves(String name, List<List<Double>> values) {
        /** Rounds the values to hundredths. */
        public Curves {
            values = values.stream()
                    .map(curve -> curve.stream()
                            .map(value -> Math.round(100 * value) / 100.0)
                            .toList())
                    .toList();
        }
    }

    /** Returns the page of the queues of a replay. */
    public static CurveReport ofQueues(String title, List<String> notes, CycleResult result) {
        List<Curves> curves = new ArrayList<>();
        result.series()
                .forEach((queue, samples) -> curves.add(new Curves(
                        queue,
                        List.of(
                                curve(samples, QueueSample::usedPercent),
                                curve(samples, QueueSample::fairPercent),
                                curve(samples, QueueSample::waiting)))));
        return new CurveReport(
                title,
                notes,
                List.of(
                        "queue",
                        "jobs",
                        "mean wait, min",
                        "median, min",
                        "95 %, min",
                        "99 %, min",
                        "completion, min",
                        "evictions",
                        "in use",
                        "fair share",
                        "never started"),
                result.numbers().stream().map(CurveReport::row).toList(),
                "Queues over time",
                "Means over slices of time. A queue's fair share follows what all queues ask for at that time.",
                result.sliceHours(),
                List.of(
                        new Chart("In use", "GPUs in use, %", true),
                        new Chart("Fair share", "fair share of the GPUs, %", true),
                        new Chart("Waiting", "jobs that wait", false)),
                curves);
    }

    private static List<Double> curve(List<QueueSample> samples, ToDoubleFunction<QueueSample> value) {
        return samples.stream().map(value::applyAsDouble).toList();
    }

    private static List<String> row(QueueNumbers row) {
        return List.of(
                row.queue(),
                String.valueOf(row.jobs()),
                minutes(row.meanWaitMinutes()),
                minutes(row.medianWaitMinutes()),
                minutes(row.p95WaitMinutes()),
                minutes(row.p99WaitMinutes()),
                minutes(row.meanCompletionMinutes()),
                String.valueOf(row.evictions()),
                percent(row.usedPercent()),
                percent(row.fairPercent()),
                String.valueOf(row.neverStarted()));
    }

    private static String minutes(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String percent(double value) {
        return String.format(Locale.ROOT, "%.2f %%", value);
    }
}
