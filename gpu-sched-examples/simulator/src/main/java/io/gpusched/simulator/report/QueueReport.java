package io.gpusched.simulator.report;

import io.gpusched.simulator.cycle.CycleResult;
import io.gpusched.simulator.cycle.QueueNumbers;
import io.gpusched.simulator.cycle.QueueSample;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What the page of a replay through queues shows.
 *
 * @param title its heading
 * @param notes what was played, a line each
 * @param stepHours length of a slice of time in hours
 * @param numbers a row for each queue and one for all
 * @param policies the curves of each queue; named as the scripts of all pages name them
 */
public record QueueReport(
        String title, List<String> notes, double stepHours, List<QueueNumbers> numbers, List<Curves> policies) {
    /** Copies the lists. */
    public QueueReport {
        notes = List.copyOf(notes);
        numbers = List.copyOf(numbers);
        policies = List.copyOf(policies);
    }

    /**
     * The curves of a queue, a value for each slice of time.
     *
     * @param name the queue
     * @param used GPUs in use, in percent of the cluster's
     * @param fair its fair share, in percent of the cluster's GPUs
     * @param waiting jobs that wait
     */
    public record Curves(String name, List<Double> used, List<Double> fair, List<Double> waiting) {}

    /** Returns the report of a replay. */
    public static QueueReport of(String title, List<String> notes, CycleResult result) {
        List<Curves> curves = new ArrayList<>();
        result.series()
                .forEach((queue, samples) -> curves.add(new Curves(
                        queue,
                        curve(samples, QueueSample::usedPercent),
                        curve(samples, QueueSample::fairPercent),
                        curve(samples, QueueSample::waiting))));
        return new QueueReport(title, notes, result.sliceHours(), result.numbers(), curves);
    }

    private static List<Double> curve(List<QueueSample> samples, ToDoubleFunction<QueueSample> value) {
        return samples.stream()
                .map(sample -> Math.round(100 * value.applyAsDouble(sample)) / 100.0)
                .toList();
    }
}
