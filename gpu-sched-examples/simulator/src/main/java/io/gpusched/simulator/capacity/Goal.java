package io.gpusched.simulator.capacity;

import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What must hold, written {@code mean wait < 10m}: {@code mean}, {@code median}, {@code p95} or {@code p99} wait below a time in
 * {@code s}, {@code m} or {@code h}.
 *
 * @param text the goal as it was written
 * @param number which number it is about
 * @param minutes the time that it must be below
 */
public record Goal(String text, ToDoubleFunction<RunNumbers> number, double minutes) {
    private static final Pattern FORM = Pattern.compile("(mean|median|p95|p99) wait < ([0-9]+(?:\\.[0-9]+)?)(s|m|h)");

    private static ToDoubleFunction<RunNumbers> number(String name) {
        return switch (name) {
            case "mean" -> RunNumbers::meanWaitMinutes;
            case "median" -> RunNumbers::medianWaitMinutes;
            case "p95" -> RunNumbers::p95WaitMinutes;
            default -> RunNumbers::p99WaitMinutes;
        };
    }

    private static double minutes(String number, String unit) {
        double amount = Double.parseDouble(number);
        return switch (unit) {
            case "s" -> amount / 60;
            case "m" -> amount;
            default -> 60 * amount;
        };
    }

    private static String words(Interval interval) {
        return String.format(Locale.ROOT, " (95 %% interval %.1f..%.1f)", interval.low(), interval.high());
    }

    /**
     * Reads a goal.
     *
     * @throws IllegalArgumentException if it is not written so
     */
    public static Goal parse(String text) {
        Matcher form = FORM.matcher(text.strip().replaceAll("\\s+", " ").replaceAll(" ?< ?", " < "));
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "expected a goal such as \"mean wait < 10m\" or \"p95 wait < 2h\", got \"" + text + "\"");
        }
        return new Goal(form.group(), number(form.group(1)), minutes(form.group(2), form.group(3)));
    }

    /** Returns the number that it is about: the mean over the runs. */
    public double of(ClusterResult result) {
        return result.mean(number);
    }

    /**
     * Returns whether it holds: for the whole interval where there is one, else for the list as it is. It does not where jobs never start.
     */
    public boolean holds(ClusterResult result) {
        return result.neverStarted() == 0
                && result.interval(number).map(Interval::high).orElse(of(result)) < minutes;
    }

    /** Returns how far it is met, in words. */
    String words(ClusterResult result) {
        String name = text.substring(0, text.indexOf(" <"));
        String number = String.format(Locale.ROOT, "%s %.1f min", name, of(result))
                + result.interval(number()).map(Goal::words).orElse("");
        return result.neverStarted() == 0
                ? number
                : number + String.format(Locale.ROOT, ", and %.0f jobs never start", result.neverStarted());
    }
}
