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
            scheduler.tensorstack.dev/v1beta1       | scheduling.volcano.sh/v1 | line 1, field apiVersion: a PodGroup of scheduling.volcano.sh/v1 is not read
            group-name: job                         | group-name: other        | no pod of this file belongs to the group
            """)
    void aBadGroup_isAnErrorThatNamesLineAndField(String right, String wrong, String message) throws IOException {
        PlaceRun run = place(example("t9k-group.yaml").replace(right, wrong));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains(message);
    }

    @Test
    void twoGroups_areAnError() throws IOException {
        PlaceRun run = place(example("t9k-group.yaml") + "---\nkind: PodGroup\nmetadata: {name: b}\n");
        assertThat(run.err()).contains("line 30, field kind: at most one PodGroup is expected");
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

        assertThat(packed.out()).contains("gpu 0").doesNotContain("gpu 1");
        assertThat(spread.out()).contains("gpu 0", "gpu 1");
    }

    @Test
    void aGroupWithTooFewMembers_isRefusedByItsGate() throws IOException {
        PlaceRun run =
                place(example("t9k-group.yaml").replace("name: worker, minMember: 2", "name: worker, minMember: 3"));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).startsWith("refused: ");
    }
}
