package io.gpusched.simulator.paper;

import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.gpusched.simulator.RunListener;
import io.gpusched.simulator.RunResult;
import io.gpusched.simulator.trace.SharedTraces;
import io.gpusched.simulator.trace.SmallTraces;
import io.gpusched.simulator.trace.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
        Map<String, Workload> workloads = new HashMap<>();
        int compared = compare(
                SharedTraces.openb().resolve("expected_points.csv"),
                trace -> workloads.computeIfAbsent(trace, SharedTraces::workload));
        assertThat(compared).isEqualTo(5 * POLICIES.size() * SEEDS);
    }

    @Test
    void curves_onAThirtiethOfTheTraceAreAsRecorded() throws IOException {
        Workload small = SmallTraces.workload();
        int compared = compare(SmallTraces.openb().resolve("points_small.csv"), trace -> small);
        assertThat(compared).isEqualTo(POLICIES.size());
    }

    /** Returns how many rows of the file were compared. */
    private static int compare(Path file, Function<String, Workload> workloads) throws IOException {
        List<String> differences = new ArrayList<>();
        int compared = 0;
        try (CsvReader<NamedCsvRecord> rows = CsvReader.builder().ofNamedCsvRecord(file)) {
            for (NamedCsvRecord row : rows) {
                long seed = Long.parseLong(row.getField("seed"));
                String policy = POLICIES.get(row.getField("policy"));
                if (policy == null || seed >= 42 + SEEDS) {
                    continue;
                }
                Workload workload = workloads.apply(row.getField("workload"));
                RunResult run = PaperRuns.play(workload, PublishedOrder.of(workload, seed), policy, RunListener.NONE);
                compare(row, run, differences);
                compared++;
            }
        }
        assertThat(differences).isEmpty();
        return compared;
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
