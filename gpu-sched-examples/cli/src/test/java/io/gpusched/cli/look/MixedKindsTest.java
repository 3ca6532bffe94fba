package io.gpusched.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
                .contains("1 whole GPU, 2 cores, 8 GiB 1 7 1", "1 whole GPU, 2 cores, 8 GiB 1 at least 1 1");
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
