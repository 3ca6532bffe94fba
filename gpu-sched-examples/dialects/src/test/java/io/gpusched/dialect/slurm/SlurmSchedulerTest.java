package io.gpusched.dialect.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlurmSchedulerTest {
    private final List<String> names = List.of("n1", "n2", "n3", "n4");
    private Cluster cluster = Cluster.of(List.of(
            SlurmNode.of("n1", 8, 1_000, SlurmGres.parseList("gpu:a100:4")),
            SlurmNode.of("n2", 8, 1_000, SlurmGres.parseList("gpu:t4:4,mps:400")),
            SlurmNode.of("n3", 8, 1_000, SlurmGres.parseList("gpu:v100:4,shard:32")),
            SlurmNode.of("n4", 8, 1_000, SlurmGres.parseList("gpu:v100:2,shard:8"))));
    private int jobs;

    /** Submits and starts a job; returns what it holds by node, or why not. */
    private String submit(Map<String, String> options) {
        SlurmScheduler.Verdict answer = new SlurmScheduler(names, 1)
                .submit(cluster, "j" + jobs++, SlurmRequest.of(options).resolve());
        if (answer instanceof SlurmScheduler.Verdict.Started started) {
            cluster = cluster.withAll(started.placements());
            List<String> parts = new ArrayList<>();
            for (Placement placement : started.placements()) {
                parts.add(placement.node() + " "
                        + SlurmEnvironment.grant(
                                cluster.node(placement.node()).orElseThrow().node(), placement));
            }
            return String.join("; ", parts);
        }
        return answer instanceof SlurmScheduler.Verdict.Pending ? "pending" : "rejected";
    }

    private String submit(String gres, int nodes) {
        return submit(Map.of("gres", gres, "nodes", "" + nodes));
    }

    @Test
    void wholeGpus_areTheLowestIdleOfTheFirstNode() {
        assertThat(submit("gpu:2", 1)).isEqualTo("n1 gpu:a100:2(IDX:0-1)");
        assertThat(submit("gpu:3", 1)).isEqualTo("n2 gpu:t4:3(IDX:0-2)");
    }

    @Test
    void mps_staysOnTheGpuThatServesItAlready() {
        assertThat(submit("mps:60", 1)).isEqualTo("n2 mps:60(IDX:0)");
        assertThat(submit("mps:40", 1)).isEqualTo("n2 mps:40(IDX:0)");
        assertThat(submit("mps:10", 1)).isEqualTo("pending");
    }

    @Test
    void shards_mayLieOnSeveralGpus_butEachRequestOnOne() {
        assertThat(submit("shard:6", 1)).isEqualTo("n3 shard:6(IDX:0)");
        assertThat(submit("shard:3", 1)).isEqualTo("n3 shard:3(IDX:1)");
        assertThat(submit("shard:2", 1)).isEqualTo("n3 shard:2(IDX:0)");
        assertThat(submit("shard:9", 1)).isEqualTo("pending");
    }

    @Test
    void aGpuIsWholeOrShared_neverBoth() {
        submit("shard:1", 1);
        assertThat(submit("gpu:v100:4", 1)).isEqualTo("pending");
        assertThat(submit("gpu:v100:3", 1)).isEqualTo("n3 gpu:v100:3(IDX:1-3)");
    }

    @Test
    void whatNoNodeCouldEverGive_isRejected() {
        assertThat(submit("gpu:5", 1)).isEqualTo("rejected");
        assertThat(submit("gpu:a100:1", 2)).isEqualTo("rejected");
        assertThat(submit("mps:401", 1)).isEqualTo("rejected");
        assertThat(submit(Map.of("gres", "shard:9", "nodelist", "n4"))).isEqualTo("rejected");
    }

    @Test
    void aJobOfTwoNodes_prefersNeighbours() {
        submit(Map.of("gres", "gpu:4", "nodelist", "n2"));
        assertThat(submit("gpu:2", 2)).isEqualTo("n3 gpu:v100:2(IDX:0-1); n4 gpu:v100:2(IDX:0-1)");
    }

    @Test
    void gpusOfTheWholeJob_leaveOneForEachFurtherNode() {
        assertThat(submit(Map.of("gpus", "6", "nodes", "3", "nodelist", "n[1-3]")))
                .isEqualTo("n1 gpu:a100:4(IDX:0-3); n2 gpu:t4:1(IDX:0); n3 gpu:v100:1(IDX:0)");
        assertThat(submit(Map.of("gpus", "7", "nodes", "2", "nodelist", "n1,n2")))
                .isEqualTo("pending");
    }

    @Test
    void aJobWithoutANumberOfNodes_takesAsManyAsItsGpusNeed() {
        assertThat(submit(Map.of("gpus", "6"))).isEqualTo("n1 gpu:a100:4(IDX:0-3); n2 gpu:t4:2(IDX:0-1)");
        assertThat(submit(Map.of("gpus", "6", "ntasks", "1"))).isEqualTo("rejected");
        assertThat(submit(Map.of("gpus", "v100:6"))).isEqualTo("n3 gpu:v100:4(IDX:0-3); n4 gpu:v100:2(IDX:0-1)");
        assertThat(submit(Map.of("gpus", "v100:7"))).isEqualTo("rejected");
    }

    @Test
    void gpusOfTasks_areNotSplit() {
        assertThat(submit(Map.of("gpus-per-task", "3", "ntasks", "2")))
                .isEqualTo("n1 gpu:a100:3(IDX:0-2); n2 gpu:t4:3(IDX:0-2)");
        assertThat(submit(Map.of("gpus-per-task", "5", "ntasks", "1"))).isEqualTo("rejected");
    }

    @Test
    void nodesThatAJobMustHave_getOthersBesideThem() {
        assertThat(submit(Map.of("gres", "gpu:1", "nodes", "2", "nodelist", "n3")))
                .isEqualTo("n3 gpu:v100:1(IDX:0); n4 gpu:v100:1(IDX:0)");
        assertThat(submit(Map.of("gres", "gpu:1", "nodes", "3", "nodelist", "n3")))
                .isEqualTo("n2 gpu:t4:1(IDX:0); n3 gpu:v100:1(IDX:1); n4 gpu:v100:1(IDX:1)");
        assertThat(submit(Map.of("gres", "gpu:a100:1", "nodes", "2", "nodelist", "n3")))
                .isEqualTo("rejected");
    }

    @Test
    void memoryForEachGpu_bindsInPlaceOfThatForCpus() {
        assertThat(submit(Map.of("gres", "gpu:2", "mem-per-gpu", "501"))).isEqualTo("pending");
        assertThat(submit(Map.of("gres", "gpu:2", "mem-per-gpu", "500"))).isEqualTo("n1 gpu:a100:2(IDX:0-1)");
        assertThat(submit(Map.of("gres", "gpu:1", "nodelist", "n1"))).isEqualTo("pending");
    }

    @Test
    void typesOfOneJob_areOfOneNode() {
        SlurmScheduler.Verdict answer = new SlurmScheduler(List.of("m"), 1)
                .submit(
                        Cluster.of(List.of(SlurmNode.of("m", 8, 1_000, SlurmGres.parseList("gpu:a100:2,gpu:v100:2")))),
                        "j",
                        SlurmRequest.of(Map.of("gres", "gpu:v100:1,gpu:a100:1", "cpus-per-gpu", "3"))
                                .resolve());
        assertThat(answer).isInstanceOfSatisfying(SlurmScheduler.Verdict.Started.class, started -> {
            assertThat(started.placements().get(0).gpus()).containsExactly(0, 2);
            assertThat(started.placements().get(0).resources().cpuMillis()).isEqualTo(3_000);
        });
    }
}
