package io.gpusched.examples.paper;

import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.gpusched.examples.simulate.ArrivalSequence;
import io.gpusched.examples.simulate.Run;
import io.gpusched.examples.simulate.RunListener;
import io.gpusched.examples.simulate.RunResult;
import io.gpusched.examples.simulate.TypicalMix;
import io.gpusched.examples.trace.ArrivalOrder;
import io.gpusched.examples.trace.SharedTraces;
import io.gpusched.examples.trace.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Compares whole curves with the published ones, to the printed digit. */
class ExpectedPointsTest {
    private static final List<Integer> PERCENTS = List.of(60, 80, 90, 95, 100, 110, 120, 130);
    private static final Map<String, String> POLICIES = Map.of(
            "02-DotProd", "dot-product-paper",
            "03-GpuClustering", "gpu-clustering-paper",
            "04-GpuPacking", "gpu-packing-paper",
            "05-BestFit", "best-fit-paper",
            "06-FGD", "fgd-paper");
    /** How many of the ten seeds each trace is run with; 10 takes minutes. */
    private static final int SEEDS = Integer.getInteger("gpusched.test.seeds", 1);

    @Test
    void curves_ofTheDeterministicPoliciesEqualThePublishedOnes() throws IOException {
        List<String> differences = new ArrayList<>();
        int compared = 0;
        String trace = "";
        Workload workload = null;
        Map<Long, ArrivalOrder> orders = Map.of();
        try (CsvReader<NamedCsvRecord> rows =
                CsvReader.builder().ofNamedCsvRecord(SharedTraces.openb().resolve("expected_points.csv"))) {
            for (NamedCsvRecord row : rows) {
                long seed = Long.parseLong(row.getField("seed"));
                String policy = POLICIES.get(row.getField("policy"));
                if (policy == null || seed >= 42 + SEEDS) {
                    continue;
                }
                if (!trace.equals(row.getField("workload"))) {
                    trace = row.getField("workload");
                    workload = SharedTraces.workload(trace);
                    orders = SharedTraces.orders(workload);
                }
                compare(row, run(workload, orders.get(seed), policy), differences);
                compared++;
            }
        }
        assertThat(compared).isPositive();
        assertThat(differences).isEmpty();
    }

    private static RunResult run(Workload workload, ArrivalOrder order, String policy) {
        ArrivalSequence arrivals = ArrivalSequence.of(workload, order);
        TypicalMix mix = TypicalMix.of(workload.pods());
        return Run.play(
                workload,
                policy,
                arrivals,
                mix,
                PaperPolicies.placer(policy, workload, arrivals, mix),
                RunListener.NONE);
    }

    private static void compare(NamedCsvRecord row, RunResult result, List<String> differences) {
        for (int percent : PERCENTS) {
            compare(row, "alloc" + percent, result.at(percent).allocatedPercent(), 0, differences);
            compare(row, "fragpct" + percent, result.at(percent).fragPercent(), 0, differences);
            // The published means are of ratios that were printed first, so half a printed digit may tip either way.
            compare(row, "fragratio" + percent, result.at(percent).fragRatioPercent(), 0.0101, differences);
        }
    }

    private static void compare(
            NamedCsvRecord row, String column, double actual, double slack, List<String> differences) {
        double expected = Double.parseDouble(row.getField(column));
        if (Math.abs(actual - expected) > slack) {
            differences.add(row.getField("workload") + " " + row.getField("policy") + " " + row.getField("seed") + " "
                    + column + ": expected " + expected + ", got " + actual);
        }
    }
}
