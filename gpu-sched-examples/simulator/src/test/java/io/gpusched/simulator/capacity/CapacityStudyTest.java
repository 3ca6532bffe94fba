package io.gpusched.simulator.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.simulator.replay.ReplaySettings;
import io.gpusched.simulator.replay.Scenario;
import io.gpusched.simulator.trace.GangTrace;
import io.gpusched.simulator.trace.Lifetime;
import io.gpusched.simulator.trace.NodeTable;
import io.gpusched.simulator.trace.TraceException;
import io.gpusched.simulator.trace.TraceJob;
import io.gpusched.simulator.trace.TracePod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CapacityStudyTest {
    private static final Resampling SEEDS = new Resampling(List.of(1L, 2L, 3L), 3_600);

    @TempDir
    private Path folder;

    private static Scenario scenario() {
        SplittableRandom random = new SplittableRandom(5);
        List<TraceJob> jobs = new ArrayList<>();
        long now = 0;
        for (int i = 0; i < 400; i++) {
            now += random.nextInt(120);
            TracePod pod = TracePod.of("j" + i, Resources.of(1_000, 1), 1 << random.nextInt(4), 1_000, "")
                    .withLifetime(new Lifetime(now, 60 + random.nextInt(7_200)));
            jobs.add(TraceJob.of(pod));
        }
        return new Scenario("random", GangTrace.nodes(4), jobs);
    }

    private static CapacityStudy study(Resampling resampling, RunStore store) {
        return new CapacityStudy(scenario(), ReplaySettings.DEFAULT, "bin-pack", resampling, store);
    }

    private static Map<String, List<Node>> clusters() {
        Map<String, List<Node>> clusters = new LinkedHashMap<>();
        clusters.put("now", GangTrace.nodes(8));
        clusters.put("more", GangTrace.nodes(12));
        return clusters;
    }

    @Test
    void anyNumberOfThreads_givesTheSameNumbers_toTheLastDigit() {
        List<ClusterResult> one = study(SEEDS, RunStore.none()).play(clusters(), 1);
        assertThat(study(SEEDS, RunStore.none()).play(clusters(), 4)).isEqualTo(one);
        assertThat(one).extracting(ClusterResult::name).containsExactly("now", "more");
        assertThat(one.get(1).mean(RunNumbers::meanWaitMinutes))
                .isLessThan(one.get(0).mean(RunNumbers::meanWaitMinutes));
        assertThat(one.get(0).interval(RunNumbers::meanWaitMinutes)).isPresent();
    }

    @Test
    void aStudyThatWasBrokenOff_goesOn_andEndsWithTheSameFile() throws IOException {
        Path whole = folder.resolve("whole.csv");
        try (RunStore store = RunStore.in(whole)) {
            study(SEEDS, store).play(clusters(), 2);
        }
        List<String> rows = Files.readAllLines(whole);
        assertThat(rows).hasSize(7);
        Path broken = folder.resolve("broken.csv");
        Files.write(broken, List.of(rows.get(0), rows.get(5), rows.get(2)));
        try (RunStore store = RunStore.in(broken)) {
            assertThat(study(SEEDS, store).play(clusters(), 1))
                    .isEqualTo(study(SEEDS, RunStore.none()).play(clusters(), 1));
        }
        assertThat(Files.readAllLines(broken)).isEqualTo(rows);
    }

    @Test
    void whatIsKept_isNotPlayedAgain_andNotTakenForAnotherInput() throws IOException {
        Path file = folder.resolve("runs.csv");
        try (RunStore store = RunStore.in(file)) {
            study(Resampling.NONE, store).play("now", GangTrace.nodes(8), 1);
        }
        List<String> rows = Files.readAllLines(file);
        String[] cells = rows.get(1).split(",", -1);
        cells[3] = "12345.0";
        Files.write(file, List.of(rows.get(0), String.join(",", cells)));
        try (RunStore store = RunStore.in(file)) {
            CapacityStudy study = study(Resampling.NONE, store);
            assertThat(study.play("now", GangTrace.nodes(8), 1).mean(RunNumbers::meanWaitMinutes))
                    .isEqualTo(12_345);
            assertThat(study.play("now", GangTrace.nodes(9), 1).mean(RunNumbers::meanWaitMinutes))
                    .isLessThan(12_345);
        }
        Path empty = Files.writeString(folder.resolve("other.csv"), "a,b\n1,2\n");
        assertThatExceptionOfType(TraceException.class).isThrownBy(() -> RunStore.in(empty));
    }

    @Test
    void theSearch_findsTheSmallestNumber_thatTryingAllFinds() {
        Goal goal = Goal.parse("mean wait < 1h");
        NodeKind kind = new NodeKind("8xV100");
        List<Node> nodes = GangTrace.nodes(4);
        CapacityStudy study = study(Resampling.NONE, RunStore.none());
        int smallest = 0;
        while (!goal.holds(study.play("x", grown(nodes, kind, smallest), 1))) {
            smallest++;
        }
        SizeSearch.Answer answer = SizeSearch.of(study, nodes, kind, 20, goal, 1);
        assertThat(smallest).isBetween(2, 19);
        assertThat(answer.added()).isEqualTo(OptionalInt.of(smallest));
        assertThat(answer.why())
                .startsWith(smallest + " more nodes meet it: mean wait ")
                .contains("; " + (smallest - 1) + " do not: mean wait ");
        assertThat(SizeSearch.of(study, nodes, kind, 1, goal, 1).added()).isEmpty();
        assertThat(SizeSearch.of(study, nodes, kind, 1, goal, 1).why())
                .startsWith("even with 1 more node it is not met: ");
        SizeSearch.Answer none = SizeSearch.of(study, GangTrace.nodes(50), kind, 5, goal, 1);
        assertThat(none.added()).isEqualTo(OptionalInt.of(0));
        assertThat(none.tried()).hasSize(1);
    }

    private static List<Node> grown(List<Node> nodes, NodeKind kind, int count) {
        List<Node> grown = new ArrayList<>(nodes);
        grown.addAll(kind.nodes(nodes, count));
        return grown;
    }

    @Test
    void aGoal_doesNotHold_whereJobsNeverStart() {
        RunNumbers numbers = new RunNumbers(1, 1, 1, 1, 50, 2, true);
        ClusterResult result = new ClusterResult("c", List.of(), List.of(numbers), 0);
        Goal goal = Goal.parse("p95  wait<2h");
        assertThat(goal.minutes()).isEqualTo(120);
        assertThat(goal.holds(result)).isFalse();
        assertThat(goal.words(result)).isEqualTo("p95 wait 1.0 min, and 2 jobs never start");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Goal.parse("mean wait > 3m"))
                .withMessage(
                        "expected a goal such as \"mean wait < 10m\" or \"p95 wait < 2h\", got \"mean wait > 3m\"");
    }

    @Test
    void aChange_takesTheLastNodesOfAKind_andAddsNewOnes() {
        List<Node> nodes =
                List.of(NodeTable.node("a", 8, "V100"), NodeTable.node("b", 4, "V100"), NodeTable.node("c", 8, "T4"));
        List<Node> changed = ClusterChange.parse("-1@V100, +2@8xH100,+1@c").of(nodes);
        assertThat(changed).extracting(Node::name).containsExactly("a", "c", "new-8xH100-0", "new-8xH100-1", "new-c-0");
        assertThat(changed.get(4).gpus().get(0).model().name()).isEqualTo("T4");
        assertThat(ClusterChange.parse("-1@4xV100").of(nodes))
                .extracting(Node::name)
                .containsExactly("a", "c");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClusterChange.parse("-3@V100").of(nodes))
                .withMessage("\"-3@V100\": the cluster has only 2 nodes of V100");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClusterChange.parse("+1@H100").of(nodes))
                .withMessage("\"H100\" is no node and no GPU model of the cluster\nMaybe say how many GPUs: 8xH100");
        assertThatIllegalArgumentException().isThrownBy(() -> ClusterChange.parse("40xH100"));
    }

    @Test
    void aNewNode_isHealthy_andItsGpusCanBeCutAsThoseOfTheOneThatItIsLike() {
        GpuModel a100 = GpuModel.of("nvidia", "A100", 40_960);
        Node like = Node.builder("a")
                .capacity(96_000, 786_432)
                .gpus(2, a100, MigGeometry.A100_40GB.geometry())
                .cordoned(true)
                .build()
                .withGpuHealth(1, false);
        List<Node> changed = ClusterChange.parse("+1@A100").of(List.of(like));
        assertThat(changed).hasSize(2);
        Node added = changed.get(1);
        assertThat(added.cordoned()).isFalse();
        assertThat(added.gpus())
                .allMatch(gpu -> gpu.healthy()
                        && gpu.partitions().equals(MigGeometry.A100_40GB.geometry())
                        && gpu.model().equals(a100));
        assertThat(added.gpus()).extracting(Gpu::uuid).doesNotContainAnyElementsOf(uuids(like));
    }

    private static List<String> uuids(Node node) {
        return node.gpus().stream().map(Gpu::uuid).toList();
    }

    @Test
    void models_haveSpeedsAndPrices() throws IOException {
        Path file = Files.writeString(folder.resolve("models.csv"), "model,speed,price\nH100,2.5,4\nV100,1,1.5\n");
        ModelTable models = ModelTable.read(file);
        assertThat(models.speeds().of("H100")).isEqualTo(2.5);
        assertThat(models.speeds().of("T4")).isEqualTo(1);
        assertThat(models.pricePerHour(List.of(NodeTable.node("a", 8, "H100"), NodeTable.node("b", 2, "V100"))))
                .isCloseTo(35, within(1e-9));
        Path bad = Files.writeString(folder.resolve("bad.csv"), "model,speed\nH100,0\n");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> ModelTable.read(bad))
                .withMessageContaining("field \"speed\": must be above 0");
    }
}
