package io.gpusched.examples.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.examples.simulate.ArrivalSequence;
import io.gpusched.examples.simulate.Run;
import io.gpusched.examples.simulate.TypicalMix;
import io.gpusched.examples.trace.ArrivalOrder;
import io.gpusched.examples.trace.SharedTraces;
import io.gpusched.examples.trace.Workload;
import io.gpusched.model.Placement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        List<String> actual = placements(policy, "default", 42);
        for (int at = 0; at < expected.size(); at++) {
            assertThat(actual.get(at)).as("placement %d", at).isEqualTo(expected.get(at));
        }
        assertThat(expected).hasSizeGreaterThan(10_000);
    }

    private static List<String> placements(String policy, String trace, long seed) {
        Workload workload = SharedTraces.workload(trace);
        ArrivalOrder order = SharedTraces.orders(workload).get(seed);
        ArrivalSequence arrivals = ArrivalSequence.of(workload, order);
        TypicalMix mix = TypicalMix.of(workload.pods());
        List<String> lines = new ArrayList<>();
        Run.play(
                workload,
                policy,
                arrivals,
                mix,
                PaperPolicies.placer(policy, workload, arrivals, mix),
                (pod, placement) ->
                        lines.add(lines.size() + " " + pod.name() + " " + where(workload, order, placement)));
        return lines;
    }

    private static String where(Workload workload, ArrivalOrder order, Optional<Placement> placement) {
        if (placement.isEmpty()) {
            return "FAIL";
        }
        String node = placement.get().node();
        int row = workload.nodes().stream().map(n -> n.name()).toList().indexOf(node);
        return String.format(
                        "%04d-%s %s",
                        order.nodeRanks().get(row), node, placement.get().gpus())
                .replace(",", "");
    }

    private static List<String> lines(Path file) throws IOException {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            return reader.lines().toList();
        }
    }
}
