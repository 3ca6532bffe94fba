package io.gpusched.simulator.mig;

import io.gpusched.simulator.Estimate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What was accepted in one mix on one kind of model.
 *
 * @param models the models
 * @param mix the mix
 * @param orders what was accepted in each order of arrival, at least one
 */
public record MigRow(String models, String mix, List<MigOrder> orders) {
    private static final String LIBRARY = "look-ahead";
    private static final String MOVES = "with moves";
    private static final String AVERAGES = "averages";

    /** Copies the list. */
    public MigRow {
        orders = List.copyOf(orders);
    }

    /** Returns the heading of a table of {@linkplain #percents parts}. */
    static String heading() {
        StringBuilder text = new StringBuilder("| models | mix |");
        for (SliceRule rule : SliceRule.values()) {
            text.append(" ").append(rule).append(" |");
        }
        return text.append(" " + LIBRARY + " | " + MOVES + " | " + AVERAGES + " |\n")
                .append("|---|---|")
                .append("---:|".repeat(SliceRule.values().length + 3))
                .toString();
    }

    /** Returns the parts of the pods that were accepted, in percent, as a line of a table. */
    String percents() {
        StringBuilder text = start();
        parts().values().forEach(part -> text.append(percent(part)));
        return text.toString();
    }

    /** Returns the parts of the pods that were accepted, by rule, and that could be. */
    Map<String, Double> parts() {
        long counted = orders.stream().mapToLong(MigOrder::counted).sum();
        Map<String, Double> parts = new LinkedHashMap<>();
        List<String> names = Stream.concat(Stream.of(SliceRule.values()).map(SliceRule::toString), Stream.of(LIBRARY))
                .toList();
        for (int rule = 0; rule < names.size(); rule++) {
            int column = rule;
            long accepted = orders.stream()
                    .mapToLong(order -> order.accepted().get(column))
                    .sum();
            parts.put(names.get(rule), (double) accepted / counted);
        }
        parts.put(MOVES, (double) orders.stream().mapToLong(MigOrder::repacked).sum() / counted);
        parts.put(
                AVERAGES, orders.stream().mapToDouble(MigOrder::bound).average().orElse(0));
        return parts;
    }

    /** Returns what each rule does, and what the bounds are. */
    static Map<String, String> meanings() {
        Map<String, String> meanings = new LinkedHashMap<>();
        for (SliceRule rule : SliceRule.values()) {
            meanings.put(rule.toString(), rule.meaning());
        }
        meanings.put(LIBRARY, "the library's policy LookAhead, which knows the mix");
        meanings.put(MOVES, "an upper bound: all that run could be moved at any time");
        meanings.put(AVERAGES, "an upper bound: all came and went as on average");
        return meanings;
    }

    /** Returns the heading of a table of {@linkplain #gains gains}. */
    static String gainHeading() {
        StringBuilder text = new StringBuilder("| models | mix |");
        for (SliceRule rule : SliceRule.values()) {
            text.append(" ").append(rule).append(" |");
        }
        return text.append("\n|---|---|")
                .append("---:|".repeat(SliceRule.values().length))
                .toString();
    }

    /**
     * Returns what the library accepts more than each other rule, in points with the standard error, as a line of a table: the
     * differences order by order, in which what the orders have in common cancels.
     */
    String gains() {
        StringBuilder text = start();
        for (int rule = 0; rule < SliceRule.values().length; rule++) {
            int column = rule;
            Estimate gain =
                    Estimate.of(orders.stream().map(order -> order.gain(column)).toList());
            text.append(String.format(
                    Locale.ROOT, " %+.3f ± %.3f |", gain.mean(), gain.deviation() / Math.sqrt(gain.runs())));
        }
        return text.toString();
    }

    private StringBuilder start() {
        return new StringBuilder("| " + models + " | " + mix + " |");
    }

    static String percent(double part) {
        return String.format(Locale.ROOT, " %.2f |", 100 * part);
    }
}
