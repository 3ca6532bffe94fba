package io.gpusched.cli;

import io.gpusched.simulator.Estimate;
import io.gpusched.simulator.PolicySummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The closing table of a simulation: a row for each policy. */
final class SummaryTable {
    private SummaryTable() {}

    /** Returns the table for these arrived percents. */
    static String of(List<PolicySummary> summaries, List<Integer> percents) {
        List<String> header = new ArrayList<>(List.of("policy"));
        for (int percent : percents) {
            header.addAll(List.of("at " + percent + " %: mean", "sd", "95 % CI", "frag"));
        }
        header.addAll(List.of("time s", "decisions/s"));
        TextTable table = new TextTable(1, header.toArray(String[]::new));
        for (PolicySummary summary : summaries) {
            table.row(row(summary, percents));
        }
        return table.toString();
    }

    private static List<String> row(PolicySummary summary, List<Integer> percents) {
        List<String> cells = new ArrayList<>(List.of(summary.policy()));
        for (int percent : percents) {
            Estimate allocated = summary.allocatedPercent(percent);
            cells.add(number("%.2f", allocated.mean()));
            cells.add(number("%.2f", allocated.deviation()));
            cells.add(interval(allocated));
            cells.add(number("%.2f", summary.fragPercent(percent).mean()));
        }
        cells.add(number("%.1f", summary.seconds()));
        cells.add(number("%,.0f", summary.decisionsPerSecond()));
        return cells;
    }

    /** Returns the 95 % confidence interval of a percentage, which stays within 0..100. */
    static String interval(Estimate percent) {
        return Double.isNaN(percent.halfWidth())
                ? "-"
                : number("%.2f", percent.lowPercent()) + ".." + number("%.2f", percent.highPercent());
    }

    /**
     * Returns half the width of the 95 % confidence interval of a percentage, or the interval itself where it ends at 0 or
     * 100 and its halves differ.
     */
    static String halfWidth(Estimate percent) {
        boolean isWhole = percent.mean() - percent.halfWidth() >= 0 && percent.mean() + percent.halfWidth() <= 100;
        return isWhole ? number("%.2f", percent.halfWidth()) : interval(percent);
    }

    static String number(String format, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
    }
}
