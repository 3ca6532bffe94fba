package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupTopologyTest {
    @TempDir
    private Path folder;

    private static String node(String name, String clique, int gpus) {
        return "---\napiVersion: v1\nkind: Node\nmetadata: {name: " + name + ", labels: {nvidia.com/gpu.clique: "
                + clique
                + ", nvidia.com/gpu.product: B200, nvidia.com/gpu.memory: \"183359\"}}\n"
                + "status: {allocatable: {cpu: 8, memory: 8Gi, pods: 10, nvidia.com/gpu: " + gpus + "}}\n";
    }

    private static String group(String key, int minCount) {
        StringBuilder text =
                new StringBuilder("apiVersion: scheduling.k8s.io/v1beta1\nkind: PodGroup\nmetadata: {name: g}\n"
                        + "spec:\n  schedulingPolicy: {gang: {minCount: " + minCount + "}}\n"
                        + "  schedulingConstraints: {topology: [{key: " + key + "}]}\n");
        for (int i = 0; i < 3; i++) {
            text.append("---\napiVersion: v1\nkind: Pod\nmetadata: {name: p" + i + "}\n"
                    + "spec:\n  schedulingGroup: {podGroupName: g}\n"
                    + "  containers: [{name: main, resources: {limits: {nvidia.com/gpu: 2}}}]\n");
        }
        return text.toString();
    }

    private PlaceRun place(String group) throws IOException {
        String cluster = node("a", "c1.0", 4) + node("b", "c1.1", 4) + node("c", "c1.1", 2);
        return PlaceRun.of(folder, cluster, group, "--dialect", "device-plugin");
    }

    @Test
    void aKubernetesPodGroup_staysWithinOneValueOfItsLabel() throws IOException {
        PlaceRun run = place(group("nvidia.com/gpu.clique", 3));
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("on b").contains("on c").doesNotContain("on a");
    }

    @Test
    void aPodGroupOfKai_staysWithinTheLevelsThatItsTopologyConstraintNames() throws IOException {
        String kai = group("nvidia.com/gpu.clique", 3)
                .replace("scheduling.k8s.io/v1beta1", "scheduling.run.ai/v2alpha2")
                .replaceAll("schedulingPolicy: .*", "minMember: 3")
                .replaceAll("schedulingConstraints: .*", "topologyConstraint: {LEVEL: nvidia.com/gpu.clique}")
                .replaceAll("metadata: \\{name: (p.)}", "metadata: {name: $1, annotations: {pod-group-name: g}}")
                .replace("  schedulingGroup: {podGroupName: g}\n", "");
        for (String level : List.of("requiredTopologyLevel", "preferredTopologyLevel")) {
            PlaceRun run = place(kai.replace("LEVEL", level));
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out()).contains("on b").contains("on c").doesNotContain("on a");
        }
        assertThat(place(kai.replace("LEVEL", "requiredTopologyLevel")
                                .replace("{name: g}", "{name: g, annotations: {gpu-sched.io/within: x}}"))
                        .err())
                .contains("does not go with one in the spec");
    }

    @Test
    void aLabelThatNoNodeHas_isAnErrorThatNamesIt() throws IOException {
        PlaceRun run = place(group("example.com/rack", 3));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("no node has the topology level \"example.com/rack\"");
    }

    /** As {@link #group}, but with what annotations say. */
    private static String annotated(String annotations) {
        return group("x", 3)
                .replace("  schedulingConstraints: {topology: [{key: x}]}\n", "")
                .replace("{name: g}", "{name: g, annotations: {" + annotations + "}}");
    }

    @Test
    void annotationsOfTheGroup_sayWithinWhatItStays_andWithinWhatItShould() throws IOException {
        PlaceRun required = place(annotated("gpu-sched.io/within: nvidia.com/gpu.clique"));
        assertThat(required.code()).as(required.err()).isZero();
        assertThat(required.out()).contains("on b").contains("on c").doesNotContain("on a");

        PlaceRun tooNarrow = place(annotated("gpu-sched.io/within: kubernetes.io/hostname"));
        assertThat(tooNarrow.code()).isEqualTo(2);

        PlaceRun wish = place(annotated("gpu-sched.io/preferably-within: nvidia.com/gpu.clique"));
        assertThat(wish.out()).contains("on b").contains("on c").doesNotContain("on a");

        PlaceRun both = place(annotated("gpu-sched.io/within: nvidia.com/gpu.product,"
                + " gpu-sched.io/preferably-within: nvidia.com/gpu.clique"));
        assertThat(both.code()).as(both.err()).isZero();
        assertThat(both.out()).contains("on b").contains("on c").doesNotContain("on a");
    }

    @Test
    void aDomainThatIsPreferred_isLeft_whereItHasNoRoomForAll() throws IOException {
        String cluster = node("a", "c1.0", 4) + node("b", "c1.1", 2);
        String pods = annotated("gpu-sched.io/preferably-within: nvidia.com/gpu.clique");
        PlaceRun run = PlaceRun.of(folder, cluster, pods, "--dialect", "device-plugin");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("on a").contains("on b");

        String strict = pods.replace("preferably-within", "within");
        assertThat(PlaceRun.of(folder, cluster, strict, "--dialect", "device-plugin")
                        .code())
                .isEqualTo(1);
    }

    @Test
    void levelsThatDoNotNest_areNamed_ratherThanTornApart() throws IOException {
        String cluster = node("a", "c1.0", 4) + node("b", "c1.0", 4).replace("B200", "H200") + node("c", "c1.1", 4);
        PlaceRun run = PlaceRun.of(
                folder,
                cluster,
                annotated("gpu-sched.io/within: nvidia.com/gpu.product,"
                        + " gpu-sched.io/preferably-within: nvidia.com/gpu.clique"),
                "--dialect",
                "device-plugin");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("levels of the topology do not nest").contains("lies in");
    }

    @Test
    void aGroupWithoutPods_andASecondConstraint_areErrors() throws IOException {
        assertThat(place(group("nvidia.com/gpu.clique", 3).replace("podGroupName: g", "podGroupName: other"))
                        .err())
                .contains("no pod of this file belongs to the group default/g");
        assertThat(place(group("nvidia.com/gpu.clique", 3).replace("}]}\n---", "}, {key: b}]}\n---"))
                        .err())
                .contains("at most one topology constraint is honoured");
        assertThat(place(group("nvidia.com/gpu.clique", 4)).err()).contains("minMember must be in 1..3, got 4");
    }
}
