package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodGroupTest {
    @TempDir
    private Path folder;

    private static String example(String name) throws IOException {
        return Files.readString(Path.of("..", "examples", name));
    }

    private PlaceRun place(String group) throws IOException {
        return PlaceRun.of(folder, example("t9k-cluster.yaml"), group, "--dialect", "t9k");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            minMember: 2                            | minMember: many          | line 6, field spec.roles[0].minMember: must be a whole
            minMember: 2                            | minMembers: 2            | line 5, field spec.minMembers: unknown
            name: worker, minMember: 2              | name: worker             | line 6, field spec.roles[0].minMember: must be there
            name: worker, minMember: 2              | name: worker, minMember: 2, max: 3 | line 6, field spec.roles[0].max
            scheduler.tensorstack.dev/v1beta1       | example.com/v1           | line 1, field apiVersion: a PodGroup of example.com/v1 is not read
            group-name: job                         | group-name: other        | no pod of this file belongs to the group
            """)
    void aBadGroup_isAnErrorThatNamesLineAndField(String right, String wrong, String message) throws IOException {
        PlaceRun run = place(example("t9k-group.yaml").replace(right, wrong));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains(message);
    }

    private static String member(String name, String metadata) {
        return "---\nkind: Pod\nmetadata: {name: " + name + ", " + metadata + "}\n"
                + "spec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: 1}}}]}\n";
    }

    private static String group(String api, String name, String spec) {
        return "---\napiVersion: " + api + "\nkind: PodGroup\nmetadata: {name: " + name + "}\nspec: {" + spec + "}\n";
    }

    /** The node has two GPUs: the group that needs two takes them, and the second, which needs one, waits. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            scheduling.x-k8s.io/v1alpha1 | labels: {scheduling.x-k8s.io/pod-group: NAME}
            scheduling.volcano.sh/v1beta1 | annotations: {scheduling.k8s.io/group-name: NAME}
            scheduler.tensorstack.dev/v1beta1 | labels: {scheduler.tensorstack.dev/group-name: NAME}
            """)
    void groupsOfEveryVocabularyThatKubeReads_startAsAWhole(String api, String names) {
        String file = group(api, "a", "minMember: 2")
                + group(api, "b", "minMember: 1")
                + member("a0", names.replace("NAME", "a"))
                + member("b0", names.replace("NAME", "b"))
                + member("a1", names.replace("NAME", "a"));
        PlaceRun run = PlaceRun.manifests(folder, PlaceRun.NODE, file);
        assertThat(run.code()).as(run.err()).isEqualTo(1);
        assertThat(run.out())
                .contains("1 of 2 placed; 1 waits for", "placed group \"a\"", "pod a0 on n1", "pod a1 on n1")
                .contains("not placed: pod group \"b\"");
    }

    @Test
    void aVolcanoGroup_countsItsTasks_unlessItNeedsFewerPodsThanTheyComeTo() {
        String api = "scheduling.volcano.sh/v1beta1";
        String names = "annotations: {scheduling.k8s.io/group-name: g, volcano.sh/task-spec: worker}";
        String spec = "minMember: 3, minTaskMember: {worker: 3}";
        PlaceRun run = PlaceRun.manifests(
                folder,
                PlaceRun.NODE,
                group(api, "g", spec) + member("w0", names) + member("w1", names) + member("w2", names));
        assertThat(run.code()).isEqualTo(1);
        PlaceRun two = PlaceRun.manifests(
                folder,
                PlaceRun.NODE,
                group(api, "g", spec.replace("minMember: 3", "minMember: 1"))
                        + member("w0", names)
                        + member("w1", names)
                        + member("w2", names));
        assertThat(two.code()).as(two.err()).isZero();
        assertThat(two.out()).contains("pod w0 on n1", "waits");
    }

    @Test
    void aGroupWithFewerPodsThanItNeeds_isRefused() {
        String api = "scheduling.x-k8s.io/v1alpha1";
        PlaceRun run = PlaceRun.manifests(
                folder,
                PlaceRun.NODE,
                group(api, "g", "minMember: 3") + member("a", "labels: {scheduling.x-k8s.io/pod-group: g}"));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).startsWith("refused: ").contains("spec.minMember is 3", "1 of its pods");
    }

    @Test
    void aGroupWithoutPods_isAnErrorThatNamesIt() throws IOException {
        PlaceRun run = place(example("t9k-group.yaml") + "---\nkind: PodGroup\nmetadata: {name: b}\n");
        assertThat(run.err()).contains("no pod of this file belongs to the group default/b");
    }

    @Test
    void aPodOfAnotherGroup_isPlacedByItself() throws IOException {
        String another = "---\n"
                + example("t9k-pod.yaml")
                        .replace(
                                "namespace: demo}",
                                "namespace: demo, labels: {scheduler.tensorstack.dev/group-name: other}}");
        PlaceRun run = place(example("t9k-group.yaml") + another);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("placed group \"job\"", "placed pod \"demo/shared-gpu\"");
    }

    @Test
    void members_areSpreadWhereTheDialectSpreads() throws IOException {
        String cluster = "apiVersion: v1\nkind: Node\nmetadata: {name: n}\n"
                + "status: {allocatable: {cpu: 8, memory: 8Gi, pods: 10, nano-gpu/gpu-percent: 200}}\n";
        String member = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: %s}\n"
                + "spec: {containers: [{name: main, resources: {limits: {nano-gpu/gpu-percent: 20}}}]}\n";
        String group = "apiVersion: scheduler.tensorstack.dev/v1beta1\nkind: PodGroup\nmetadata: {name: g}\n"
                + "spec: {minMember: 2}\n"
                + member.formatted("a")
                + member.formatted("b");

        PlaceRun packed = PlaceRun.of(folder, cluster, group, "--dialect", "nano-gpu");
        PlaceRun spread = PlaceRun.of(folder, cluster, group, "--dialect", "nano-gpu:spread");

        assertThat(packed.out()).contains("GPU 0").doesNotContain("GPU 1");
        assertThat(spread.out()).contains("GPU 0", "GPU 1");
    }

    @Test
    void aGroupWithTooFewMembers_isRefusedByItsGate() throws IOException {
        PlaceRun run =
                place(example("t9k-group.yaml").replace("name: worker, minMember: 2", "name: worker, minMember: 3"));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).startsWith("refused: ");
    }
}
