package io.gpusched.simulator.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.simulator.trace.SharedTraces;
import io.gpusched.simulator.trace.SmallTraces;
import io.gpusched.simulator.trace.Workload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares whole runs with what the authors' own program did, placement by placement. */
class GoldenPlacementsTest {
    @ParameterizedTest
    @CsvSource({
        "fgd-paper,FGD",
        "best-fit-paper,BestFit",
        "dot-product-paper,DotProd",
        "gpu-packing-paper,GpuPacking",
        "gpu-clustering-paper,GpuClustering"
    })
    void run_placesEveryPodWhereTheAuthorsProgramDid(String policy, String published) throws IOException {
        Path golden = SharedTraces.openb().resolve("golden/placements_default_" + published + "_seed42.txt.gz");
        List<String> expected = lines(golden);
        Workload workload = SharedTraces.workload("default");
        List<String> actual = PaperRuns.placements(workload, PublishedOrder.of(workload, 42), policy);
        for (int at = 0; at < expected.size(); at++) {
            assertThat(actual.get(at)).as("placement %d", at).isEqualTo(expected.get(at));
        }
        assertThat(expected).hasSizeGreaterThan(10_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"fgd-paper", "best-fit-paper", "dot-product-paper", "gpu-packing-paper", "gpu-clustering-paper"})
    void run_onAThirtiethOfTheTracePlacesEveryPodAsRecorded(String policy) {
        List<String> lines = SmallTraces.lines("placements_small_seed42.csv");
        int column = List.of(lines.get(0).split(",", -1)).indexOf(policy);
        List<String> expected = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            expected.add(cells[0] + " " + cells[column]);
        }
        Workload workload = SmallTraces.workload();
        assertThat(PaperRuns.placements(workload, PublishedOrder.of(workload, 42), policy))
                .containsExactlyElementsOf(expected);
    }

    private static List<String> lines(Path file) throws IOException {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            return reader.lines().toList();
        }
    }
}
