package io.gpusched.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Reason;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HeadroomTest {
    private static final Resources SMALL = Resources.of(100, 100);

    private static Node.Builder node(String name, int gpus) {
        return Node.builder(name).capacity(8_000, 8_000).gpus(gpus, GpuModel.of("nvidia", "A100", 1_000));
    }

    private static Pod pod(GpuRequest request) {
        return Pod.of("p", SMALL, request);
    }

    private static Cluster running(Cluster cluster, String node, String name, GpuRequest request) {
        return cluster.with(GpuScheduler.create()
                .place(cluster.node(node).orElseThrow(), Pod.of(name, SMALL, request))
                .orElseThrow());
    }

    @Test
    void twoIdleGpusAndHalfOfOne_takeSevenPodsOfThirtyPercent() {
        Cluster cluster = running(Cluster.of(List.of(node("n", 3).build())), "n", "half", GpuRequest.percent(50));

        Headroom headroom = Headroom.of(cluster, pod(GpuRequest.percent(30)));

        assertThat(headroom.pods()).isEqualTo(7);
        assertThat(headroom.exact()).isTrue();
        assertThat(headroom).hasToString("7 pods on 1 nodes");
    }

    @Test
    void cordonedNodes_countForPodsThatTolerateThat() {
        Cluster cluster = Cluster.of(
                List.of(node("a", 1).cordoned(true).build(), node("b", 1).build()));
        for (GpuRequest request : List.of(GpuRequest.exclusive(1), GpuRequest.percent(60), GpuRequest.wholeNode())) {
            Pod pod = Pod.builder("p")
                    .container("c", SMALL, request)
                    .toleration(Toleration.everything())
                    .build();
            assertThat(Headroom.of(cluster, pod).byNode()).isEqualTo(Map.of("a", 1L, "b", 1L));
        }
    }

    @Test
    void podBoundToANode_countsThereAlone_alsoWhereItHasSeveralContainers() {
        Cluster cluster = Cluster.of(List.of(node("a", 2).build(), node("b", 2).build()));
        Pod pod = Pod.builder("p")
                .container("c", SMALL, GpuRequest.exclusive(1))
                .container("d", SMALL, GpuRequest.exclusive(1))
                .rules(PodRules.NONE.withNodeName("b"))
                .build();
        assertThat(Headroom.of(cluster, pod).byNode()).isEqualTo(Map.of("b", 1L));
    }

    @Test
    void nodesWithoutRoom_areNotNamed_theOthersInNodeOrder() {
        Cluster cluster = Cluster.of(List.of(
                node("c", 4).build(),
                node("a", 1).build(),
                node("b", 0).build(),
                node("d", 4).cordoned(true).build()));

        assertThat(Headroom.of(cluster, pod(GpuRequest.exclusive(1))).byNode())
                .isEqualTo(Map.of("a", 1L, "c", 4L))
                .containsOnlyKeys("a", "c");
    }

    @Test
    void whateverIsScarcest_bounds() {
        Node machine = Node.builder("n")
                .capacity(Resources.of(1_000, 10_000).with("rdma/hca", 5))
                .maxPods(7)
                .gpus(8, GpuModel.of("nvidia", "A100", 1_000))
                .build();
        Cluster cluster = Cluster.of(List.of(machine));

        assertThat(count(cluster, Resources.of(10, 10), GpuRequest.exclusive(1)))
                .as("pods")
                .isEqualTo(7);
        assertThat(count(cluster, Resources.of(250, 10), GpuRequest.exclusive(1)))
                .as("CPU")
                .isEqualTo(4);
        assertThat(count(cluster, Resources.of(10, 3_000), GpuRequest.exclusive(1)))
                .as("memory")
                .isEqualTo(3);
        assertThat(count(cluster, Resources.of(10, 10).with("rdma/hca", 2), GpuRequest.exclusive(1)))
                .as("a resource by name")
                .isEqualTo(2);
        assertThat(count(cluster, Resources.of(10, 10), GpuRequest.exclusive(3)))
                .as("GPUs")
                .isEqualTo(2);
        assertThat(count(cluster, Resources.NONE, GpuRequest.none()))
                .as("no GPU")
                .isEqualTo(7);
        assertThat(count(cluster, Resources.NONE, GpuRequest.wholeNode()))
                .as("the node")
                .isEqualTo(1);
    }

    private static long count(Cluster cluster, Resources resources, GpuRequest request) {
        return Headroom.of(cluster, Pod.of("p", resources, request)).pods();
    }

    @Test
    void sharesAreCountedGpuByGpu_byComputeMemoryAndSlots() {
        Node.Builder machine = Node.builder("n").capacity(8_000, 8_000).maxPods(100);
        machine.gpus(2, GpuModel.of("nvidia", "A100", 1_000));
        Cluster cluster = Cluster.of(List.of(machine.build()));

        assertThat(count(cluster, Resources.NONE, GpuRequest.share(400, GpuMemory.mib(100))))
                .isEqualTo(4);
        assertThat(count(cluster, Resources.NONE, GpuRequest.share(10, GpuMemory.mib(300))))
                .isEqualTo(6);
    }

    @Test
    void podsOfSeveralContainers_areCountedByPlacingThem_whichIsALowerBound() {
        Cluster cluster = Cluster.of(List.of(node("n", 4).build()));
        Pod pair = Pod.builder("p")
                .container(Container.of("a", SMALL, GpuRequest.exclusive(1)))
                .container(Container.of("b", SMALL, GpuRequest.percent(40)))
                .build();

        Headroom headroom = Headroom.of(cluster, pair);

        assertThat(headroom.exact()).isFalse();
        assertThat(headroom.pods()).isEqualTo(2);
        assertThat(headroom).hasToString("at least 2 pods on 1 nodes");
    }

    @Test
    void labelsTaintsAndUuids_areHonoured() {
        Cluster cluster = Cluster.of(List.of(
                node("a", 2).label("disk", "ssd").build(),
                node("b", 2).taint(Taint.noSchedule("team", "x")).build(),
                node("c", 2).build()));
        Pod ssd = Pod.builder("p")
                .container("main", SMALL, GpuRequest.exclusive(1))
                .nodeSelector(NodeSelector.all(NodeRequirement.in("disk", "ssd")))
                .build();
        String uuid = cluster.node("c").orElseThrow().node().gpus().get(1).uuid();

        assertThat(Headroom.of(cluster, pod(GpuRequest.exclusive(1))).byNode()).containsOnlyKeys("a", "c");
        assertThat(Headroom.of(cluster, ssd).byNode()).isEqualTo(Map.of("a", 2L));
        assertThat(Headroom.of(cluster, pod(GpuRequest.exclusive(1, GpuSelector.ANY.withDeniedUuids(Set.of(uuid)))))
                        .byNode())
                .isEqualTo(Map.of("a", 2L, "c", 1L));
    }

    @Test
    void whyNoMore_namesThePodAskedAbout_andReleasesNoneThatIsOnlyCounted() {
        Cluster cluster = Cluster.of(List.of(
                Node.builder("n1").capacity(1_000, 1_000).gpus(2, Nodes.BIG).build()));
        Pod whole = Pod.of("team/whole", Resources.of(100, 100), GpuRequest.wholeNode());
        assertThat(Headroom.whyNoMore(cluster, whole))
                .hasToString("one more pod like \"team/whole\": no room now on any of 1 node\n"
                        + "  1 node: held as a whole by another pod\n"
                        + "  nearest remedy: add a node with 0.1 cores, 100 MiB, for a whole"
                        + " node");
        GpuRequest choice = GpuRequest.firstOf(GpuRequest.exclusive(2), GpuRequest.percent(60));
        Diagnosis several = Headroom.whyNoMore(cluster, Pod.of("either", Resources.of(100, 100), choice));
        assertThat(several.subject()).isEqualTo("one more pod like \"either\" as 2 whole GPUs");
        assertThat(several.otherwise())
                .extracting(Diagnosis::subject)
                .containsExactly("one more pod like \"either\" as 0.6 GPUs");
    }

    @Test
    void whyNoMore_namesWhatWouldMakeRoomForOneMore() {
        Cluster cluster =
                Cluster.of(List.of(node("n1", 8).build(), node("n2", 8).build()));

        Diagnosis diagnosis = Headroom.whyNoMore(cluster, pod(GpuRequest.exclusive(3)));

        assertThat(diagnosis.reasons()).extracting(Reason::code).containsExactly(Reason.Code.IDLE_GPUS);
        assertThat(diagnosis.remedy().toString()).isEqualTo("1 more idle GPU on n1 (has 2 of 3)");
    }
}
