package io.gpusched.cli;

import io.gpusched.simulator.Estimate;
import io.gpusched.simulator.PolicySummary;
import io.gpusched.simulator.paper.Published;
import io.gpusched.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The paper's table beside ours: a row for each trace and policy, then the mean over the traces. */
final class PaperTable {
    private static final List<Integer> PERCENTS = List.of(100, 130);
    private static final String REFERENCE = "fgd-paper";

    private final Published published;
    private final TextTable table = new TextTable(
            2,
            "trace",
            "policy",
            "at 100 %",
            "± 95 %",
            "published",
            "vs fgd",
            "at 130 %",
            "± 95 %",
            "published",
            "vs fgd");
    /** For each policy the sums over traces: allocated at 100 and 130, and what that is above the reference. */
    private final Map<String, double[]> sums = new LinkedHashMap<>();

    private int traces;

    PaperTable(Published published) {
        this.published = published;
    }

    /** Adds what came of the runs on one trace. */
    void add(Workload workload, List<PolicySummary> summaries) {
        traces++;
        Optional<PolicySummary> reference = summaries.stream()
                .filter(summary -> summary.policy().equals(REFERENCE))
                .findFirst();
        for (PolicySummary summary : summaries) {
            double[] sum = sums.computeIfAbsent(summary.policy(), unused -> new double[4]);
            List<String> cells = new ArrayList<>(List.of(workload.name(), summary.policy()));
            for (int i = 0; i < PERCENTS.size(); i++) {
                int percent = PERCENTS.get(i);
                Estimate ours = summary.allocatedPercent(percent);
                double gain = reference
                        .map(fgd -> ours.mean() - fgd.allocatedPercent(percent).mean())
                        .orElse(Double.NaN);
                sum[i] += ours.mean();
                sum[2 + i] += gain;
                cells.add(SummaryTable.number("%.2f", ours.mean()));
                cells.add(SummaryTable.halfWidth(ours));
                cells.add(published(workload, summary, percent));
                cells.add(gain(summary.policy(), gain));
            }
            table.row(cells);
        }
    }

    /** Adds what no policy could exceed on the trace added last, at 100 and at 130 percent. */
    void addBound(Workload workload, long seed, double at100, double at130) {
        table.row(
                workload.name(),
                "upper bound, seed " + seed,
                SummaryTable.number("%.2f", at100),
                "",
                "",
                "",
                SummaryTable.number("%.2f", at130));
    }

    private String published(Workload workload, PolicySummary summary, int percent) {
        OptionalDouble mean = published.allocatedPercent(workload.name(), summary.policy(), percent);
        return mean.isPresent() ? SummaryTable.number("%.2f", mean.getAsDouble()) : "-";
    }

    private static String gain(String policy, double gain) {
        return policy.equals(REFERENCE) ? "-" : SummaryTable.number("%+.2f", gain);
    }

    @Override
    public String toString() {
        TextTable means =
                new TextTable(1, "mean over " + traces + " traces", "at 100 %", "vs fgd", "at 130 %", "vs fgd");
        sums.forEach((policy, sum) -> means.row(
                policy,
                SummaryTable.number("%.2f", sum[0] / traces),
                gain(policy, sum[2] / traces),
                SummaryTable.number("%.2f", sum[1] / traces),
                gain(policy, sum[3] / traces)));
        return table + "\n" + means;
    }
}
