package io.gpusched.dialect.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.dialect.RefusedException;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes, jobs on one node, and what Slurm writes for them. */
class SlurmNodeTest {
    private static Node node(String gres) {
        return SlurmNode.of("n", 16, 64_000, SlurmGres.parseList(gres));
    }

    private static Optional<Placement> place(Cluster cluster, String name, String gres) {
        Pod pod = SlurmGresDialect.pod(PodId.of(name), Resources.of(1_000, 100), SlurmGres.parseList(gres));
        return GpuScheduler.builder()
                .policy(SlurmGresDialect.policy())
                .memory(0)
                .build()
                .place(cluster.node(0), pod);
    }

    private static Placement placed(String nodeGres, String jobGres) {
        return place(Cluster.of(List.of(node(nodeGres))), "job", jobGres).orElseThrow();
    }

    @Test
    void node_hasItsGpusByType_andItsCpusAsCores() {
        Node node = node("gpu:a100:2,gpu:t4:1");

        assertThat(node.gpus()).extracting(gpu -> gpu.model().name()).containsExactly("a100", "a100", "t4");
        assertThat(node.capacity()).isEqualTo(Resources.of(16_000, 64_000));
    }

    @ParameterizedTest
    @CsvSource({
        "'gpu:4,mps:400', '[100, 100, 100, 100]'",
        "'gpu:3,mps:400', '[133, 133, 134]'",
        "'gpu:2,shard:5', '[2, 3]'"
    })
    void sharedResources_areSplitEvenly_andTheLastGpuGetsTheRest(String gres, String slots) {
        assertThat(node(gres).gpus().stream().map(Gpu::slots).toList()).hasToString(slots);
    }

    @ParameterizedTest
    @CsvSource({"'mps:100'", "'gpu:2,mps:100,shard:4'"})
    void sharesWithoutGpus_orOfTwoKinds_areAnErrorThatNamesTheNode(String gres) {
        assertThatThrownBy(() -> node(gres))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("node \"n\"")
                .hasMessageContaining("at most one of mps and shard");
    }

    @ParameterizedTest
    @CsvSource({
        "gpu:4,          gpu:4,      true",
        "gpu:4,          gpu:5,      false",
        "gpu:a100:4,     gpu:a100:4, true",
        "gpu:a100:4,     gpu:t4:1,   false",
        "'gpu:2,mps:200', mps:200,   true",
        "'gpu:2,mps:200', mps:201,   false",
        "'gpu:2,mps:200', shard:1,   false",
        "gpu:4,          license:1,  false",
        "gpu:4,          license:0,  true"
    })
    void couldGive_looksAtAnEmptyNode(String gres, String asked, boolean could) {
        assertThat(SlurmNode.couldGive(node(gres), SlurmGres.parse(asked))).isEqualTo(could);
    }

    @Test
    void gpus_areTakenFromTheLowestIndex_andPrintedByType() {
        Node node = node("gpu:a100:2,gpu:t4:2");

        assertThat(SlurmEnvironment.grant(node, placed("gpu:a100:2,gpu:t4:2", "gpu:3")))
                .isEqualTo("gpu:a100:2(IDX:0-1),gpu:t4:1(IDX:2)");
        assertThat(SlurmEnvironment.grant(node, placed("gpu:a100:2,gpu:t4:2", "gpu:t4:1")))
                .isEqualTo("gpu:t4:1(IDX:2)");
    }

    @Test
    void environment_givesTheNodesIndexes_andThoseFromZeroOnForTheTasks() {
        Node node = node("gpu:4");
        Cluster cluster = Cluster.of(List.of(node));
        cluster = cluster.with(place(cluster, "first", "gpu:2").orElseThrow());

        Map<String, String> environment =
                SlurmEnvironment.of(node, place(cluster, "second", "gpu:2").orElseThrow());

        assertThat(environment)
                .isEqualTo(Map.of(
                        "SLURM_JOB_GPUS", "2,3",
                        "SLURM_STEP_GPUS", "2,3",
                        "SLURM_GPUS_ON_NODE", "2",
                        "CUDA_VISIBLE_DEVICES", "0,1",
                        "ROCR_VISIBLE_DEVICES", "0,1",
                        "ZE_AFFINITY_MASK", "0,1",
                        "GPU_DEVICE_ORDINAL", "0,1"));
    }

    @Test
    void environment_ofShares_saysHowMuchOfTheDevice() {
        Node mps = node("gpu:2,mps:200");
        Node shards = node("gpu:2,shard:8");

        assertThat(SlurmEnvironment.of(mps, placed("gpu:2,mps:200", "mps:25")))
                .containsEntry("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "25")
                .doesNotContainKey("SLURM_SHARDS_ON_NODE");
        assertThat(SlurmEnvironment.of(shards, placed("gpu:2,shard:8", "shard:3")))
                .containsEntry("SLURM_SHARDS_ON_NODE", "3")
                .doesNotContainKey("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE");
        assertThat(SlurmEnvironment.grant(mps, placed("gpu:2,mps:200", "mps:25")))
                .isEqualTo("mps:25(IDX:0)");
        assertThat(SlurmEnvironment.grant(shards, placed("gpu:2,shard:8", "shard:3")))
                .isEqualTo("shard:3(IDX:0)");
    }

    @Test
    void aJobWithoutGpus_getsNoEnvironment() {
        assertThat(SlurmEnvironment.of(node("gpu:2"), placed("gpu:2", ""))).isEmpty();
    }

    @Test
    void sharesAndWholeGpus_keepOffEachOthersDevices() {
        Cluster cluster = Cluster.of(List.of(node("gpu:2,mps:200")));
        cluster = cluster.with(place(cluster, "share", "mps:10").orElseThrow());

        assertThat(place(cluster, "whole", "gpu:2")).isEmpty();
        assertThat(place(cluster, "whole", "gpu:1").orElseThrow().gpus()).containsExactly(1);
        assertThat(place(cluster, "more", "mps:90").orElseThrow().gpus()).containsExactly(0);
        assertThat(place(cluster, "most", "mps:101"))
                .as("a share lies on one GPU")
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "license:1 | name must be gpu, mps or shard",
                "gpu:65 | count must be in 0..64, got 65",
                "mps:1M | count must be in 0..262143, got 1048576"
            })
    void whatNoNodeCanGive_isRefusedWithTheRule(String gres, String rule) {
        assertThatThrownBy(() -> SlurmGresDialect.pod(PodId.of("j"), Resources.NONE, SlurmGres.parseList(gres)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(rule);
    }

    @Test
    void tasks_areSpreadEvenly_theRestOnTheFirstNodes() {
        SlurmJob job = SlurmRequest.of(Map.of("ntasks", "7", "nodes", "3")).resolve();

        assertThat(List.of(job.tasksOn(0), job.tasksOn(1), job.tasksOn(2))).containsExactly(3L, 2L, 2L);
    }

    @Test
    void boundNodes_areThoseOfTheList() {
        assertThat(SlurmRequest.of(Map.of("nodelist", "n[1-2],m")).resolve().boundNodes())
                .contains(List.of("n1", "n2", "m"));
        assertThat(SlurmRequest.of(Map.of("nodelist", " ")).resolve().boundNodes())
                .isEmpty();
        assertThat(SlurmRequest.gres("gpu:1", 2).resolve().nodes()).isEqualTo(2);
    }

    @Test
    void moreSharesThanADeviceCanBeSplitInto_areRefusedByName() {
        assertThatThrownBy(() -> SlurmNode.of("n1", 1, 1, SlurmGres.parseList("gpu:1,mps:3000000000")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("node \"n1\": mps must be in 0..2147483647, got 3000000000");
        assertThatThrownBy(() -> SlurmNode.of("n1", 1, 1, SlurmGres.parseList("gpu:1,mps:300000")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("slots must be in 1..262143, got 300000");
    }
}
