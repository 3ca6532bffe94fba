package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What nodes report beside CPU, memory and the dialect's GPUs is counted by name. */
class NamedResourcesTest {
    private static final String NODE = PlaceRun.NODE.replace(
            "nvidia.com/gpu: 2", "nvidia.com/gpu: 2, example.com/nic: 2, ephemeral-storage: 10Gi, hugepages-2Mi: 64Mi");

    @TempDir
    private Path folder;

    private static String asking(String more) {
        return PlaceRun.POD.replace("nvidia.com/gpu: 1", "nvidia.com/gpu: 1, " + more);
    }

    private static String running(String more) {
        return NODE + "---\n" + asking(more).replace("name: p", "name: r") + "  nodeName: n1\n";
    }

    @Test
    void whatANodeReports_isGivenToThePod() {
        PlaceRun run = PlaceRun.manifests(
                folder, NODE, asking("example.com/nic: 2, ephemeral-storage: 1.5Gi, hugepages-2Mi: 2Mi"));
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("n1");
    }

    @Test
    void whatARunningPodHolds_isNotGivenAgain() {
        PlaceRun run = PlaceRun.manifests(folder, running("example.com/nic: 1"), asking("example.com/nic: 2"));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out())
                .contains("1 example.com/nic free in total, at most 1 on one node, asked 2")
                .contains("free 1 example.com/nic on n1");
    }

    @Test
    void moreThanAnyNodeHas_canNeverFit() {
        PlaceRun run = PlaceRun.manifests(folder, NODE, asking("ephemeral-storage: 11Gi"));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("can never fit", "at most 10 GiB ephemeral-storage on one node");
    }

    @Test
    void whatNoNodeReports_isRefusedAsBefore() {
        PlaceRun run = PlaceRun.manifests(folder, NODE, asking("rdma/hca: 1"));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("this resource is not counted here", "--ignore rdma/hca");
    }

    @Test
    void gpusOfTheDialect_areNoNamedResources() {
        PlaceRun run = PlaceRun.manifests(folder, NODE, PlaceRun.POD.replace("nvidia.com/gpu: 1", "nvidia.com/gpu: 3"));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("GPU").doesNotContain("nvidia.com/gpu on one node");
    }

    @Test
    void gpusUnderTheNameOfAnotherSystem_areNotCountedTwice() {
        String both = NODE.replace("nvidia.com/gpu: 2", "nvidia.com/gpu: 2, nano-gpu/gpu-percent: 200");
        PlaceRun run = PlaceRun.manifests(folder, both, asking("nano-gpu/gpu-percent: 20"));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("--ignore nano-gpu/gpu-percent");
    }

    @Test
    void theLibrarysOwnForm_namesThemUnderResources() {
        String cluster = """
                nodes:
                  - {name: n1, cpu: 8, memory: 8Gi, resources: {rdma/hca: 1}}
                  - {name: n2, cpu: 8, memory: 8Gi, resources: {rdma/hca: 2}}
                running:
                  - {name: r, node: n1, cpu: 1, memory: 1Gi, resources: {rdma/hca: 1}}
                """;
        PlaceRun run = PlaceRun.of(folder, cluster, "pod: {name: p, cpu: 1, memory: 1Gi, resources: {rdma/hca: 1}}");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("n2").doesNotContain("n1");
        PlaceRun bad = PlaceRun.of(folder, cluster, "pod: {name: p, cpu: 1, resources: {rdma/: 1}}");
        assertThat(bad.code()).isEqualTo(2);
        assertThat(bad.err()).contains("name must be like");
    }
}
