package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlurmPlaceTest {
    private static final String CLUSTER = "nodes:\n  - {name: n1, cpus: 4, memory: 1000, gres: \"gpu:2\"}\n";

    @TempDir
    private Path folder;

    private PlaceRun place(String cluster, String job) {
        return PlaceRun.of(folder, cluster.replace("\\n", "\n"), job.replace("\\n", "\n"), "--dialect", "slurm");
    }

    @Test
    void aJobThatFits_isPlaced_oneThatDoesNotWaits() {
        assertThat(place(CLUSTER, "job: {name: j, gres: \"gpu:2\"}").out())
                .contains("placed job \"j\"", "SLURM_JOB_GPUS=0,1");
        String busy = CLUSTER + "running: [{name: r, gres: \"gpu:1\"}]\n";
        PlaceRun waiting = place(busy, "job: {name: j, gres: \"gpu:2\"}");
        assertThat(waiting.code()).isEqualTo(1);
        assertThat(waiting.out()).contains("pending (Resources)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            nodes: [{name: n1, gpus: 2}]                              | field nodes[0].gpus: unknown
            nodes: [{cpus: 1}]                                        | field nodes[0].name: must be there
            nodes: [{name: n1, gres: "gpu:x:y:z"}]                    | field nodes[0].gres
            nodes: [{name: n1, cpus: many}]                           | field nodes[0].cpus: must be a whole number
            gresConf: nonsense\\nnodes: [{name: n1}]                  | field gresConf
            nodes: [{name: n1}]\\nrunning: [{name: r, gres: "gpu:1"}] | field running[0]: a running job must fit
            nodes: [{name: n1}]\\nrunning: [{gres: "gpu:1"}]          | field running[0].name: must be there
            partitions: []                                            | field partitions: unknown
            """)
    void aBadCluster_isAnErrorThatNamesTheField(String cluster, String message) {
        PlaceRun run = place(cluster, "job: {name: j}");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("c.yaml, line ", message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            jobs: []                | field jobs: unknown
            job: {gres: "gpu:1"}    | field job.name: must be there
            job: [a]                | field job: must be a mapping
            """)
    void aBadJob_isAnErrorThatNamesTheField(String job, String message) {
        PlaceRun run = place(CLUSTER, job);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("p.yaml, line 1, ", message);
    }
}
