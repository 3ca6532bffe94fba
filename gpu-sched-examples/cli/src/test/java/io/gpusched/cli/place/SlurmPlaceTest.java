package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlurmPlaceTest {
    private static final String SCRIPT = """
            #!/bin/bash
            #SBATCH --job-name=train -N 1
            #SBATCH --gres gpu:2 --mem=64G   # of the node
            #SBATCH --cpus-per-task "4"
            srun train
            #SBATCH --gres=gpu:8
            """;

    private PlaceRun place(String slurmConf, String gresConf, String script) throws IOException {
        Files.writeString(folder.resolve("gres.conf"), gresConf);
        return PlaceRun.of(
                "--cluster",
                        Files.writeString(folder.resolve("slurm.conf"), slurmConf)
                                .toString(),
                "--pod", Files.writeString(folder.resolve("job.sh"), script).toString(),
                "--dialect", "slurm");
    }

    @Test
    void slurmsOwnFiles_areReadAsTheyAre() throws IOException {
        String conf = """
                ClusterName=lab   # of the institute
                NodeName=DEFAULT SocketsPerBoard=2 CoresPerSocket=8 RealMemory=128000
                NodeName=old[1-2] Gres=gpu:k80:1
                NodeName=gone Gres=gpu:a100:4 State=DOWN
                NodeName=new[01-02] Gres=gpu:a100:4 \\
                    State=UNKNOWN
                PartitionName=main Nodes=ALL Default=YES
                """;
        PlaceRun run = place(conf, "NodeName=new[01-02] Name=gpu Type=a100 File=/dev/nvidia[0-3]\n", SCRIPT);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("placed job \"train\"", "on new01, 4 cores", "CUDA_VISIBLE_DEVICES=0,1");
        assertThat(run.err()).contains("job.sh: not looked at: --mem").doesNotContain("gres");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            NodeName=n1 Gres=gpu:2 | Name=gpu File=/dev/nvidia[0-3] | slurm.conf, line 1: node "n1" has 2 GPUs by its Gres, and gres.conf gives it 4
            NodeName=n1 CPUs=many  | ''                             | slurm.conf, line 1: cpus must be a whole number, got "many"
            NodeName=n1 Gres       | ''                             | slurm.conf, line 1: expected key=value, got "Gres"
            NodeName=n[1-2,2]      | ''                             | slurm.conf, line 1: node "n2" is described twice
            NodeName=n1            | Name=gpu Typ=a100              | gres.conf, line 1: expected key=value with a key of
            """)
    void whatIsWrongInThem_isNamedWithFileAndLine(String slurmConf, String gresConf, String message)
            throws IOException {
        PlaceRun run = place(slurmConf + "\n", gresConf + "\n", SCRIPT);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains(message).doesNotContain("\tat ");
    }

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
