package io.gpusched.examples.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
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
    void aLabelThatNoNodeHas_isAnErrorThatNamesIt() throws IOException {
        PlaceRun run = place(group("example.com/rack", 3));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("no node has the topology level \"example.com/rack\"");
    }

    @Test
    void aGroupWithoutPods_andASecondConstraint_areErrors() throws IOException {
        assertThat(place(group("nvidia.com/gpu.clique", 3).replace("podGroupName: g", "podGroupName: other"))
                        .err())
                .contains("no pod of this file has spec.schedulingGroup.podGroupName g");
        assertThat(place(group("nvidia.com/gpu.clique", 3).replace("}]}\n---", "}, {key: b}]}\n---"))
                        .err())
                .contains("at most one topology constraint is honoured");
        assertThat(place(group("nvidia.com/gpu.clique", 4)).err()).contains("minMember must be in 1..3, got 4");
    }
}
