package io.gpusched.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clusters that are not as most are: several vendors on one node, devices under other names, and holdings that are not read here. */
class OddClustersTest {
    private static final String POD =
            "spec: {%s, containers: [{name: c, resources: {limits: {%s}}}]}, status: {phase: %s}}\n";

    @TempDir
    private Path folder;

    private static String node(String name, String labels, String devices) {
        return "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {" + labels + "}}, "
                + "status: {allocatable: {cpu: 32, memory: 128Gi, pods: 110, " + devices + "}}}\n";
    }

    private static String running(String name, String node, String limits) {
        return "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: ml}, "
                + POD.formatted("nodeName: " + node, limits, "Running");
    }

    private static String waiting(String name, String more, String limits) {
        return "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: ml}, "
                + POD.formatted(more.isEmpty() ? "priority: 0" : more, limits, "Pending");
    }

    private LookRun run(String cluster, String... arguments) {
        return LookRun.on(folder, cluster, arguments);
    }

    @Test
    void devicesOfASecondVendor_areCountedByName_onAllNodes() {
        String cluster = node("both", "", "nvidia.com/gpu: 2, amd.com/gpu: 2")
                + node("amd", "", "amd.com/gpu: 8")
                + node("nv", "", "nvidia.com/gpu: 2")
                + running("nv", "both", "nvidia.com/gpu: 1")
                + running("rocm", "both", "amd.com/gpu: 1")
                + waiting("both", "", "nvidia.com/gpu: 1, amd.com/gpu: 1")
                + waiting("nine", "", "amd.com/gpu: 9");
        LookRun map = run(cluster, "map");
        assertThat(map.out())
                .contains(
                        "counted by number: amd.com/gpu",
                        "both  #.  1 of 2 amd.com/gpu held  ml/nv 1 GPU",
                        "amd  0 of 8 amd.com/gpu held");
        assertThat(map.err()).isEmpty();
        assertThat(run(cluster, "why", "ml/both").out()).contains("there is room now: on node both for 1 GPU");
        assertThat(run(cluster, "why", "ml/nine").out()).contains("can never fit", "asked 9 amd.com/gpu");
        assertThat(run(cluster, "drain", "both").out()).contains("ml/rocm to amd", "ml/nv to nv with 1 GPU");
    }

    @Test
    void coresOfNeuron_areThoseOfItsDevices() {
        String inf = node("inf", "", "aws.amazon.com/neuron: 2, aws.amazon.com/neuroncore: 4");
        String cluster = inf
                + running("one", "inf", "aws.amazon.com/neuroncore: 1")
                + waiting("three", "", "aws.amazon.com/neuroncore: 3")
                + waiting("four", "", "aws.amazon.com/neuroncore: 4")
                + waiting("whole", "", "aws.amazon.com/neuron: 1")
                + waiting("both", "", "aws.amazon.com/neuron: 2");
        assertThat(run(cluster, "why", "ml/three").code()).isZero();
        assertThat(run(cluster, "why", "ml/four").code()).isEqualTo(1);
        assertThat(run(cluster, "why", "ml/whole").code()).isZero();
        assertThat(run(cluster, "why", "ml/both").code()).isEqualTo(1);
        LookRun map = run(cluster, "map");
        assertThat(map.err()).isEmpty();
        assertThat(map.out()).contains("inf  5.  ml/one 1 x neuroncore");
        String held = inf
                + running("device", "inf", "aws.amazon.com/neuron: 1")
                + waiting("two", "", "aws.amazon.com/neuroncore: 2")
                + waiting("three", "", "aws.amazon.com/neuroncore: 3");
        assertThat(run(held, "why", "ml/two").code()).isZero();
        assertThat(run(held, "why", "ml/three").code()).isEqualTo(1);
    }

    @Test
    void aDevicePluginThatIsGone_doesNotSpeakForTheNode() {
        LookRun map = run(node("a", "", "nvidia.com/gpu: 0, amd.com/gpu: 4"), "map");
        assertThat(map.out())
                .startsWith("1 node (1 with GPUs), 4 GPUs, 4 idle. Read as: device plugin (amd.com/gpu)\n");
    }

    @Test
    void aPodThatHoldsWhatIsNotRead_isNotMoved() {
        String cluster = node("a", "", "nvidia.com/gpu: 2")
                + node("b", "", "nvidia.com/gpu: 2")
                + running("flops", "a", "tensor-fusion.ai/tflops: 10")
                + running("shared", "a", "volcano.sh/gpu-memory: 1000");
        LookRun drain = run(cluster, "drain", "a");
        assertThat(drain.code()).isEqualTo(1);
        assertThat(drain.out())
                .contains(
                        "ml/flops may not be evicted (it holds tensor-fusion.ai/tflops, which is not read here)",
                        "ml/shared may not be evicted (it holds volcano.sh/gpu-memory, which is not read here)");
        assertThat(run(cluster, "shrink").out()).contains("b").doesNotContain("ml/flops to");
    }

    @Test
    void podsOnNodesThatAreNotAmongTheObjects_areTold() {
        LookRun map = run(node("a", "", "nvidia.com/gpu: 2") + running("p", "gone", "nvidia.com/gpu: 1"), "map");
        assertThat(map.code()).isZero();
        assertThat(map.err())
                .contains("1 pod is on a node that is not among the objects (gone) and not looked at: ml/p");
    }

    @Test
    void renamedReplicas_areShownWhateverTheirName() {
        String cluster =
                node("t4", "nvidia.com/gpu.count: \"2\", nvidia.com/gpu.replicas: \"3\"", "nvidia.com/gpu.tiny: 6")
                        + running("p", "t4", "nvidia.com/gpu.tiny: 2")
                        + waiting("four", "", "nvidia.com/gpu.tiny: 4")
                        + waiting("five", "", "nvidia.com/gpu.tiny: 5");
        assertThat(run(cluster, "map").out()).contains("2 of 6 nvidia.com/gpu.tiny held");
        assertThat(run(cluster, "why", "ml/four").code()).isZero();
        assertThat(run(cluster, "why", "ml/five").code()).isEqualTo(1);
    }

    @Test
    void anInitContainer_holdsWhatTheOthersHoldLater() {
        String pod = "---\n{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ml}, spec: {nodeName: a, "
                + "initContainers: [{name: i, resources: {limits: {nvidia.com/gpu: 3}}}], "
                + "containers: [{name: c, resources: {limits: {nvidia.com/gpu: 1}}}]}, status: {phase: Running}}\n";
        assertThat(run(node("a", "", "nvidia.com/gpu: 4") + pod, "map").out()).contains("a  ###.  ml/p 3 GPUs");
    }

    @Test
    void gpuSchedsOwnForm_isNamedAsSuch() {
        LookRun run = run("nodes: [{name: n1}]\n", "map");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("is a cluster in gpu-sched's own form, which gpu-sched place reads");
        assertThat(run("Name:    gpu-1\nRoles:   <none>\n", "map").err()).contains("is what kubectl describe prints");
    }

    @Test
    void marksOfThisProgram_areNotAmongTheWords() {
        String cluster = node("nv", "", "nvidia.com/gpu: 2")
                + node("gaudi", "", "habana.ai/gaudi: 8")
                + running("p", "gaudi", "habana.ai/gaudi: 8")
                + waiting("w", "", "habana.ai/gaudi: 1")
                + waiting("x", "nodeSelector: {zone: a}", "habana.ai/gaudi: 1");
        assertThat(run(cluster, "why", "ml/w").out())
                .contains("1 node: not a node of the device plugin of habana.ai/gaudi")
                .doesNotContain("gpu-sched.io/");
        assertThat(run(cluster, "why", "ml/x").out()).contains("node selector does not match: zone=a");
        assertThat(run(cluster, "drain", "gaudi").out())
                .contains("1 node: to be drained")
                .doesNotContain("gpu-sched.io/", "cordoned", "accept the labels");
    }

    @Test
    void aNodeThatIsKeptForANominatedPod_hasNoRoomForOthersOfItsPriority() {
        String nominated =
                "---\n{apiVersion: v1, kind: Pod, metadata: {name: first, namespace: ml}, spec: {priority: 10, "
                        + "containers: [{name: c, resources: {limits: {nvidia.com/gpu: 2}}}]}, "
                        + "status: {phase: Pending, nominatedNodeName: a}}\n";
        String cluster = node("a", "", "nvidia.com/gpu: 2")
                + nominated
                + waiting("low", "", "nvidia.com/gpu: 1")
                + waiting("high", "priority: 11", "nvidia.com/gpu: 1");
        LookRun low = run(cluster, "why", "ml/low");
        assertThat(low.code()).isEqualTo(1);
        assertThat(low.out())
                .contains("node a is kept for ml/first, which its scheduler nominated for it", "0 GPUs idle");
        assertThat(run(cluster, "why", "ml/high").code()).isZero();
        assertThat(run(cluster, "why", "ml/first").out()).contains("there is room now: on node a for 2 GPUs");
    }

    @Test
    void aPodThatEvictsNoOther_isRefusedInTheSameWords() {
        String cluster = node("a", "", "nvidia.com/gpu: 2")
                + running("p", "a", "nvidia.com/gpu: 2")
                + waiting("w", "priority: 9, preemptionPolicy: Never", "nvidia.com/gpu: 1");
        assertThat(run(cluster, "why", "ml/w").answer())
                .startsWith(
                        "pod ml/w is pending (scheduler: default-scheduler)\npod \"ml/w\": no room now on any of 1 node\n")
                .doesNotContain("evict");
    }

    @Test
    void podsThatHaveNoOtherPlace_areNotCalledByTheNameOfOne() {
        String cluster = node("a", "", "nvidia.com/gpu: 2")
                + node("b", "", "nvidia.com/gpu: 2")
                + running("p", "a", "nvidia.com/gpu: 2")
                + running("q", "b", "nvidia.com/gpu: 2");
        assertThat(run(cluster, "drain", "a", "b").out())
                .contains("ml/p has no other place\n  can never fit", "ml/q has no other place\n  can never fit");
    }

    @Test
    void moreThanOneSlotOfASharedGpuOfGke_isRefusedForThatReason() {
        String labels =
                "cloud.google.com/gke-accelerator: nvidia-l4, cloud.google.com/gke-gpu-sharing-strategy: time-sharing,"
                        + " cloud.google.com/gke-max-shared-clients-per-gpu: \"4\"";
        String cluster = node("g", labels, "nvidia.com/gpu: 4") + waiting("w", "", "nvidia.com/gpu: 2");
        assertThat(run(cluster, "why", "ml/w").out())
                .contains("1 node: GKE gives a container 1 slot of a shared GPU at most")
                .doesNotContain("name of their own");
    }

    @Test
    void aNodeOfOneLetter_isNamedByTheLabelToSelect() {
        String cluster = node("a", "zone: x", "nvidia.com/gpu: 1")
                + waiting("w", "nodeSelector: {zone: y}", "nvidia.com/gpu: 1");
        assertThat(run(cluster, "why", "ml/w").out()).contains("nearest remedy: select zone=x, as a has");
    }

    @Test
    void memoryThatIsShortOfLittle_doesNotReadAsEnough_andWhatIsNotAskedIsLeftOut() {
        String cluster = node("a", "", "nvidia.com/gpu: 1").replace("128Gi", "1056766Ki")
                + waiting("w", "", "nvidia.com/gpu: 1, memory: 1032Mi");
        assertThat(run(cluster, "why", "ml/w").out())
                .contains("at most 1 GiB of memory on one node, asked 1.01 GiB of memory")
                .contains("add a node with 1032 MiB, for 1 whole GPU");
    }

    @Test
    void mix_saysAShapeOnce() {
        String cluster = node("a", "", "nvidia.com/gpu: 4") + running("p", "a", "nvidia.com/gpu: 2");
        assertThat(run(cluster, "mix").answer())
                .containsOnlyOnce("2 whole GPUs")
                .containsOnlyOnce("1 whole GPU ");
    }

    @Test
    void aGroupOfVolcanoThatMustStayInAHyperNode_isAskedAboutWithTheHyperNodesOfTheFile() {
        String cluster = node("a", "", "nvidia.com/gpu: 1")
                + node("b", "", "nvidia.com/gpu: 1")
                + node("c", "", "nvidia.com/gpu: 1")
                + "---\n{apiVersion: topology.volcano.sh/v1alpha1, kind: HyperNode, metadata: {name: s0}, spec: {tier: 1,"
                + " members: [{type: Node, selector: {regexMatch: {pattern: '[ab]'}}}]}}\n"
                + "---\n{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: g, namespace: ml}, spec:"
                + " {minMember: %d, networkTopology: {mode: hard, highestTierAllowed: 1}}}\n";
        String annotation = "annotations: {scheduling.k8s.io/group-name: g}, namespace: ml";
        for (String pod : new String[] {"x", "y", "z"}) {
            cluster += waiting(pod, "", "nvidia.com/gpu: 1").replace("namespace: ml", annotation);
        }
        LookRun two = run(cluster.formatted(2), "why", "ml/x");
        assertThat(two.code()).as(two.out() + two.err()).isZero();
        LookRun three = run(cluster.formatted(3), "why", "ml/x");
        assertThat(three.code()).isEqualTo(1);
        assertThat(three.out()).contains("more than one hyper node of tier 1").doesNotContain("gpu-sched.io");
    }

    @Test
    void ofSlotsWhoseGpuNoOneWrote_theMapSaysHowManyAreHeld() throws IOException {
        String labels =
                "nvidia.com/gpu.count: \"2\", nvidia.com/gpu.replicas: \"4\", nvidia.com/gpu.product: T4-SHARED";
        String cluster = node("t4", labels, "nvidia.com/gpu: 8") + running("a", "t4", "nvidia.com/gpu: 3");
        assertThat(run(cluster, "map").out()).contains("t4  [3 of 8 slots]  ml/a 3 slots");
        assertThat(run(cluster.replace("gpu: 8", "gpu: 4"), "map").out()).contains("t4  [3 of 4 slots]x");
        Path page = folder.resolve("map.html");
        assertThat(run(cluster, "map", "--html", page.toString()).code()).isZero();
        assertThat(page).content().contains("the cells of 1 node show how many are held, not which");
    }

    @Test
    void replicas_areCalledSlots() {
        String labels =
                "nvidia.com/gpu.count: \"2\", nvidia.com/gpu.replicas: \"2\", nvidia.com/gpu.product: T4-SHARED";
        String cluster = node("t4", labels, "nvidia.com/gpu: 4") + waiting("w", "", "nvidia.com/gpu: 5");
        assertThat(run(cluster, "why", "ml/w").out()).contains("asked 5 times 1 slot");
    }

    @Test
    void podsOfAManifest_areAdmittedOnGkeAsItsApiServerDoes() throws IOException {
        String pool = "cloud.google.com/gke-nodepool: a";
        String node =
                "---\n{apiVersion: v1, kind: Node, metadata: {name: a, labels: {%s}}, spec: {taints: [{key: nvidia.com/gpu, "
                        + "value: present, effect: NoSchedule}]}, status: {allocatable: {cpu: 8, memory: 8Gi, pods: 9, nvidia.com/gpu: 1}}}\n";
        Path pod = Files.writeString(folder.resolve("pod.yaml"), waiting("p", "", "nvidia.com/gpu: 1"));
        Path cpu = Files.writeString(folder.resolve("cpu.yaml"), waiting("p", "", "cpu: 1"));
        assertThat(run(node.formatted(pool), "fit", pod.toString()).code()).isZero();
        assertThat(run(node.formatted(pool), "fit", cpu.toString()).code()).isEqualTo(1);
        assertThat(run(node.formatted("pool: a"), "fit", pod.toString()).code()).isEqualTo(1);
    }

    @Test
    void containersThatAskNothing_askWhatTheLimitRangeOfTheirNamespaceSays() throws IOException {
        String range =
                "---\n{apiVersion: v1, kind: LimitRange, metadata: {name: usual, namespace: NS}, spec: {limits: [{type: Container, "
                        + "defaultRequest: {cpu: 40}, default: {cpu: 50, memory: 1Gi}}]}}\n";
        String cluster = node("a", "", "nvidia.com/gpu: 2");
        String plain = Files.writeString(folder.resolve("pod.yaml"), waiting("p", "", "nvidia.com/gpu: 1"))
                .toString();
        String own = Files.writeString(folder.resolve("own.yaml"), waiting("p", "", "nvidia.com/gpu: 1, cpu: 4"))
                .toString();
        assertThat(run(cluster + range.replace("NS", "ml"), "fit", plain).out()).contains("asked 40 cores");
        assertThat(run(cluster + range.replace("NS", "ml"), "fit", own).code()).isZero();
        assertThat(run(cluster + range.replace("NS", "other"), "fit", plain).code())
                .isZero();
    }

    @Test
    void podsOfManifests_haveWhatTheirRuntimeClassAdds() throws IOException {
        String kata = "---\n{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: kata}, handler: kata, "
                + "overhead: {podFixed: {cpu: 2}}, scheduling: {nodeSelector: {kata: on-it}, "
                + "tolerations: [{key: kata, operator: Exists}]}}\n";
        String cluster = node("plain", "", "nvidia.com/gpu: 1")
                + node("kata", "kata: on-it", "nvidia.com/gpu: 1")
                        .replace(
                                "status: {allocatable",
                                "spec: {taints: [{key: kata, effect: NoSchedule}]}, status: {allocatable");
        String fits = manifest("runtimeClassName: kata", "nvidia.com/gpu: 1, cpu: 30");
        String tooLarge = manifest("runtimeClassName: kata", "nvidia.com/gpu: 1, cpu: 31");
        LookRun known = run(cluster + kata, "fit", fits);
        assertThat(known.out()).contains("on kata: ml/p", "no more like");
        assertThat(known.err()).isEmpty();
        assertThat(run(cluster + kata, "fit", tooLarge).out()).contains("asked 33 cores");
        Path both = Files.writeString(folder.resolve("both.yaml"), kata + Files.readString(Path.of(tooLarge)));
        assertThat(run(cluster, "fit", both.toString()).code()).isEqualTo(1);
        String other = manifest("runtimeClassName: kata, nodeSelector: {kata: never}", "nvidia.com/gpu: 1");
        assertThat(run(cluster + kata, "fit", other).out())
                .contains(
                        "refused: pod \"ml/p\": selects nodes by kata=never, and its runtime class kata by kata=on-it");
        assertThat(run(cluster, "fit", fits).err()).contains("runtime class are not known here");
    }

    @Test
    void nodesThatASchedulerKeepsForAPod_areNotGivenToOthersOfNoHigherPriority() throws IOException {
        String high =
                "---\n{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 20}\n";
        String cluster = node("a", "", "nvidia.com/gpu: 2")
                + high
                + waiting("first", "priority: 10", "nvidia.com/gpu: 2")
                        .replace("phase: Pending", "phase: Pending, nominatedNodeName: a");
        LookRun low = run(cluster, "fit", manifest("", "nvidia.com/gpu: 1"));
        assertThat(low.out())
                .contains("node a is kept for ml/first, which its scheduler nominated for it", "0 of 1 would start");
        assertThat(low.code()).isEqualTo(1);
        assertThat(run(cluster, "fit", manifest("priorityClassName: high", "nvidia.com/gpu: 1"))
                        .code())
                .isZero();
    }

    @Test
    void typesThatHamiNamesInPart_areTheModelsOfTheCluster_whereverPodsAreCountedOrMoved() throws IOException {
        String cluster = hami("a", "NVIDIA-A100")
                + hami("b", "NVIDIA-T4")
                + hami("c", "NVIDIA-T4")
                + running("r", "b", "nvidia.com/gpu: 1, nvidia.com/gpumem: 1000")
                        .replace(
                                "namespace: ml",
                                "namespace: ml, annotations: {nvidia.com/use-gputype: t4, hami.io/vgpu-node: b, "
                                        + "hami.io/vgpu-devices-allocated: \"GPU-b,NVIDIA,1000,0:;\"}");
        String asked = "nvidia.com/gpu: 1, nvidia.com/gpumem: 10000";
        String use = hamiPod("use-gputype: T4", asked);
        // 16 GiB of two T4s with 1000 MiB held: one and one more
        assertThat(run(cluster, "fit", use).out()).contains("1 of 1 would start", "1 more like");
        assertThat(run(cluster, "fit", hamiPod("nouse-gputype: a100", asked)).out())
                .contains("1 more like");
        assertThat(run(cluster, "fit", hamiPod("use-gputype: H100", asked)).out())
                .contains("asked 10000 MiB of model H100")
                .doesNotContain("not of model");
        assertThat(run(cluster, "drain", "b").out()).contains("ml/r to c with");
        assertThat(run(cluster, "drain", "b", "c").out()).contains("asked 1000 MiB of model NVIDIA-T4");
    }

    private static String hami(String name, String type) {
        return node(name, "", "nvidia.com/gpu: 10")
                .replace(
                        "labels: {}",
                        "annotations: {hami.io/node-nvidia-register: \"GPU-" + name + ",10,16000,100," + type
                                + ",0,true:\", hami.io/node-handshake: \"Reported 2026.11.01 00:00:00\"}");
    }

    private String hamiPod(String annotation, String limits) throws IOException {
        String text = waiting("p", "", limits)
                .replace("namespace: ml", "namespace: ml, annotations: {nvidia.com/" + annotation + "}");
        return Files.writeString(folder.resolve("hami.yaml"), text).toString();
    }

    private String manifest(String spec, String limits) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "pod", ".yaml"), waiting("p", spec, limits))
                .toString();
    }

    @Test
    void groupsOfOneNameInTwoNamespaces_areTwoGroups() {
        StringBuilder cluster = new StringBuilder();
        for (String rack : new String[] {"x", "y"}) {
            cluster.append(node("a" + rack, "rack: " + rack, "nvidia.com/gpu: 1"))
                    .append(node("b" + rack, "rack: " + rack, "nvidia.com/gpu: 2"));
        }
        for (String[] pod : new String[][] {{"one", "p", "ax"}, {"one", "q", "bx"}, {"two", "r", "ay"}}) {
            cluster.append("---\n{apiVersion: v1, kind: Pod, metadata: {namespace: " + pod[0] + ", name: " + pod[1]
                    + ", annotations: {scheduling.k8s.io/group-name: g}}, "
                    + POD.formatted("nodeName: " + pod[2], "nvidia.com/gpu: 1", "Running"));
        }
        for (String namespace : new String[] {"one", "two"}) {
            cluster.append(
                    "---\n{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: g, namespace: "
                            + namespace + ", annotations: {gpu-sched.io/within: rack}}, spec: {minMember: 1}}\n");
        }
        LookRun drain = run(cluster.toString(), "drain", "bx");
        assertThat(drain.code()).as(drain.out()).isEqualTo(1);
        assertThat(drain.out()).contains("one/q has no other place");
    }

    @Test
    void resourcesThatSoundLikeKais_areNotItsAnnotations() throws IOException {
        Path pod = Files.writeString(
                folder.resolve("pod.yaml"),
                waiting("p", "", "volcano.sh/vgpu-memory: 100, koordinator.sh/gpu-memory-ratio: 5"));
        assertThat(run(node("a", "", "nvidia.com/gpu: 1"), "fit", pod.toString())
                        .out())
                .startsWith("1 node (1 with GPUs), 1 GPU, 1 idle. Read as: device plugin (nvidia.com/gpu)\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"message\":\"nodes is forbidden\"}",
                "[{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"nodes is forbidden\"}}]"
            })
    void whatIsNoObject_isRefusedWithItsPlace(String text) {
        LookRun map = run(text, "map");
        assertThat(map.code()).isEqualTo(2);
        assertThat(map.err()).contains("line 1").containsAnyOf("nodes is forbidden", "spec: must be there");
    }
}
