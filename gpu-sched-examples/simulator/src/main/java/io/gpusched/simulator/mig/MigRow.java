package io.gpusched.simulator.mig;

import io.gpusched.simulator.Estimate;
import java.util.List;
import java.util.Locale;

/**
 * What was accepted in one mix on one kind of model.
 *
 * @param models the models
 * @param mix the mix
 * @param orders what was accepted in each order of arrival, at least one
 */
public record MigRow(String models, String mix, List<MigOrder> orders) {
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
        return text.append(" look-ahead | with moves | averages |\n")
                .append("|---|---|")
                .append("---:|".repeat(SliceRule.values().length + 3))
                .toString();
    }

    /** Returns the parts of the pods that were accepted, in percent, as a line of a table. */
    String percents() {
        long counted = orders.stream().mapToLong(MigOrder::counted).sum();
        StringBuilder text = start();
        for (int rule = 0; rule <= SliceRule.values().length; rule++) {
            int column = rule;
            text.append(percent((double) orders.stream()
                            .mapToLong(order -> order.accepted().get(column))
                            .sum()
                    / counted));
        }
        text.append(
                percent((double) orders.stream().mapToLong(MigOrder::repacked).sum() / counted));
        return text.append(percent(
                        orders.stream().mapToDouble(MigOrder::bound).average().orElse(0)))
                .toString();
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
