package io.gpusched.schedule.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpusched.decision.Amount;
import io.gpusched.decision.Change;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a refusal says, word by word. */
class DiagnosisTest {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 1_000);
    private static final Resources SMALL = Resources.of(1_000, 1_000);

    private final GpuScheduler scheduler = GpuScheduler.create();

    private static Node.Builder node(String name, int gpus) {
        return Node.builder(name).capacity(8_000, 8_000).gpus(gpus, A100);
    }

    /** The cluster with a pod on a node, which must have room. */
    private Cluster running(Cluster cluster, String node, String pod, GpuRequest request) {
        return cluster.with(scheduler
                .place(cluster.node(node).orElseThrow(), Pod.of(pod, SMALL, request))
                .orElseThrow());
    }

    private Diagnosis diagnosis(Cluster cluster, Pod pod) {
        return ((Unschedulable) scheduler.schedule(cluster, pod)).diagnosis();
    }

    private static Pod asking(GpuRequest request) {
        return Pod.of("p", SMALL, request);
    }

    private static void assertSays(Diagnosis diagnosis, Reason.Code code, String detail, String remedy) {
        assertThat(diagnosis.reasons()).extracting(Reason::code).containsExactly(code);
        assertThat(diagnosis.reasons().get(0).detail()).isEqualTo(detail);
        assertThat(diagnosis.remedy().toString()).isEqualTo(remedy);
    }

    @Test
    void shareTooLarge_saysWhatIsFreeInTotalAndOnOneGpu() {
        Cluster cluster =
                Cluster.of(List.of(node("n1", 2).build(), node("n2", 1).build()));
        cluster = running(cluster, "n1", "a", GpuRequest.percent(75));
        cluster = running(cluster, "n1", "b", GpuRequest.percent(80));
        cluster = running(cluster, "n2", "c", GpuRequest.exclusive(1));

        Diagnosis diagnosis = diagnosis(cluster, asking(GpuRequest.percent(30)));

        assertSays(
                diagnosis,
                Reason.Code.GPU_SHARE,
                "0.45 GPUs free in total, at most 0.25 on one GPU; asked 0.3 GPUs",
                "free 5 % of the compute of GPU 0 of n1 and free 50 MiB of GPU memory on GPU 0 of n1");
        assertThat(diagnosis.toString())
                .isEqualTo("pod \"p\": no room now on any of 2 nodes\n"
                        + "  2 nodes: 0.45 GPUs free in total, at most 0.25 on one GPU; asked 0.3 GPUs\n"
                        + "  nearest remedy: free 5 % of the compute of GPU 0 of n1 and free 50 MiB of GPU"
                        + " memory on GPU 0 of n1");
    }

    @Test
    void reason_isDataBeforeItIsText() {
        Cluster cluster = Cluster.of(List.of(
                node("n1", 2).build(),
                node("n2", 1).build(),
                node("n3", 1).build(),
                node("n4", 1).build()));
        for (String name : List.of("n1", "n2", "n3", "n4")) {
            cluster = running(cluster, name, "on-" + name, GpuRequest.percent(75));
        }
        cluster = running(cluster, "n1", "b", GpuRequest.percent(80));

        Diagnosis diagnosis = diagnosis(cluster, asking(GpuRequest.share(300, GpuMemory.mib(260))));

        Reason reason = diagnosis.reasons().get(0);
        assertThat(reason.code()).isEqualTo(Reason.Code.GPU_SHARE);
        assertThat(reason.nodes()).isEqualTo(4);
        assertThat(reason.nodeNames()).containsExactly("n1", "n2", "n3", "n4");
        assertThat(reason.amounts())
                .containsExactly(
                        new Amount(Amount.Quantity.GPU_COMPUTE_MILLIS, 300, 1_200, 250),
                        new Amount(Amount.Quantity.GPU_MEMORY_MIB, 260, 1_200, 250));
        assertThat(diagnosis.remedy().changes())
                .containsExactly(
                        new Change.FreeOnGpu("n1", 0, Amount.Quantity.GPU_COMPUTE_MILLIS, 50),
                        new Change.FreeOnGpu("n1", 0, Amount.Quantity.GPU_MEMORY_MIB, 10));
    }

    @Test
    void memoryShareTooLarge_speaksOfMemory() {
        Cluster cluster =
                running(Cluster.of(List.of(node("n1", 1).build())), "n1", "a", GpuRequest.share(0, GpuMemory.mib(600)));

        assertSays(
                diagnosis(cluster, asking(GpuRequest.share(0, GpuMemory.mib(450)))),
                Reason.Code.GPU_SHARE,
                "400 MiB of GPU memory free in total, at most 400 MiB on one GPU; asked 450 MiB",
                "free 50 MiB of GPU memory on GPU 0 of n1");
    }

    /** A GPU of four replicas, and no more than that. */
    private static Node replicas(String name, int gpus) {
        Node.Builder builder = Node.builder(name).capacity(8_000, 8_000).mode(NodeMode.SHARED);
        for (int g = 0; g < gpus; g++) {
            builder.gpu(Gpu.of(g, name + "-" + g, A100).withSlots(4));
        }
        return builder.build();
    }

    @Test
    void tooFewSlots_speaksOfSlots_notOfMemoryOrComputeOfWhichThereIsEnough() {
        Cluster cluster = Cluster.of(List.of(replicas("n1", 1)));
        for (int i = 0; i < 4; i++) {
            cluster = running(cluster, "n1", "r" + i, GpuRequest.share(0, GpuMemory.mib(10)));
        }

        assertSays(
                diagnosis(cluster, asking(GpuRequest.share(0, GpuMemory.mib(100)))),
                Reason.Code.GPU_SHARE,
                "0 slots free in total, at most 0 on one GPU; asked 100 MiB",
                "free 1 slot on GPU 0 of n1");
        assertThat(diagnosis(cluster, asking(GpuRequest.share(0, GpuMemory.mib(0))))
                        .reasons()
                        .get(0)
                        .detail())
                .isEqualTo("0 slots free in total, at most 0 on one GPU; asked 1 slot");
    }

    @Test
    void sharesThatCannotBeLaidOut_saySharesThatAreFree_notIdleGpus() {
        Cluster cluster = Cluster.of(List.of(replicas("n1", 2)));
        for (int i = 0; i < 4; i++) {
            cluster = running(cluster, "n1", "r" + i, GpuRequest.share(0, GpuMemory.mib(0)));
        }
        Pod.Builder pod = Pod.builder("p");
        for (int i = 0; i < 5; i++) {
            pod.container("c" + i, Resources.NONE, GpuRequest.share(0, GpuMemory.mib(0)));
        }

        assertThat(diagnosis(cluster, pod.build()).reasons().get(0).detail())
                .isEqualTo("the containers cannot be laid out together; 4 slots free in total, at most 4 on one GPU,"
                        + " asked 5 times 1 slot");
    }

    @Test
    void cordonedAndNotReadyNodes_mayServeLater_andAreLiftedOnlyWhereNoRuleCanBeTolerated() {
        Node cordoned = node("n1", 1)
                .taint(Taint.noSchedule("node.kubernetes.io/unschedulable", ""))
                .build();
        Node broken = node("n2", 1)
                .taint(Taint.noSchedule("node.kubernetes.io/not-ready", ""))
                .build();
        Node kept = node("n3", 1).taint(Taint.noSchedule("team", "a")).build();
        Node leaving = node("n0", 1)
                .taint(Taint.noSchedule("karpenter.sh/disrupted", ""))
                .build();

        Diagnosis all =
                diagnosis(Cluster.of(List.of(leaving, cordoned, broken, kept)), asking(GpuRequest.exclusive(1)));
        assertThat(all.couldFitLater()).isTrue();
        assertThat(all.remedy().toString()).isEqualTo("tolerate taint team=a:NoSchedule of n3");
        Diagnosis only = diagnosis(Cluster.of(List.of(kept)), asking(GpuRequest.exclusive(1)));
        assertThat(only.couldFitLater()).isFalse();
        Diagnosis gone = diagnosis(Cluster.of(List.of(leaving)), asking(GpuRequest.exclusive(1)));
        assertThat(gone.couldFitLater()).isFalse();
        assertThat(gone.remedy().toString()).startsWith("add a node");
    }

    @Test
    void aResourceThatNoNodeHas_isSaidToBeMissing() {
        assertThat(diagnosis(
                                Cluster.of(List.of(node("n1", 1).build())),
                                Pod.of("p", Resources.NONE.with("example.com/nic", 2), GpuRequest.none()))
                        .reasons()
                        .get(0)
                        .detail())
                .isEqualTo("no example.com/nic, asked 2 example.com/nic");
    }

    @Test
    void tooFewIdleGpus_namesTheNodeThatIsNearest() {
        Cluster cluster =
                Cluster.of(List.of(node("n1", 8).build(), node("n2", 8).build()));
        cluster = running(cluster, "n1", "a", GpuRequest.exclusive(5));
        cluster = running(cluster, "n2", "b", GpuRequest.exclusive(2));

        assertSays(
                diagnosis(cluster, asking(GpuRequest.exclusive(8))),
                Reason.Code.IDLE_GPUS,
                "9 GPUs idle in total, at most 6 on one node, asked 8 whole GPUs",
                "2 more idle GPUs on n2 (has 6 of 8)");
    }

    @Test
    void cordonedNode_isToBeUncordoned() {
        Cluster cluster = Cluster.of(List.of(node("n1", 1).cordoned(true).build()));

        Diagnosis diagnosis = diagnosis(cluster, asking(GpuRequest.exclusive(1)));

        assertSays(diagnosis, Reason.Code.CORDONED, "cordoned", "uncordon n1");
        assertThat(diagnosis.couldFitLater()).isTrue();
    }

    @Test
    void untoleratedTaint_isNamed() {
        Cluster cluster = Cluster.of(
                List.of(node("n1", 1).taint(Taint.noSchedule("team", "a")).build()));

        Diagnosis diagnosis = diagnosis(cluster, asking(GpuRequest.exclusive(1)));

        assertSays(
                diagnosis,
                Reason.Code.TAINT,
                "taint not tolerated: team=a:NoSchedule",
                "tolerate taint team=a:NoSchedule of n1");
        assertThat(diagnosis.couldFitLater()).isFalse();
    }

    @Test
    void labelsNotAccepted_saysWhichWereAsked() {
        Pod pod = Pod.builder("p")
                .container("main", SMALL, GpuRequest.exclusive(1))
                .nodeSelector(NodeSelector.all(NodeRequirement.in("zone", "a", "b")))
                .build();

        assertSays(
                diagnosis(Cluster.of(List.of(node("n1", 1).build())), pod),
                Reason.Code.NODE_SELECTOR,
                "node selector does not match: zone in a|b; no node has the label \"zone\"; none is known here",
                "accept the labels of n1");
    }

    @Test
    void modeThatDoesNotAdmit_asksForANodeThatDoes() {
        Cluster cluster = Cluster.of(List.of(node("n1", 1).mode(NodeMode.SHARED).build()));

        assertSays(
                diagnosis(cluster, asking(GpuRequest.exclusive(1))),
                Reason.Code.NODE_MODE,
                "only shares of GPUs are given out (mode SHARED), asked 1 whole GPU",
                "add a node with 1 core, 1000 MiB, for 1 whole GPU");
    }

    @Test
    void modelNotThere_saysWhatIsAccepted() {
        Cluster cluster = Cluster.of(List.of(node("n1", 2).build()));

        Reason reason = diagnosis(cluster, asking(GpuRequest.exclusive(1, GpuSelector.models("H100"))))
                .reasons()
                .get(0);

        assertThat(reason.code()).isEqualTo(Reason.Code.GPU_SELECTOR);
        assertThat(reason.detail())
                .isEqualTo("at most 0 accepted GPUs on one node, asked 1 whole GPU of model H100; no node has the GPU"
                        + " model \"H100\"; known here are A100");
    }

    @Test
    void cpuShort_saysHowMuchWhere() {
        Cluster cluster = running(Cluster.of(List.of(node("n1", 2).build())), "n1", "a", GpuRequest.none());

        assertSays(
                diagnosis(cluster, Pod.of("p", Resources.of(7_500, 0), GpuRequest.exclusive(1))),
                Reason.Code.CPU,
                "too few free cores: at most 7 on one node, asked 7.5",
                "free 0.5 cores on n1");
    }

    @Test
    void podLimit_wantsOnePodLess() {
        Cluster cluster = running(Cluster.of(List.of(node("n1", 2).maxPods(1).build())), "n1", "a", GpuRequest.none());

        assertSays(
                diagnosis(cluster, asking(GpuRequest.exclusive(1))),
                Reason.Code.POD_LIMIT,
                "1 pod in total, as many as the nodes take",
                "release pod \"a\" on n1");
    }

    @Test
    void sharesOfSeveralGpus_areTooLargeForAMachineWhereTooFewOfItsGpusWouldDo_brokenOnesCountedIn() {
        GpuModel large = GpuModel.of("nvidia", "H100", 4_000);
        Node one = node("one", 2).gpu(Gpu.of(2, "one-2", large)).build();
        Node two = node("two", 1)
                .gpu(Gpu.of(1, "two-1", large))
                .gpu(Gpu.of(2, "two-2", large))
                .build();
        Cluster cluster = Cluster.of(List.of(one, two)).withGpuHealth("two", 1, false);

        Diagnosis diagnosis = diagnosis(
                cluster, asking(GpuRequest.share(100, GpuMemory.mib(2_000)).withCount(2)));

        assertThat(diagnosis.reasons())
                .extracting(Reason::code, Reason::nodeNames)
                .containsExactlyInAnyOrder(
                        tuple(Reason.Code.GPU_TOO_SMALL, List.of("one")),
                        tuple(Reason.Code.GPU_UNHEALTHY, List.of("two")));
        assertThat(diagnosis.couldFitLater()).isTrue();
    }

    @Test
    void manyNodesUnderOneReason_areAllCountedAndNamedInNodeOrder() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            nodes.add(node("n" + (199 - i), 1).cordoned(i % 10 == 9).build());
        }

        Diagnosis diagnosis =
                diagnosis(Cluster.of(nodes), Pod.of("p", Resources.of(9_000, 1_000), GpuRequest.exclusive(1)));

        assertThat(diagnosis.reasons())
                .extracting(Reason::code, Reason::nodes)
                .containsExactly(tuple(Reason.Code.NODE_TOO_SMALL, 90), tuple(Reason.Code.CORDONED, 10));
        assertThat(diagnosis.reasons().get(0).nodeNames())
                .startsWith("n101", "n102", "n103")
                .hasSize(90);
        assertThat(diagnosis.reasons().get(1).nodeNames())
                .containsExactly("n100", "n110", "n120", "n130", "n140", "n150", "n160", "n170", "n180", "n190");
        assertThat(diagnosis.couldFitLater()).isFalse();
    }

    @Test
    void unhealthyGpu_isToBeRepaired() {
        Cluster cluster = Cluster.of(List.of(node("n1", 2).build())).withGpuHealth("n1", 1, false);

        assertSays(
                diagnosis(cluster, asking(GpuRequest.exclusive(2))),
                Reason.Code.GPU_UNHEALTHY,
                "1 unhealthy GPU, too few others, asked 2 whole GPUs",
                "repair GPU 1 of n1");
    }

    @Test
    void nodeHeldWhole_namesThePodThatHoldsIt() {
        Cluster cluster = running(Cluster.of(List.of(node("n1", 2).build())), "n1", "a", GpuRequest.wholeNode());

        assertSays(
                diagnosis(cluster, asking(GpuRequest.percent(10))),
                Reason.Code.HELD_WHOLE,
                "held as a whole by another pod",
                "release pod \"a\" on n1");
    }

    @Test
    void containersThatFitOnlyAlone_namesThePodInTheWay() {
        Cluster cluster = Cluster.of(List.of(node("n1", 2).build()));
        cluster = running(cluster, "n1", "a", GpuRequest.percent(40));
        Pod pod = Pod.builder("p")
                .container(Container.of("x", SMALL, GpuRequest.exclusive(1)))
                .container(Container.of("y", SMALL, GpuRequest.percent(70)))
                .build();

        assertSays(
                diagnosis(cluster, pod),
                Reason.Code.GPU_LAYOUT,
                "the containers cannot be laid out together; 1 GPU idle in total, at most 1 on one node, asked"
                        + " 1 whole GPU and 0.7 GPUs",
                "release pod \"a\" on n1");
    }

    @Test
    void containersThatFitOnceSeveralPodsHaveLeft_nameNoPodThatMayStay() {
        Cluster cluster = Cluster.of(List.of(node("n1", 4).build()));
        for (String pod : List.of("a", "b", "c", "d")) {
            cluster = running(cluster, "n1", pod, GpuRequest.exclusive(1));
        }
        Pod pod = Pod.builder("p")
                .container(Container.of("x", SMALL, GpuRequest.exclusive(2)))
                .container(Container.of("y", SMALL, GpuRequest.percent(70)))
                .build();

        Change.ReleasePods release =
                (Change.ReleasePods) diagnosis(cluster, pod).remedy().changes().get(0);
        assertThat(release.pods()).hasSize(3);
        assertThat(release.count()).isEqualTo(3);
    }

    @Test
    void severalReasons_thoseWithMostNodesFirst() {
        Cluster cluster = Cluster.of(List.of(
                node("n1", 1).build(),
                node("n2", 2).cordoned(true).build(),
                node("n3", 1).build(),
                node("n4", 0).build()));

        assertThat(diagnosis(cluster, asking(GpuRequest.exclusive(2))).reasons())
                .extracting(Reason::toString)
                .containsExactly("3 nodes: at most 1 GPU on one node, asked 2", "1 node: cordoned");
    }

    @Test
    void labelsAndTooFewGpus_aNodeWithBothIsCountedUnderItsLabelsAlone() {
        Pod pod = Pod.builder("p")
                .container("main", SMALL, GpuRequest.exclusive(4))
                .nodeSelector(NodeSelector.all(NodeRequirement.in("zone", "a")))
                .build();

        Diagnosis diagnosis = diagnosis(Cluster.of(List.of(node("n1", 2).build())), pod);

        assertThat(diagnosis.reasons()).extracting(Reason::code).containsExactly(Reason.Code.NODE_SELECTOR);
        assertThat(diagnosis.remedy().toString())
                .isEqualTo("add a node with 1 core, 1000 MiB, for 4 whole GPUs, labelled" + " zone=a");
    }

    @Test
    void selectorAndTooSmallNodes_theRemedyIsANodeThatWouldDo() {
        Pod pod = Pod.builder("p")
                .container("main", Resources.of(9_000, 0), GpuRequest.none())
                .nodeSelector(NodeSelector.all(NodeRequirement.in("a", "z")))
                .build();

        assertSays(
                diagnosis(Cluster.of(List.of(node("n1", 2).build())), pod),
                Reason.Code.NODE_SELECTOR,
                "node selector does not match: a=z; no node has the label \"a\"; none is known here",
                "add a node with 9 cores, labelled a=z");
    }

    @Test
    void nodesThatTakeNoPods_areToldApartFromNodesThatAreTooSmall() {
        Cluster none = Cluster.of(List.of(node("n1", 2).maxPods(0).build()));
        Cluster mixed = none.withNode(node("n2", 2).build());

        assertThat(diagnosis(none, asking(GpuRequest.exclusive(1)))
                        .reasons()
                        .get(0)
                        .toString())
                .isEqualTo("1 node: take no pods: maxPods is 0");
        assertThat(diagnosis(mixed, Pod.of("p", Resources.of(9_000, 0), GpuRequest.none()))
                        .reasons()
                        .get(0)
                        .toString())
                .isEqualTo("2 nodes: at most 8 cores on one node, or no pods at all (maxPods is 0), asked 9 cores");
    }

    @Test
    void noNodesAtAll_wantsANode() {
        assertThat(diagnosis(Cluster.of(List.of()), asking(GpuRequest.none()))
                        .remedy()
                        .toString())
                .isEqualTo("add a node with 1 core, 1000 MiB");
    }
}
