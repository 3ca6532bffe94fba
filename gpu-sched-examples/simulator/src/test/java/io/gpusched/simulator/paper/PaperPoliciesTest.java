package io.gpusched.simulator.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.simulator.ArrivalSequence;
import io.gpusched.simulator.FragmentationMeter;
import io.gpusched.simulator.RunListener;
import io.gpusched.simulator.RunResult;
import io.gpusched.simulator.TypicalMix;
import io.gpusched.simulator.trace.ArrivalOrder;
import io.gpusched.simulator.trace.SmallTraces;
import io.gpusched.simulator.trace.TraceException;
import io.gpusched.simulator.trace.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class PaperPoliciesTest {
    @SuppressWarnings("unused") // read by FieldSource
    private static final List<String> NAMES = PaperPolicies.NAMES;

    @TempDir
    private Path folder;

    private final Workload small = SmallTraces.workload();
    private final ArrivalOrder order = PublishedOrder.of(small, 42);

    @ParameterizedTest
    @FieldSource("NAMES")
    void run_placesNothingTwiceAndGivesTheSameAgain(String policy) {
        List<String> first = PaperRuns.placements(small, order, policy);
        assertThat(first).hasSize(order.rows().size());
        assertThat(first.stream().filter(line -> !line.endsWith("FAIL"))).hasSizeGreaterThan(200);
        assertThat(PaperRuns.placements(small, order, policy)).isEqualTo(first);
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void run_staysBelowTheUpperBound(String policy) {
        RunResult run = PaperRuns.play(small, order, policy, RunListener.NONE);
        double bound = PaperBound.allocatedPercent(small, ArrivalSequence.of(small, order), 100);
        assertThat(run.at(100).allocatedPercent()).isLessThanOrEqualTo(bound);
        assertThat(bound).isBetween(90.0, 100.0);
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void fragments_ofThePapersFormAreThoseOfTheExactMeter(String policy) {
        RunResult run = PaperRuns.play(small, order, policy, RunListener.NONE);
        TypicalMix mix = TypicalMix.of(small.pods());
        FragmentationMeter meter = new FragmentationMeter(mix);
        PaperNodes nodes = new PaperNodes(small, order.nodeRanks());
        PaperFragmentation doubles = new PaperFragmentation(mix, nodes);
        Cluster end = run.end();
        nodes.update(end);
        for (int rank = 0; rank < nodes.size; rank++) {
            NodeState state = end.node(nodes.name(rank)).orElseThrow();
            assertThat(doubles.of(nodes.model[rank], nodes.cpuLeft[rank], nodes.left[rank]))
                    .isCloseTo((double) meter.weighed(state) / meter.weight(), within(1e-6));
        }
    }

    @Test
    void name_thatIsNoneOfThemIsRefused() {
        ArrivalSequence arrivals = ArrivalSequence.of(small, order);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PaperPolicies.placer("fgd", small, arrivals, TypicalMix.of(small.pods())))
                .withMessageStartingWith("policy must be one of random-paper, dot-product-paper")
                .withMessageEndingWith(", got \"fgd\"");
    }

    @Test
    void traces_ofAFolderComeWithDefaultFirst() throws IOException {
        for (String name : List.of("zeta", "default", "alpha")) {
            Files.createFile(folder.resolve("openb_pod_list_" + name + ".csv"));
        }
        Files.createFile(folder.resolve("other.csv"));
        assertThat(PaperTrace.in(folder)).extracting(PaperTrace::name).containsExactly("default", "alpha", "zeta");
    }

    @Test
    void folderWithoutTraces_isRefused() {
        for (Path none : List.of(folder, folder.resolve("missing"))) {
            assertThatExceptionOfType(TraceException.class)
                    .isThrownBy(() -> PaperTrace.in(none))
                    .withMessage(
                            "folder \"%s\": expected files openb_pod_list_NAME.csv, got none".formatted(none)
                                    + "\nMaybe name the folder with --traces; github.com/hkust-adsl/kubernetes-scheduler-simulator has them in data/csv.");
        }
    }

    @Test
    void recordedOrders_mustHaveTheSeed() throws IOException {
        Path orders = Files.writeString(
                folder.resolve("o.txt"),
                "seed=7 0 1\nnoderank=7" + ranks(small.nodes().size()) + "\n");
        assertThat(PaperTrace.arrivals(small, orders, List.of(7L)).get(0).pods())
                .hasSize(2);
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> PaperTrace.arrivals(small, orders, List.of(7L, 8L)))
                .withMessage("file \"%s\": has the seeds [7], asked for 8", orders);
    }

    private static String ranks(int nodes) {
        StringBuilder text = new StringBuilder();
        for (int rank = 0; rank < nodes; rank++) {
            text.append(' ').append(rank);
        }
        return text.toString();
    }
}
