package io.gpusched.internal.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node of 1,000m CPU, 1,024 MiB, 100 disks, and four GPUs of 1,000 MiB and 10 slots. */
class RemedyCostTest {
    private static Node.Builder machine() {
        GpuModel model = GpuModel.of("nvidia", "T4", 1_000);
        Node.Builder builder = Node.builder("n")
                .capacity(Resources.of(1_000, 1_024).with("disk", 100))
                .mode(NodeMode.MIXED);
        for (int gpu = 0; gpu < 4; gpu++) {
            builder.gpu(Gpu.of(gpu, "gpu-" + gpu, model).withSlots(10));
        }
        return builder;
    }

    private static NodeState state(Node.Builder machine, Placement... running) {
        return Cluster.of(List.of(machine.build()))
                .withAll(List.of(running))
                .node("n")
                .orElseThrow();
    }

    private static Placement holding(String pod, Resources resources, GpuGrant grant) {
        return new Placement(PodId.of(pod), "n", resources, List.of(ContainerGrant.of("main", grant)));
    }

    private static Placement whole(String pod, Integer... gpus) {
        return holding(pod, Resources.NONE, new GpuGrant.Whole(List.of(gpus)));
    }

    private static Placement shared(String pod, int gpu, int computeMillis, long memoryMib, int slots) {
        return holding(
                pod, Resources.NONE, new GpuGrant.Shared(List.of(new GpuShare(gpu, computeMillis, memoryMib, slots))));
    }

    private static long cost(NodeState node, Resources resources, GpuRequest request) {
        return cost(Pod.of("asking", resources, request), node);
    }

    @Test
    void whereThePodFits_nothingHasToChange() {
        assertThat(cost(state(machine()), Resources.of(1_000, 1_024).with("disk", 100), GpuRequest.exclusive(4)))
                .isZero();
    }

    @Test
    void missingCpuMemoryAndNamedResources_costTheirPartOfTheNode_inThousandths() {
        NodeState half = state(machine(), holding("a", Resources.of(500, 512).with("disk", 70), GpuGrant.none()));
        assertThat(cost(half, Resources.of(600, 1), GpuRequest.none())).isEqualTo(100 + 1);
        assertThat(cost(half, Resources.of(1, 768), GpuRequest.none())).isEqualTo(250 + 1);
        assertThat(cost(half, Resources.of(1, 1).with("disk", 80), GpuRequest.none()))
                .isEqualTo(500 + 1);
        assertThat(cost(half, Resources.of(600, 768).with("disk", 80), GpuRequest.none()))
                .isEqualTo(100 + 250 + 500 + 3);
    }

    @Test
    void aCordon_costsHalfAGpu_andAFullNodeThePartOfOnePod() {
        assertThat(cost(state(machine().cordoned(true)), Resources.NONE, GpuRequest.none()))
                .isEqualTo(500);
        NodeState full = state(machine().maxPods(1), holding("a", Resources.NONE, GpuGrant.none()));
        assertThat(cost(full, Resources.NONE, GpuRequest.none())).isEqualTo(1_000 + 1);
    }

    @Test
    void eachGpuThatMustBeGivenUp_costsAThousand() {
        NodeState node = state(machine(), whole("a", 0, 1), shared("b", 2, 10, 10, 1));
        assertThat(cost(node, Resources.NONE, GpuRequest.exclusive(1))).isZero();
        assertThat(cost(node, Resources.NONE, GpuRequest.exclusive(2))).isEqualTo(1_000);
        assertThat(cost(node, Resources.NONE, GpuRequest.exclusive(4))).isEqualTo(3_000);
    }

    @Test
    void aPartOfAGpu_costsWhatIsMissingOnTheOneThatLacksLeast() {
        NodeState node = state(
                machine(),
                whole("a", 0),
                shared("b", 1, 900, 100, 1),
                shared("c", 2, 100, 900, 1),
                shared("d", 3, 100, 100, 10));
        GpuRequest half = GpuRequest.share(500, GpuMemory.mib(300));
        assertThat(cost(node, Resources.NONE, half))
                .as("GPU 3 lacks one of ten slots")
                .isEqualTo(100 + 1);
        assertThat(RemedyCost.ofGpu(half, node, 0)).isEqualTo(1_000);
        assertThat(RemedyCost.ofGpu(half, node, 1)).isEqualTo(400 + 1);
        assertThat(RemedyCost.ofGpu(half, node, 2)).isEqualTo(200 + 1);
    }

    @Test
    void aBrokenGpu_costsARepair_andAGpuMoreIfSomebodyHoldsIt() {
        Cluster cluster = Cluster.of(List.of(machine().build()))
                .with(whole("a", 0))
                .with(shared("b", 1, 10, 10, 1))
                .withGpuHealth("n", 0, false)
                .withGpuHealth("n", 1, false)
                .withGpuHealth("n", 2, false);
        NodeState node = cluster.node("n").orElseThrow();
        GpuRequest one = GpuRequest.exclusive(1);
        assertThat(RemedyCost.ofGpu(one, node, 0)).isEqualTo(3_000);
        assertThat(RemedyCost.ofGpu(one, node, 1)).isEqualTo(3_000);
        assertThat(RemedyCost.ofGpu(one, node, 2)).isEqualTo(2_000);
        assertThat(RemedyCost.ofGpu(one, node, 3)).isZero();
    }

    @Test
    void aGpuThatCouldNeverServe_isImpossible() {
        GpuRequest large = GpuRequest.share(1, GpuMemory.mib(1_001));
        assertThat(RemedyCost.ofGpu(large, state(machine()), 0)).isEqualTo(RemedyCost.IMPOSSIBLE);
    }

    @Test
    void aWholeNode_costsEachGpuHeld_eachRepair_andEachPod() {
        NodeState node = Cluster.of(List.of(machine().build()))
                .with(whole("a", 0))
                .with(holding("b", Resources.NONE, GpuGrant.none()))
                .withGpuHealth("n", 1, false)
                .node("n")
                .orElseThrow();
        assertThat(cost(node, Resources.NONE, GpuRequest.wholeNode())).isEqualTo(1_000 + 2_000 + 2);
    }

    @Test
    void aNodeThatIsHeldWhole_costsAllItsGpus_whateverIsAsked() {
        NodeState node = state(machine(), holding("a", Resources.NONE, new GpuGrant.WholeNode(4)));
        assertThat(cost(node, Resources.of(5_000, 5_000), GpuRequest.exclusive(1)))
                .isEqualTo(4_001);
        assertThat(cost(node, Resources.NONE, GpuRequest.wholeNode())).isEqualTo(4_001);
        NodeState cordoned = state(machine().cordoned(true), holding("a", Resources.NONE, new GpuGrant.WholeNode(4)));
        assertThat(cost(cordoned, Resources.NONE, GpuRequest.wholeNode())).isEqualTo(4_501);
    }

    @Test
    void containersThatDoNotGoTogether_costAllGpus_andARepairWhereTheHealthyOnesAreTooFew() {
        Pod two = Pod.builder("asking")
                .container("one", Resources.NONE, GpuRequest.exclusive(2))
                .container("other", Resources.NONE, GpuRequest.exclusive(1))
                .build();
        assertThat(cost(two, state(machine(), whole("a", 0)))).isZero();
        assertThat(cost(two, state(machine(), whole("a", 0, 1)))).isEqualTo(4_000);
        Cluster broken = Cluster.of(List.of(machine().build())).withGpuHealth("n", 0, false);
        assertThat(cost(two, broken.node(0))).as("three are healthy").isZero();
        assertThat(cost(two, broken.with(whole("a", 1)).node(0))).isEqualTo(4_000);
        assertThat(cost(two, broken.withGpuHealth("n", 1, false).node(0))).isEqualTo(2_000 + 4_000);
    }

    @Test
    void statesOfANodeCost_asTheyHaveToPass_rulesDoNot_andANodeThatLeavesIsImpossible() {
        assertThat(cost(state(machine().taint(Taint.noSchedule("team", "a"))), Resources.NONE, GpuRequest.none()))
                .isZero();
        assertThat(cost(tainted("node.kubernetes.io/unschedulable"), Resources.NONE, GpuRequest.none()))
                .isEqualTo(500);
        assertThat(cost(tainted("node.kubernetes.io/not-ready"), Resources.NONE, GpuRequest.none()))
                .isEqualTo(2_000);
        assertThat(cost(tainted("karpenter.sh/disrupted"), Resources.NONE, GpuRequest.none()))
                .isEqualTo(RemedyCost.IMPOSSIBLE);
        assertThat(cost(tainted("ToBeDeletedByClusterAutoscaler"), Resources.NONE, GpuRequest.none()))
                .isEqualTo(RemedyCost.IMPOSSIBLE);
    }

    private static NodeState tainted(String key) {
        return state(machine().taint(Taint.noSchedule(key, "")));
    }

    private static long cost(Pod pod, NodeState node) {
        return new RemedyCost(new NodeReasons(new PodDemand(pod), false, SearchSteps.of(1_000_000))).of(node);
    }
}
