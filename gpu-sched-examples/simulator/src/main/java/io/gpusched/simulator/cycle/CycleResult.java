package io.gpusched.simulator.cycle;

import io.gpusched.simulator.replay.Sample;
import io.gpusched.simulator.replay.SteadyState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;

/**
 * What came of a replay.
 *
 * @param jobs the jobs by time of arrival
 * @param series means by slices of time, for each queue that has no parts
 * @param sliceHours the length of a slice in hours
 * @param arrivalSlices how many slices cover the time in which jobs arrive
 * @param moves how many pods moved to make room
 * @param never why jobs never started, by their names
 */
public record CycleResult(
        List<PlayedJob> jobs,
        Map<String, List<QueueSample>> series,
        double sliceHours,
        int arrivalSlices,
        int moves,
        Map<String, String> never) {
    /** The name of the row for all queues together. */
    public static final String ALL = "all queues";

    static final double MINUTE = 60;
    private static final double HIGH = 99;
    private static final double HALF = 50;

    /** Copies the collections. */
    public CycleResult {
        jobs = List.copyOf(jobs);
        series = Collections.unmodifiableMap(new LinkedHashMap<>(series));
        never = Collections.unmodifiableMap(new LinkedHashMap<>(never));
    }

    /** Returns a row for each queue that has no parts, and one for all of them at the end. */
    public List<QueueNumbers> numbers() {
        List<QueueNumbers> rows = new ArrayList<>();
        for (String queue : series.keySet()) {
            rows.add(numbers(
                    queue,
                    jobs.stream().filter(job -> job.queue().equals(queue)).toList(),
                    mean(queue, QueueSample::usedPercent),
                    mean(queue, QueueSample::fairPercent)));
        }
        rows.add(numbers(
                ALL,
                jobs,
                rows.stream().mapToDouble(QueueNumbers::usedPercent).sum(),
                rows.stream().mapToDouble(QueueNumbers::fairPercent).sum()));
        return rows;
    }

    /** Returns why the second half of the arrivals was no steady state, or nothing where it was one. */
    public Optional<String> unsteady() {
        List<Sample> samples = new ArrayList<>();
        for (int slice = 0; slice < arrivalSlices; slice++) {
            double used = 0;
            double waiting = 0;
            for (List<QueueSample> queue : series.values()) {
                used += slice < queue.size() ? queue.get(slice).usedPercent() : 0;
                waiting += slice < queue.size() ? queue.get(slice).waiting() : 0;
            }
            samples.add(new Sample(slice * sliceHours, used, 0, 0, waiting));
        }
        return SteadyState.objection(samples);
    }

    /** Returns how well the starts were kept that jobs were told. */
    public Promises promises() {
        return Promises.of(jobs);
    }

    private static QueueNumbers numbers(String queue, List<PlayedJob> jobs, double used, double fair) {
        List<PlayedJob> started =
                jobs.stream().filter(job -> job.ended().isPresent()).toList();
        double[] waits = minutes(started, PlayedJob::waited);
        double[] completions = minutes(started, PlayedJob::completion);
        return new QueueNumbers(
                queue,
                jobs.size(),
                jobs.size() - started.size(),
                mean(waits),
                percentile(waits, HALF),
                percentile(waits, 95),
                percentile(waits, HIGH),
                mean(completions),
                jobs.stream().mapToInt(PlayedJob::evictions).sum(),
                used,
                fair);
    }

    private static double[] minutes(List<PlayedJob> jobs, ToLongFunction<PlayedJob> seconds) {
        return jobs.stream()
                .mapToDouble(job -> seconds.applyAsLong(job) / MINUTE)
                .toArray();
    }

    static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return values.length == 0 ? 0 : sum / values.length;
    }

    private static double percentile(double[] values, double percent) {
        return values.length == 0 ? 0 : new Percentile(percent).evaluate(values);
    }

    /** The mean of a queue while jobs arrive. */
    private double mean(String queue, ToDoubleFunction<QueueSample> value) {
        return series.getOrDefault(queue, List.of()).stream()
                        .limit(arrivalSlices)
                        .mapToDouble(value)
                        .sum()
                / Math.max(1, arrivalSlices);
    }
}
