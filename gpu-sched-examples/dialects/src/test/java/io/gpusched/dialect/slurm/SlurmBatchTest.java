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
                """);

        assertThat(batch.name()).isEqualTo("the job");
        assertThat(batch.options())
                .isEqualTo(Map.of("nodes", "2", "ntasks", "8", "cpus-per-task", "4", "gpus", "4", "nodelist", "n1,n2"));
        assertThat(batch.others()).isEqualTo(List.of("exclusive", "t"));
    }

    @Test
    void afterTheFirstCommand_nothingIsRead() {
        assertThat(SlurmBatch.parse("#!/bin/sh\n\n# a comment\n#SBATCH -G 1\nmodule load x\n#SBATCH -G 8\n")
                        .options())
                .isEqualTo(Map.of("gpus", "1"));
    }
}
