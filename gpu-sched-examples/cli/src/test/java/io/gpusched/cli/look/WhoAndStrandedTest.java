package io.gpusched.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** GPUs by owner, and idle GPUs that no pod can take. */
class WhoAndStrandedTest {
    @TempDir
    private Path folder;

    private LookRun run(String cluster, String... arguments) {
        return LookRun.on(folder, cluster, arguments);
    }

    private static String node(String name, String model, int cpus, int gpus) {
        return "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {nvidia.com/gpu.product: "
                + model
                + "}}, status: {allocatable: {cpu: " + cpus + ", memory: 64Gi, pods: 110, nvidia.com/gpu: " + gpus
                + "}}}\n";
    }

    private static String pod(String name, String namespace, String metadata, String node, int cpus, int gpus) {
        return "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: " + namespace
                + (metadata.isEmpty() ? "" : ", " + metadata) + "}, spec: {"
                + (node.isEmpty() ? "" : "nodeName: " + node + ", ")
                + "containers: [{name: c, resources: {limits: {cpu: "
                + cpus + ", nvidia.com/gpu: " + gpus + "}}}]}, status: {phase: "
                + (node.isEmpty() ? "Pending" : "Running")
                + "}}\n";
    }

    private static final String CLUSTER = node("a", "A100", 32, 8)
            + node("h", "H100", 32, 8)
            + pod("p", "vision", "labels: {kueue.x-k8s.io/queue-name: fast}", "a", 1, 4)
            + pod("q", "vision", "labels: {kai.scheduler/queue: slow}", "h", 1, 2)
            + pod(
                    "r",
                    "speech",
                    "ownerReferences: [{apiVersion: batch/v1, kind: Job, name: tune, uid: u, controller: true}]",
                    "h",
                    1,
                    3)
            + pod("w", "speech", "", "", 1, 6);

    @Test
    void who_sumsByNamespace_queue_owner_andModel() {
        assertThat(run(CLUSTER, "who").answer().lines().map(line -> line.strip().replaceAll(" +", " ")))
                .contains("vision 2 6 6.0 0 0", "speech 1 3 3.0 1 6");
        assertThat(run(CLUSTER, "who", "--by", "model").out()).contains("A100", "H100");
        assertThat(run(CLUSTER, "who", "--by", "queue").out()).contains("fast", "slow");
        assertThat(run(CLUSTER, "who", "--by", "owner").out()).contains("Job");
    }

    @Test
    void who_countsAGpuThatSeveralShare_once() {
        String labels =
                "nvidia.com/gpu.product: T4-SHARED, nvidia.com/gpu.count: \"1\", nvidia.com/gpu.replicas: \"4\"";
        String shared = "---\n{apiVersion: v1, kind: Node, metadata: {name: t, labels: {" + labels
                + "}}, status: {allocatable: {cpu: 8, memory: 64Gi, pods: 110, nvidia.com/gpu: 4}}}\n";
        assertThat(run(shared + pod("p", "x", "", "t", 1, 1) + pod("q", "x", "", "t", 1, 1), "who")
                        .answer()
                        .lines()
                        .map(line -> line.strip().replaceAll(" +", " ")))
                .contains("x 2 1 0.5 0 0");
    }

    @Test
    void stranded_namesTheNode_andWhatIsMissingBesideItsGpus() {
        String full = node("a", "A100", 4, 8) + node("b", "A100", 32, 8) + pod("p", "x", "", "a", 4, 1);
        LookRun run = run(full, "stranded");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("a  7 GPUs: ", "cores").doesNotContain("  b  ");
    }

    /** A pod of a DaemonSet goes to no other node, so that room for a copy of it is of no use. */
    @Test
    void stranded_doesNotCountPodsThatBelongToTheirNode() {
        String probe = pod("probe", "x", "", "b", 0, 1)
                .replace(
                        "namespace: x",
                        "namespace: x, ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: d, controller: true}]");
        String full = node("a", "A100", 4, 8) + node("b", "A100", 32, 8) + pod("p", "x", "", "a", 4, 1);
        LookRun run = run(full + probe, "stranded");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("a  7 GPUs: ").doesNotContain("  b  ");
    }

    /** On a cluster with time slicing a request is for whole GPUs or for slots: it asks for as many either way. */
    @Test
    void stranded_namesWhatThePodThatRequestsLeastLacks() {
        String shared =
                "---\n{apiVersion: v1, kind: Node, metadata: {name: t, labels: {nvidia.com/gpu.product: T4-SHARED,"
                        + " nvidia.com/gpu.count: \"1\", nvidia.com/gpu.replicas: \"4\"}}, status: {allocatable: {cpu: 8, memory: 64Gi,"
                        + " pods: 110, nvidia.com/gpu: 4}}}\n";
        String operator = node("a", "A100", 4, 8).replace("labels: {", "labels: {nvidia.com/gpu.count: \"8\", ");
        String pods = pod("p", "x", "", "a", 3, 1) + pod("w", "x", "", "", 1, 16);
        assertThat(run(shared + operator + pods, "stranded").out())
                .contains("  a  7 GPUs: too few free cores: at most 1 on one node, asked 3");
    }

    @Test
    void mix_asksEachSystemForWhatItGivesOut() {
        String amd = node("m", "MI300X", 32, 2).replace("nvidia.com/gpu:", "amd.com/gpu:");
        String shared =
                "---\n{apiVersion: v1, kind: Node, metadata: {name: g}, status: {allocatable: {cpu: 8, memory: 64Gi,"
                        + " pods: 110, aliyun.com/gpu-mem: 32, aliyun.com/gpu-count: 2}}}\n";
        assertThat(run(node("a", "A100", 32, 8) + amd + shared, "mix").out())
                .contains(
                        "8 whole GPUs on nodes of the device plugin of nvidia.com/gpu", "0.5 GPUs on nodes of gpushare")
                .doesNotContain("8 whole GPUs on nodes of the device plugin of amd.com/gpu")
                .doesNotContain("0.5 GPUs on nodes of the device plugin")
                .doesNotContain("slot");
        assertThat(run(shared, "map").out()).contains("g  ..\n").doesNotContain("gpu-count held");
    }

    @Test
    void stranded_whereSystemsDiffer_asksForWhatTheNodeGivesOut() {
        String amd = node("m", "MI300X", 32, 8).replace("nvidia.com/gpu:", "amd.com/gpu:");
        String gaudi = node("h", "Gaudi", 32, 8).replace("nvidia.com/gpu:", "habana.ai/gaudi:");
        String pods =
                pod("w", "x", "", "", 1, 9) + pod("v", "x", "", "", 64, 1).replace("nvidia.com/gpu:", "amd.com/gpu:");
        LookRun run = run(node("a", "A100", 32, 8) + amd + gaudi + pods, "stranded");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out())
                .contains("  a  8 GPUs: at most 8 GPUs on one node, asked 9")
                .contains("  m  8 GPUs: at most 32 cores on one node, asked 64 cores")
                .contains("  h  8 GPUs: no pod requests its GPUs");
    }

    @Test
    void mix_namesSystemsAsOtherCommandsDo() {
        String amd = node("m", "MI300X", 32, 8).replace("nvidia.com/gpu:", "amd.com/gpu:");
        assertThat(run(node("a", "A100", 32, 8) + amd, "mix").out())
                .contains("1 whole GPU on nodes of the device plugin of amd.com/gpu ")
                .doesNotContain("device-plugin-");
    }

    /** A pod that asks for devices that are counted by name names no system, and its nodes are not all others. */
    @Test
    void stranded_givesNoReasonOfPodsThatAskForDevicesOfOtherNodes() {
        String gaudi =
                "---\n{apiVersion: v1, kind: Node, metadata: {name: g}, status: {allocatable: {cpu: 8, memory: 64Gi,"
                        + " pods: 110, habana.ai/gaudi: 8}}}\n";
        String neuron = "---\n{apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {cpu: 8, memory:"
                + " 64Gi, pods: 110, aws.amazon.com/neuron: 16, aws.amazon.com/neuroncore: 32}}}\n";
        String pods = pod("cores", "x", "", "", 1, 64).replace("nvidia.com/gpu", "aws.amazon.com/neuroncore")
                + pod("held", "x", "", "g", 8, 1).replace("nvidia.com/gpu", "habana.ai/gaudi");
        LookRun run = run(gaudi + neuron + pods, "stranded");
        assertThat(run.out()).containsPattern("  g  7 GPUs: .*cores").containsPattern("  n  16 GPUs: .*neuroncore");
        assertThat(run.out().lines().filter(line -> line.startsWith("  g  ")))
                .noneMatch(line -> line.contains("neuroncore"));
    }

    @Test
    void stranded_ofACordonedNode_saysSo() {
        String cordoned =
                node("a", "A100", 4, 8).replace("status: {alloc", "spec: {unschedulable: true}, status: {alloc")
                        + node("b", "A100", 4, 8);
        LookRun run = run(cordoned, "stranded");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("a  8 GPUs: the node is cordoned");
    }

    @Test
    void nothingIsStranded_whereNobodyRunsYet_orWhatRunsFitsOnceMore() {
        assertThat(run(node("a", "A100", 4, 8), "stranded").out()).contains("no idle GPU is stranded");
        assertThat(run(node("a", "A100", 4, 8) + pod("p", "x", "", "a", 1, 1), "stranded")
                        .code())
                .isZero();
    }

    @Test
    void marksOfClosedNodes_standInTheMap_andTheirGpusAreNotCountedAsIdle() {
        String closed = node("a", "A100", 4, 8).replace("status: {alloc", "spec: {unschedulable: true}, status: {alloc")
                + node("b", "A100", 4, 8)
                        .replace(
                                "nvidia.com/gpu: 8}",
                                "nvidia.com/gpu: 8}, conditions: [{type: Ready, status: Unknown}]");
        assertThat(run(closed, "map").out())
                .startsWith("2 nodes (2 with GPUs), 16 GPUs, 0 idle, 16 more on nodes that take no pods")
                .contains("a  ........  cordoned", "b  ........  NotReady");
    }
}
