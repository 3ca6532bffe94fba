package io.gpusched.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers on a cluster that has whole GPUs, time-sliced ones and ones that are cut, and pods with a label for each replica. */
class MixedKindsTest {
    @TempDir
    private Path folder;

    private static String node(String name, String labels, String resources) {
        return "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {" + labels
                + "}}, status: {allocatable: {cpu: 32, memory: 256Gi, pods: 110, " + resources + "}}}\n";
    }

    private static String pod(String name, String node, String spec, String resources) {
        return "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: x, labels: {job: " + name
                + "}}, spec: {" + (node.isEmpty() ? "" : "nodeName: " + node + ", ") + spec
                + "containers: [{name: c, resources: {limits: {cpu: 2, memory: 8Gi, " + resources
                + "}}}]}, status: {phase: " + (node.isEmpty() ? "Pending" : "Running") + "}}\n";
    }

    private static final String WHOLE =
            node("whole", "pool: big, nvidia.com/gpu.product: A100, nvidia.com/gpu.count: \"8\"", "nvidia.com/gpu: 8");
    private static final String SLICED = node(
            "sliced",
            "nvidia.com/gpu.product: T4-SHARED, nvidia.com/gpu.count: \"4\", nvidia.com/gpu.replicas: \"4\"",
            "nvidia.com/gpu: 16");
    private static final String CUT = node(
            "cut",
            "nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB, nvidia.com/gpu.count: \"4\", nvidia.com/mig.strategy:"
                    + " mixed",
            "nvidia.com/gpu: 2, nvidia.com/mig-1g.10gb: 14");

    private List<String> lines(String cluster, String... arguments) {
        return LookRun.on(folder, cluster, arguments)
                .answer()
                .lines()
                .map(line -> line.strip().replaceAll(" +", " "))
                .toList();
    }

    private String head(String cluster) {
        return LookRun.on(folder, cluster, "map").out().lines().findFirst().orElse("");
    }

    @Test
    void mix_countsPodsThatDifferInALabelThatNoRuleMentions_asOneShape() {
        String cluster = WHOLE
                + pod("p", "whole", "", "nvidia.com/gpu: 1")
                + pod("q", "whole", "", "nvidia.com/gpu: 1")
                + pod("r", "", "", "nvidia.com/gpu: 1");
        assertThat(lines(cluster, "mix")).contains("1 whole GPU, 2 cores, 8 GiB 3 6 1");
    }

    @Test
    void mix_keepsPodsApart_whoseRuleMentionsTheLabel() {
        String apart = "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey:"
                + " kubernetes.io/hostname, labelSelector: {matchLabels: {job: q}}}]}}, ";
        String cluster = WHOLE.replace("labels: {", "labels: {kubernetes.io/hostname: whole, ")
                + pod("p", "whole", "", "nvidia.com/gpu: 1")
                + pod("q", "", apart, "nvidia.com/gpu: 1");
        assertThat(lines(cluster, "mix"))
                .contains(
                        "1 whole GPU, 2 cores, 8 GiB 1 7 1",
                        "1 whole GPU, 2 cores, 8 GiB, with rules about other pods 1 at least 1 1");
    }

    private static final String SINGLE = "nvidia.com/mig.strategy: single, nvidia.com/gpu.product:"
            + " NVIDIA-A100-SXM4-80GB-MIG-3g.40gb, nvidia.com/gpu.memory: \"40192\", nvidia.com/gpu.replicas: \"1\", ";

    @ParameterizedTest
    @ValueSource(
            strings = {
                SINGLE + "nvidia.com/gpu.count: \"14\"", // feature discovery counts slices, or GPUs
                SINGLE + "nvidia.com/gpu.count: \"7\"",
                SINGLE + "pool: cut"
            })
    void slicesUnderTheNameOfGpus_areSlotsOfTheGpusThatTheyAreCutFrom(String labels) {
        String cluster = WHOLE
                + node("mig", labels, "nvidia.com/gpu: 14")
                + pod("p", "mig", "", "nvidia.com/gpu: 1")
                + pod("q", "mig", "", "nvidia.com/gpu: 1")
                + pod("r", "mig", "", "nvidia.com/gpu: 1")
                + pod("w", "whole", "", "nvidia.com/gpu: 1");
        assertThat(head(cluster)).startsWith("2 nodes (2 with GPUs), 15 GPUs, 11 idle.");
        assertThat(lines(cluster, "map"))
                .contains("7 × NVIDIA-A100-SXM4-80GB cut into MIG 3g.40gb, 32 cores, 256 GiB")
                .anyMatch(line -> line.contains("x/p 1 slice"));
        assertThat(lines(cluster, "who")).contains("x 4 4 2.5 0 0");
        assertThat(lines(cluster, "mix"))
                .contains("1 slice, 2 cores, 8 GiB 3 11 1", "1 whole GPU, 2 cores, 8 GiB 1 7 1", "1 slice 11 1")
                .contains("1 whole GPU 7 1");
    }

    /** A node of slices is one of NVIDIA's too. */
    @Test
    void drain_ofAWholeGpu_saysOfSlicesThatTheyAreNone_andOfNoNodeThatItIsOfAnotherSystem() {
        String cluster = WHOLE
                + node("mig", SINGLE + "pool: cut", "nvidia.com/gpu: 14")
                + node("amd", "pool: red", "amd.com/gpu: 8")
                + pod("w", "whole", "", "nvidia.com/gpu: 1")
                + pod("s", "mig", "", "nvidia.com/gpu: 1");
        assertThat(lines(cluster, "drain", "whole")).contains("2 nodes: not a node of nvidia with whole GPUs");
        assertThat(lines(cluster, "drain", "mig")).contains("2 nodes: not a node of nvidia with slices");
    }

    @Test
    void slicesOnGke_areCountedByTheSizeOfItsPartitions() {
        String cluster = node(
                        "g",
                        "cloud.google.com/gke-accelerator: nvidia-tesla-a100, cloud.google.com/gke-accelerator-count:"
                                + " \"1\", cloud.google.com/gke-gpu-partition-size: 1g.5gb",
                        "nvidia.com/gpu: 7")
                + pod("p", "g", "", "nvidia.com/gpu: 1");
        assertThat(head(cluster)).contains("1 GPU, 0 idle");
        assertThat(lines(cluster, "mix")).contains("1 slice, 2 cores, 8 GiB 1 6 1");
    }

    @Test
    void aGpuCutIntoOneSlice_isOneGpu() {
        String labels = SINGLE.replace("3g.40gb", "7g.80gb") + "nvidia.com/gpu.count: \"8\"";
        String cluster = node("mig", labels, "nvidia.com/gpu: 8") + pod("p", "mig", "", "nvidia.com/gpu: 3");
        assertThat(head(cluster)).contains("8 GPUs, 5 idle");
    }

    @ParameterizedTest
    @ValueSource(strings = {"amd.com/cpx_nps4: %d", "amd.com/gpu: %d"})
    void partitionsOfAmd_areHeldOfTheGpusThatTheyAreOf_underEitherName(String resource) {
        String cluster = node(
                        "cpx",
                        "amd.com/gpu.product-name: MI300X, amd.com/compute-memory-partition: cpx_nps4",
                        String.format(resource, 64))
                + node("spx", "amd.com/gpu.product-name: MI300X", "amd.com/gpu: 8")
                + pod("p", "cpx", "", String.format(resource, 12))
                + pod("w", "spx", "", "amd.com/gpu: 2")
                + pod("v", "", "", String.format(resource, 4));
        assertThat(head(cluster)).startsWith("2 nodes (2 with GPUs), 16 GPUs, 6 idle.");
        assertThat(lines(cluster, "map"))
                .anyMatch(line -> line.startsWith("cpx [12 of 64 partitions] x/p 12 x cpx_nps4"));
        assertThat(lines(cluster, "who")).anyMatch(line -> line.startsWith("x 2 4 3.5 1 "));
        assertThat(String.join("\n", lines(cluster, "mix"))).contains("52");
        assertThat(LookRun.on(folder, cluster, "why", "x/v").code()).isZero();
    }

    @Test
    void devicesOfSeveralVendors_areApartByModel_andThoseThatAreCountedByNameAreNamed() {
        String cluster = node("g", "", "habana.ai/gaudi: 8")
                + node("t", "cloud.google.com/gke-tpu-accelerator: tpu-v5p-slice", "google.com/tpu: 4")
                + node("n", "", "aws.amazon.com/neuron: 16, aws.amazon.com/neuroncore: 32")
                + pod("a", "g", "", "habana.ai/gaudi: 3")
                + pod("b", "t", "", "google.com/tpu: 4")
                + pod("c", "", "", "aws.amazon.com/neuroncore: 16");
        assertThat(lines(cluster, "who", "--by", "model"))
                .contains("habana.ai/gaudi 1 3 3.0 0 0", "tpu-v5p-slice 1 4 4.0 0 0");
        assertThat(lines(cluster, "mix")).anyMatch(line -> line.matches("16 partitions neuroncore,.* 1 at least 2 1"));
    }

    /** A node that is bought is new, whatever has become of the one that it is like; and two wishes are two. */
    @Test
    void nodesThatAreAdded_areInOrderAndOpen_andAsManyAsAreAsked() {
        String worn =
                "---\n{apiVersion: v1, kind: Node, metadata: {name: worn}, spec: {unschedulable: true, taints: [{key:"
                        + " karpenter.sh/disrupted, effect: NoSchedule}, {key: node.kubernetes.io/not-ready, effect: NoSchedule}]},"
                        + " status: {capacity: {cpu: 32, memory: 256Gi, pods: 110, nvidia.com/gpu: 8}, allocatable: {cpu: 31,"
                        + " memory: 250Gi, pods: 110, nvidia.com/gpu: 7}, conditions: [{type: Ready, status: 'False'}]}}\n"
                        + pod("w", "", "", "nvidia.com/gpu: 8");
        assertThat(LookRun.on(folder, worn, "why", "x/w", "--add", "1@worn").out())
                .contains("there is room now: on node worn-added-1 for 8 GPUs");
        assertThat(LookRun.on(folder, worn, "map", "--add", "1@worn,2@worn").out())
                .contains("4 nodes (4 with GPUs)", "worn-added-3");
    }

    @Test
    void mix_saysWhatPodsThatAskForTheSameDifferIn() {
        String tolerated = "tolerations: [{key: sku, operator: Exists}, {key: elsewhere, operator: Exists}], ";
        String cluster = WHOLE
                + WHOLE.replace("name: whole", "name: tainted")
                        .replace("}, status", "}, spec: {taints: [{key: sku, value: gpu, effect: NoSchedule}]}, status")
                + pod("p", "whole", "", "nvidia.com/gpu: 1")
                + pod("q", "whole", tolerated, "nvidia.com/gpu: 1")
                + pod("r", "whole", tolerated.replace("elsewhere", "nowhere"), "nvidia.com/gpu: 1");
        assertThat(lines(cluster, "mix"))
                .contains("1 whole GPU, 2 cores, 8 GiB, tolerates sku 2 13 2")
                .contains("1 whole GPU, 2 cores, 8 GiB, tolerates no taint 1 5 1");
    }

    @Test
    void who_ofPartitions_holdsAsFewGpusAsHaveTheirCompute() {
        String cluster = CUT
                + pod("p", "cut", "", "nvidia.com/mig-1g.10gb: 7")
                + pod("q", "cut", "", "nvidia.com/mig-1g.10gb: 2");
        assertThat(lines(cluster, "who")).contains("x 2 2 1.2 0 0");
    }

    @Test
    void why_namesWhatThePodSelects_andNoFormThatCanNeverFit() {
        String cluster = WHOLE
                + SLICED
                + pod("p", "whole", "", "nvidia.com/gpu: 2")
                + pod("w", "", "nodeSelector: {pool: big}, ", "nvidia.com/gpu: 8")
                + pod("v", "", "nodeSelector: {pool: small}, ", "nvidia.com/gpu: 2");
        assertThat(lines(cluster, "why", "x/w"))
                .contains(
                        "1 node: node selector does not match: pool=big",
                        "nearest remedy: 2 more idle GPUs on whole (has 6 of 8)")
                .filteredOn(line -> line.startsWith("pod \""))
                .hasSize(1);
        assertThat(String.join("\n", lines(cluster, "why", "x/v")))
                .contains("2 nodes: node selector does not match: pool=small")
                .doesNotContain("gpu-sched.io/", "sharing-strategy")
                .contains("nearest remedy: select pool=big, as whole has")
                .containsOnlyOnce("can never fit");
    }

    /** Nodes of another vendor are no help, whatever their labels. */
    @Test
    void why_namesLabelsOfNodesOfItsSystemAlone() {
        String amd = WHOLE.replace("nvidia.com/gpu: ", "amd.com/gpu: ")
                .replace("name: whole", "name: amd")
                .replace("pool: big", "pool: red");
        String cluster = amd + WHOLE + pod("v", "", "nodeSelector: {pool: small}, ", "nvidia.com/gpu: 2");
        assertThat(String.join("\n", lines(cluster, "why", "x/v")))
                .contains("node selector does not match: pool=small")
                .doesNotContain("as amd has");
    }

    @Test
    void drain_ofSeveralNodes_speaksOfThemInThePlural() {
        String cluster = WHOLE
                + WHOLE.replace("name: whole", "name: other")
                + WHOLE.replace("name: whole", "name: third")
                + pod("p", "whole", "", "nvidia.com/gpu: 1")
                + pod("q", "other", "", "nvidia.com/gpu: 1");
        assertThat(lines(cluster, "drain", "whole", "other")).first().asString().endsWith("their 2 pods fit elsewhere");
    }
}
