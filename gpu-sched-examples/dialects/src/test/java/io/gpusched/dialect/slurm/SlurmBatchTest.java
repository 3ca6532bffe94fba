package io.gpusched.dialect.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlurmBatchTest {
    @Test
    void shortAndLongOptions_areReadAlike_andTheLastHolds() {
        SlurmBatch batch = SlurmBatch.parse("""
                #!/bin/bash
                #SBATCH -N2 -n 8 -c 4
                #SBATCH -G 2 --nodelist=n1,n2 -J first
                #SBATCH --gpus=4 -J 'the job' --exclusive -t 10:00
                """).get(0);

        assertThat(batch.name()).isEqualTo("the job");
        assertThat(batch.options())
                .isEqualTo(Map.of(
                        "nodes",
                        "2",
                        "ntasks",
                        "8",
                        "cpus-per-task",
                        "4",
                        "gpus",
                        "4",
                        "nodelist",
                        "n1,n2",
                        "exclusive",
                        ""));
        assertThat(batch.others()).isEqualTo(List.of("time"));
    }

    @Test
    void afterTheFirstCommand_nothingIsRead() {
        assertThat(SlurmBatch.parse("#!/bin/sh\n\n# a comment\n#SBATCH -G 1\nmodule load x\n#SBATCH -G 8\n")
                        .get(0)
                        .options())
                .isEqualTo(Map.of("gpus", "1"));
    }

    @Test
    void componentsOfAHeterogeneousJob_eachHaveTheirOwnOptions() {
        List<SlurmBatch> components = SlurmBatch.parse("""
                #!/bin/bash
                #SBATCH -J pair --nodes=2 --gres=gpu:a:2
                #SBATCH hetjob
                #SBATCH --nodes=1 --mem=4G
                srun true
                """);

        assertThat(components)
                .extracting(SlurmBatch::options)
                .containsExactly(Map.of("nodes", "2", "gres", "gpu:a:2"), Map.of("nodes", "1", "mem", "4G"));
        assertThat(components.get(0).name()).isEqualTo("pair");
        assertThat(SlurmBatch.parse("#!/bin/sh\n#SBATCH -G 1\n#SBATCH packjob\n#SBATCH -G 2\n"))
                .hasSize(2);
    }
}
