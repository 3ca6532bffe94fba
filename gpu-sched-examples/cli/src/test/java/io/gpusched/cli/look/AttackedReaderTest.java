package io.gpusched.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters in which other systems hold GPUs, cut them or leave fields out, in one document each. */
class AttackedReaderTest {
    @TempDir
    private Path folder;

    private static String node(String name, String labels, String allocatable) {
        return "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {" + labels
                + "}}, status: {allocatable: {cpu: 32, memory: 256Gi, pods: 110, " + allocatable + "}}}\n";
    }

    private static String pod(String name, String node, String annotations, String limits, String more) {
        return "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: team, annotations: {"
                + annotations + "}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: r,"
                + " controller: true}]}, spec: {" + (node.isEmpty() ? "" : "nodeName: " + node + ", ")
                + "containers: [{name: c, resources: {limits: {" + limits + "}}}]" + more + "}, status: {phase: "
                + (node.isEmpty() ? "Pending" : "Running") + "}}\n";
    }

    private static String koordinator(String minors) {
        StringBuilder gpus = new StringBuilder();
        for (String minor : minors.split(" ")) {
            gpus.append(gpus.isEmpty() ? "" : ",")
                    .append("{\"minor\": ")
                    .append(minor)
                    .append(", \"extension\": {\"vfs\": []}}");
        }
        return "scheduling.koordinator.sh/device-allocated: '{\"gpu\": [" + gpus + "]}'";
    }

    @Test
    void partsOfGpusByKoordinator_areHeldOfTheGpusThatItWrote_andNoGpuGivesMoreThanItHasLeft() {
        String cluster =
                node("k", "", "nvidia.com/gpu: 3, koordinator.sh/gpu-core: 300, koordinator.sh/gpu-memory: 240Gi")
                        + pod("a", "k", koordinator("0"), "koordinator.sh/gpu-core: 50", "")
                        + pod("b", "k", koordinator("1"), "koordinator.sh/gpu-core: 50", "")
                        + pod("c", "k", koordinator("2"), "nvidia.com/gpu: 1", "")
                        + pod("half", "", "", "koordinator.sh/gpu-core: 50", "")
                        + pod("more", "", "", "koordinator.sh/gpu-core: 60", "")
                        + pod("two", "", "", "koordinator.sh/gpu.shared: 2, koordinator.sh/gpu-core: 100", "");
        LookRun map = LookRun.on(folder, cluster, "map");
        assertThat(map.out())
                .contains(
                        "3 GPUs, 0 idle. Read as: Koordinator", "k  55#", "team/a 50 % of GPU 0; team/b 50 % of GPU 1");
        assertThat(map.err()).isEmpty();
        assertThat(LookRun.on(folder, cluster, "why", "team/half").code()).isZero();
        assertThat(LookRun.on(folder, cluster, "why", "team/two").code()).isZero();
        LookRun why = LookRun.on(folder, cluster, "why", "team/more");
        assertThat(why.code()).isEqualTo(1);
        assertThat(why.out()).contains("no room now", "free 10 % of the compute of GPU 0 of k");
    }

    @Test
    void allGpusThatKoordinatorWrote_areRead_whateverElseItWroteOfEach() {
        String cluster = node("k", "", "koordinator.sh/gpu-core: 300")
                + pod("d", "k", koordinator("0 2"), "koordinator.sh/gpu.shared: 2, koordinator.sh/gpu-core: 100", "");
        assertThat(LookRun.on(folder, cluster, "map").out()).contains("k  5.5");
    }

    @Test
    void twoPartsOfAGpuByKoordinator_onANodeThatOffersWholeGpus_holdThisGpuOnce_andAreToldOnce() {
        String cluster = node("k", "", "nvidia.com/gpu: 3")
                + pod("a", "k", koordinator("1"), "koordinator.sh/gpu-core: 50", "")
                + pod("b", "k", koordinator("1"), "koordinator.sh/gpu-core: 50", "");
        LookRun map = LookRun.on(folder, cluster, "map");
        assertThat(map.out()).contains("3 GPUs, 2 idle");
        assertThat(map.err())
                .contains("2 pods on 1 node hold GPUs by annotation")
                .doesNotContain("set aside");
    }

    @Test
    void aPodWhoseDevicesByKoordinatorCannotBeRead_isToldOf_andKeepsWhatItMayHold() {
        String cluster = node("k", "", "koordinator.sh/gpu-core: 200")
                + pod(
                        "broken",
                        "k",
                        "scheduling.koordinator.sh/device-allocated: '{'",
                        "koordinator.sh/gpu-core: 50",
                        "")
                + pod("wait", "", "", "koordinator.sh/gpu-core: 200", "");
        LookRun map = LookRun.on(folder, cluster, "map");
        assertThat(map.err()).contains("team/broken");
        assertThat(LookRun.on(folder, cluster, "why", "team/wait").code()).isEqualTo(1);
    }

    @Test
    void aNodeThatStatesItsCapacityAlone_hasAllOfIt() {
        LookRun map = LookRun.on(
                folder,
                "{apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: null,"
                        + " capacity: {cpu: 8, memory: 8Gi, nvidia.com/gpu: 2}}}",
                "map");
        assertThat(map.out()).contains("1 node (1 with GPUs), 2 GPUs, 2 idle");
    }

    @Test
    void aWholeGpuGoesNeitherToASliceNorToAReplica_andNoMarkOfOursIsShown() {
        String gke = "cloud.google.com/gke-accelerator: nvidia-l4";
        String cluster = node("whole", gke, "nvidia.com/gpu: 2")
                + node("cut", gke + ", cloud.google.com/gke-gpu-partition-size: 1g.5gb", "nvidia.com/gpu: 7")
                + node(
                        "shared",
                        gke + ", cloud.google.com/gke-gpu-sharing-strategy: mps,"
                                + " cloud.google.com/gke-max-shared-clients-per-gpu: '3'",
                        "nvidia.com/gpu: 6")
                + pod("w", "whole", "", "nvidia.com/gpu: 1", "");
        LookRun drain = LookRun.on(folder, cluster, "drain", "whole");
        assertThat(drain.code()).isEqualTo(1);
        assertThat(drain.out())
                .contains("1 node: slices, no whole GPUs", "1 node: only shares of GPUs are given out")
                .doesNotContain("gpu-sched.io");
    }

    @Test
    void theHeadOfMixedNodes_countsTheGpusThatAreCut() {
        LookRun map = LookRun.on(
                folder,
                node(
                        "m",
                        "nvidia.com/mig.strategy: mixed, nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3,"
                                + " nvidia.com/gpu.count: '8'",
                        "nvidia.com/gpu: 5, nvidia.com/mig-3g.40gb: 6"),
                "map");
        assertThat(map.out()).contains("8 GPUs, ", "8 × NVIDIA-H100-80GB-HBM3", "[0 of 6 partitions]");
    }

    @Test
    void whatIsLostWithAPodThatMoves_isSaid() {
        String cluster = node("a", "", "nvidia.com/gpu: 4")
                + node("b", "", "nvidia.com/gpu: 4")
                + pod("shm", "a", "", "nvidia.com/gpu: 1", ", volumes: [{name: v, emptyDir: {medium: Memory}}]")
                + pod("scratch", "a", "", "nvidia.com/gpu: 1", ", volumes: [{name: v, emptyDir: {}}]")
                + pod(
                        "data",
                        "a",
                        "",
                        "nvidia.com/gpu: 1",
                        ", volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]");
        LookRun drain = LookRun.on(folder, cluster, "drain", "a");
        assertThat(drain.code()).isZero();
        assertThat(drain.out())
                .contains("what they wrote to an emptyDir or hostPath does not move with: team/scratch\n")
                .contains("volumes are not among the objects and may keep them on their node: team/data\n");
    }

    @Test
    void aFileThatHoldsNoObjects_isAnErrorThatSaysSo() {
        assertThat(LookRun.on(folder, "error: You must be logged in to the server\n", "map")
                        .err())
                .contains("field kind: must be there");
        assertThat(LookRun.on(folder, "NAME STATUS\nn1 Ready\n", "map").err())
                .contains("must be an object of Kubernetes, got \"NAME STATUS");
    }
}
