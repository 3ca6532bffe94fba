package io.gpusched.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a pending pod is told: what is short, which remedy helps, and nothing of this program's own marks. */
class WhyWordsTest {
    @TempDir
    private Path folder;

    private static String node(String name, String labels, String spec, String devices) {
        return "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {" + labels + "}}, spec: {"
                + spec + "}, status: {allocatable: {cpu: 16, memory: 64Gi, pods: 110, " + devices + "}}}\n";
    }

    private static String pod(String name, String spec, String metadata, String limits) {
        return "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: ml" + metadata + "}, spec: {"
                + spec + (spec.isEmpty() ? "" : ", ") + "containers: [{name: c, resources: {limits: {" + limits
                + "}}}]}, status: {phase: " + (spec.contains("nodeName") ? "Running" : "Pending") + "}}\n";
    }

    private static String waiting(String limits) {
        return pod("w", "", "", limits);
    }

    private LookRun why(String cluster) {
        return LookRun.on(folder, cluster, "why", "ml/w");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nvidia.com/gpu: 4 | nvidia.com/gpus: 1    | no node offers nvidia.com/gpus; offered: nvidia.com/gpu | request nvidia.com/gpu, if that is meant
            nvidia.com/gpu: 4 | nvidia.com/GPU: 1     | no node offers nvidia.com/GPU; offered: nvidia.com/gpu  | request nvidia.com/gpu, if that is meant
            amd.com/gpu: 4    | nvidia.com/gpu: 1     | no node offers nvidia.com/gpu; offered: amd.com/gpu     | request amd.com/gpu, if that is meant
            gpu.intel.com/i915: 4 | habana.ai/gaudi: 8 | no node offers habana.ai/gaudi; offered: gpu.intel.com/i915 | add a node with
            """)
    void aResourceThatNoNodeOffers_isNamedWithThoseThatAreOffered(
            String offered, String asked, String reason, String remedy) {
        LookRun run = why(node("n1", "", "", offered) + waiting(asked));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains(reason, "nearest remedy: " + remedy);
    }

    @Test
    void aProfileThatNoNodeOffers_isNamedWithThoseThatAreOffered_andACountThatIsTooLargeIsNotTakenForOne() {
        String cut = node(
                "n1",
                "nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB, nvidia.com/gpu.count: \"4\", nvidia.com/mig.strategy: mixed",
                "",
                "nvidia.com/gpu: 2, nvidia.com/mig-1g.10gb: 7, nvidia.com/mig-3g.40gb: 2");
        assertThat(why(cut + waiting("nvidia.com/mig-2g.20gb: 1")).out())
                .contains("no node offers partition 2g.20gb; offered: 1g.10gb, 3g.40gb")
                .doesNotContain("geometry", "no GPU can hold it");
        assertThat(why(cut + waiting("nvidia.com/mig-3g.40gb: 3")).out())
                .contains("the GPUs of one node cannot hold all of it, even with nothing running")
                .doesNotContain("no GPU can hold it");
    }

    @Test
    void slotsThatAreTaken_areSaid_notMemoryOfWhichThereIsEnough() {
        String shared = node(
                "n1",
                "nvidia.com/gpu.product: T4-SHARED, nvidia.com/gpu.count: \"1\", nvidia.com/gpu.replicas: \"2\"",
                "",
                "nvidia.com/gpu: 2");
        String running = pod("r", "nodeName: n1", "", "nvidia.com/gpu: 2");
        assertThat(why(shared + running + waiting("nvidia.com/gpu: 1")).out())
                .contains("0 slots free in total, at most 0 on one GPU; asked 1 slot")
                .doesNotContain("1 GPU free in total");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            unschedulable: true                                                          | no room now   | uncordon n1
            taints: [{key: node.kubernetes.io/not-ready, effect: NoExecute}]             | no room now   | wait until n1 is ready
            taints: [{key: node.kubernetes.io/memory-pressure, effect: NoSchedule}]      | no room now   | wait until n1 has no taint node.kubernetes.io/memory-pressure
            taints: [{key: karpenter.sh/disrupted, effect: NoSchedule}]                  | can never fit | add a node with 1 whole GPU
            taints: [{key: team, value: a, effect: NoSchedule}]                          | can never fit | tolerate taint team=a:NoSchedule of n1
            """)
    void statesOfANode_areLiftedOrWaitedFor_andOnlyItsRulesAreTolerated(String spec, String head, String remedy) {
        assertThat(why(node("n1", "", spec, "nvidia.com/gpu: 1") + waiting("nvidia.com/gpu: 1"))
                        .out())
                .contains(head)
                .containsPattern("nearest remedy: \\Q" + remedy + "\\E\n")
                .doesNotContain("EXCLUSIVE");
    }

    @Test
    void podsOfLowerPriority_areNamed_unlessThePodMayNotHaveThemEvicted() {
        String full = node("n1", "", "", "nvidia.com/gpu: 1")
                + pod("low", "nodeName: n1, priority: 1", "", "nvidia.com/gpu: 1");
        assertThat(why(full + pod("w", "priority: 9", "", "nvidia.com/gpu: 1")).out())
                .contains("its scheduler may evict pods of lower priority that hold GPUs: ml/low");
        assertThat(why(full + pod("w", "priority: 9, preemptionPolicy: Never", "", "nvidia.com/gpu: 1"))
                        .out())
                .doesNotContain("may evict");
        assertThat(why(full + pod("w", "priority: 1", "", "nvidia.com/gpu: 1")).out())
                .doesNotContain("may evict");
    }

    @Test
    void podsThatAreBeingDeleted_areNamed_andOneWithoutANodeIsNotAskedAbout() {
        String deleted = ", deletionTimestamp: \"2026-05-01T10:00:00Z\"";
        String full =
                node("n1", "", "", "nvidia.com/gpu: 1") + pod("old", "nodeName: n1", deleted, "nvidia.com/gpu: 1");
        assertThat(why(full + waiting("nvidia.com/gpu: 1")).out())
                .contains("pods that are being deleted still hold GPUs: ml/old");
        assertThat(why(full + pod("w", "", deleted, "nvidia.com/gpu: 1")).out())
                .contains("pod ml/w is being deleted before it got a node");
    }

    @ParameterizedTest
    @CsvSource({
        "scheduling.volcano.sh/v1beta1, annotations, scheduling.k8s.io/group-name",
        "scheduling.x-k8s.io/v1alpha1, labels, scheduling.x-k8s.io/pod-group"
    })
    void aGroupIsCalledByItsName(String api, String where, String key) {
        String group = "---\n{apiVersion: " + api
                + ", kind: PodGroup, metadata: {name: pg, namespace: ml}, spec: {minMember: 2}}\n";
        String member = ", " + where + ": {" + key + ": pg}";
        String one = node("n1", "", "", "nvidia.com/gpu: 1") + group + pod("w", "", member, "nvidia.com/gpu: 1");
        assertThat(why(one + pod("v", "", member, "nvidia.com/gpu: 1")).out())
                .contains("pod group \"ml/pg\": can never fit")
                .doesNotContain("group VOLCANO", "group COSCHEDULING");
        assertThat(why(one).out()).contains("there is 1 pod that can start");
    }

    @Test
    void replicasOfNobodyKnowsHowManyGpus_areOfAsManyAsDivideTheirNumber() {
        LookRun map = LookRun.on(folder, node("n1", "", "", "nvidia.com/gpu: 160"), "map");
        assertThat(map.out()).contains("8 GPUs, 8 idle").doesNotContain("x");
    }

    @Test
    void devicesForVirtualMachines_areShownByTheirNames() {
        LookRun map = LookRun.on(folder, node("n1", "", "", "nvidia.com/GA102GL_A10: 2"), "map");
        assertThat(map.out()).contains("n1  0 of 2 nvidia.com/GA102GL_A10 held");
    }

    @Test
    void whatANodeHasAndDoesNotGiveOut_isSaid() {
        String sick = node("n1", "", "", "nvidia.com/gpu: 7")
                .replace("status: {", "status: {capacity: {cpu: 16, nvidia.com/gpu: 8}, ");
        assertThat(LookRun.on(folder, sick, "map").err())
                .contains("node n1 gives out 7 of its 8 nvidia.com/gpu; maybe the rest is unhealthy");
        String gone = node("n1", "nvidia.com/gpu.count: \"4\"", "", "nvidia.com/gpu: 0")
                + pod("r", "nodeName: n1", "", "nvidia.com/gpu: 1");
        assertThat(LookRun.on(folder, gone, "map").err()).doesNotContain(" 0 of the GPUs");
    }

    @Test
    void whereDaemonSetsTakeAllPlacesForPods_thatIsSaid() {
        String owner = ", ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: d, controller: true}]";
        String full = node("n1", "", "", "nvidia.com/gpu: 1").replace("pods: 110", "pods: 1")
                + pod("d", "nodeName: n1", owner, "cpu: 1");
        assertThat(why(full + waiting("nvidia.com/gpu: 1")).out())
                .contains("no more pods: pods of DaemonSets take all places for pods")
                .doesNotContain("maxPods");
    }

    @Test
    void moreThanOneReplicaOfMps_isRefusedInWordsOfMps_withoutARemedyThatCannotHelp() {
        String mps = node(
                "n1",
                "nvidia.com/gpu.product: L40S-SHARED, nvidia.com/gpu.count: \"1\", nvidia.com/gpu.replicas: \"4\","
                        + " nvidia.com/gpu.sharing-strategy: mps",
                "",
                "nvidia.com/gpu.shared: 4");
        assertThat(why(mps + waiting("nvidia.com/gpu.shared: 2")).out())
                .contains("with MPS a container gets 1 replica at most")
                .doesNotContain("select nvidia.com/gpu.sharing-strategy=mps");
    }

    @Test
    void reservationPodsOfKai_areKnown() {
        String cluster = node("n1", "", "", "nvidia.com/gpu: 1")
                + pod(
                        "resv",
                        "nodeName: n1",
                        ", labels: {runai-gpu-group: g}, annotations: {run.ai/reserve_for_gpu_index: \"0\"}",
                        "nvidia.com/gpu: 1")
                + pod(
                        "a",
                        "nodeName: n1",
                        ", labels: {runai-gpu-group: g}, annotations: {gpu-fraction: \"0.5\"}",
                        "cpu: 1");
        assertThat(LookRun.on(folder, cluster, "map").err()).isEmpty();
    }

    @Test
    void idleGpusThatNoPodSelects_areStrandedByWhatTheNodeLacks_notByWhatOthersSelect() {
        String busy = node("n1", "pool: a", "", "nvidia.com/gpu: 4") + pod("cpu", "nodeName: n1", "", "cpu: 16");
        String other = node("n2", "pool: b", "", "nvidia.com/gpu: 4") + node("n3", "pool: a", "", "nvidia.com/gpu: 4");
        String asking = pod("w", "nodeSelector: {pool: b}", "", "nvidia.com/gpu: 1, cpu: 2");
        assertThat(LookRun.on(folder, busy + other + asking, "stranded").out())
                .contains("n1  4 GPUs: too few free cores: at most 0 on one node, asked 2")
                .contains("n3  4 GPUs: no pod that requests such GPUs selects this node")
                .doesNotContain("n2  ", "pool=b");
    }

    @Test
    void podsThatClaimGpus_arePendingPodsThatAskForThem() {
        String claims =
                "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, spec: {driver: gpu.nvidia.com,"
                        + " nodeName: n1, pool: {name: n1, generation: 1, resourceSliceCount: 1}, devices: [{name: gpu-0, attributes:"
                        + " {type: {string: gpu}, uuid: {string: GPU-0}}, capacity: {memory: {value: 40Gi}}}]}}\n"
                        + "---\n{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu.nvidia.com}, spec: {selectors:"
                        + " [{cel: {expression: \"device.driver == 'gpu.nvidia.com'\"}}]}}\n"
                        + "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: one, namespace: ml}, spec: {devices:"
                        + " {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 1}}]}}}\n";
        String cluster = node("n1", "", "", "example.com/nic: 1")
                + claims
                + pod("w", "resourceClaims: [{name: gpu, resourceClaimName: one}]", "", "cpu: 1");
        assertThat(LookRun.on(folder, cluster, "map").out()).contains("1 pending pod asks for GPUs: ml/w");
        assertThat(LookRun.on(folder, cluster, "who")
                        .answer()
                        .lines()
                        .map(line -> line.strip().replaceAll(" +", " ")))
                .contains("ml 0 0 0.0 1 1");
        assertThat(why(cluster).out()).contains("there is room now: on node n1 with gpu.nvidia.com/n1/gpu-0");
    }

    @Test
    void fit_saysWhichQuotaKeepsPodsFromBeingCreated() throws IOException {
        String quota = "---\n{apiVersion: v1, kind: ResourceQuota, metadata: {name: q, namespace: ml}, spec: {hard:"
                + " {requests.nvidia.com/gpu: 4}}, status: {used: {requests.nvidia.com/gpu: 3}}}\n";
        Path job = Files.writeString(folder.resolve("job.yaml"), """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: j, namespace: ml}
                spec:
                  parallelism: 2
                  template:
                    spec:
                      restartPolicy: Never
                      containers: [{name: c, image: x, resources: {limits: {nvidia.com/gpu: 1}}}]
                """);
        String cluster = node("n1", "", "", "nvidia.com/gpu: 8");
        LookRun run = LookRun.on(folder, cluster + quota, "fit", job.toString());
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out())
                .contains("2 of 2 would start now")
                .contains("ResourceQuota ml/q: 3 of 4 requests.nvidia.com/gpu used, 2 more requested; not all of these"
                        + " pods would be created");
        assertThat(LookRun.on(
                                folder,
                                cluster + quota.replace("used: {requests.nvidia.com/gpu: 3}", "used: {}"),
                                "fit",
                                job.toString())
                        .code())
                .isZero();
        assertThat(LookRun.on(folder, cluster + quota.replace("namespace: ml", "namespace: x"), "fit", job.toString())
                        .code())
                .isZero();
    }
}
