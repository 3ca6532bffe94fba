package io.gpusched.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.policy.BinPack;
import io.gpusched.simulator.replay.NeverRun;
import io.gpusched.simulator.replay.Replay;
import io.gpusched.simulator.replay.ReplayResult;
import io.gpusched.simulator.replay.ReplaySettings;
import io.gpusched.simulator.replay.Scenario;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many pods a job is on which nodes. */
class NodeSizesTest {
    private static TraceJob job(String name, int gpus, long arrival) {
        return TraceJob.of(name, JobDemand.of(gpus, Resources.of(0, 0)), new Lifetime(arrival, 3_600));
    }

    private static List<Node> nodes(int count, int gpus, String model) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(NodeTable.node(model + "-" + gpus + "-" + i, gpus, model));
        }
        return nodes;
    }

    private static List<Node> mixed() {
        List<Node> nodes = nodes(4, 8, "V100");
        nodes.addAll(nodes(1, 16, "V100"));
        return nodes;
    }

    private static List<List<Integer>> cuts(TraceJob job, List<Node> nodes) {
        return job.on(NodeSizes.of(nodes)).forms().stream()
                .map(form -> form.members().stream().map(TracePod::gpus).toList())
                .toList();
    }

    @Test
    void aJob_isAsManyPods_asItsNodesMakeIt() {
        assertThat(cuts(job("j", 20, 0), nodes(2, 8, "T4"))).containsExactly(List.of(8, 8, 4));
        assertThat(cuts(job("j", 20, 0), nodes(2, 16, "T4"))).containsExactly(List.of(16, 4));
        assertThat(cuts(job("j", 16, 0), mixed())).containsExactly(List.of(16), List.of(8, 8));
        assertThat(cuts(job("j", 8, 0), mixed())).containsExactly(List.of(8));
        assertThat(cuts(job("j", 0, 0), mixed())).containsExactly(List.of(0));
        assertThat(cuts(job("j", 16, 0).inOneForm(), mixed()))
                .as("most GPUs are in nodes of 8")
                .containsExactly(List.of(8, 8));
    }

    @Test
    void models_sayWhichNodesCount() {
        List<Node> nodes = nodes(2, 4, "T4");
        nodes.addAll(nodes(2, 8, "H100"));
        JobDemand demand = new JobDemand(8, GpuPart.WHOLE, Resources.of(0, 0), "T4", JobDemand.ANY, false, 0, false);
        assertThat(cuts(TraceJob.of("j", demand, new Lifetime(0, 1)), nodes)).containsExactly(List.of(4, 4));
    }

    @Test
    void aGangOnOtherNodes_isCutAnew_soThatEqualNodesGiveEqualWaits() {
        List<TraceJob> jobs = List.of(job("a", 16, 0), job("b", 16, 0), job("c", 32, 10));
        Scenario small = new Scenario("s", nodes(4, 8, "V100"), jobs);
        Scenario large = new Scenario("s", nodes(2, 16, "V100"), jobs);
        assertThat(NeverRun.of(large.nodes(), small.withNodes(large.nodes()).jobs()))
                .isEmpty();
        assertThat(small.withNodes(large.nodes())).isEqualTo(large);
        assertThat(large.withNodes(small.nodes())).isEqualTo(small);
    }

    @Test
    void onMixedNodes_aJobTakesWhatIsIdle() {
        List<TraceJob> jobs = List.of(job("a", 16, 0), job("b", 16, 0), job("c", 16, 0));
        Scenario scenario = new Scenario("s", mixed(), jobs);
        ReplayResult result = Replay.play(scenario, "bin-pack", BinPack.of(), ReplaySettings.DEFAULT, 1);
        assertThat(result.waitSeconds()).containsExactly(0L, 0L, 0L);
    }
}
