package io.gpusched.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobTraceTest {
    @TempDir
    private Path folder;

    private List<SubmittedJob> jobs(String text) throws IOException {
        return JobTrace.read(Files.writeString(folder.resolve("jobs.csv"), text), JobColumns.NONE)
                .jobs();
    }

    @Test
    void secondsOfSubmission_areTakenAsTheyAre() throws IOException {
        SubmittedJob job =
                jobs("job_id,submit_s,gpus,duration_s,model\n7,30,4,100,vgg\n").get(0);
        assertThat(job.job().name()).isEqualTo("7");
        assertThat(job.job().lifetime()).isEqualTo(new Lifetime(0, 100));
        assertThat(job.job().gpuMillis()).isEqualTo(4_000);
        assertThat(job.owner()).isEmpty();
    }

    @Test
    void intervals_addUpAndUsersOwnTheirJobs() throws IOException {
        List<SubmittedJob> jobs =
                jobs("u_id,user,gpu_num,cpu_num,interval,run_time\n0,ann,1,4,5,60\n1,bob,12,24,10,70\n");
        assertThat(jobs).extracting(SubmittedJob::owner).containsExactly("ann", "bob");
        assertThat(jobs)
                .extracting(job -> job.job().lifetime())
                .containsExactly(new Lifetime(0, 60), new Lifetime(10, 70));
        assertThat(jobs.get(1).job().members()).extracting(TracePod::gpus).containsExactly(8, 4);
        assertThat(jobs.get(1).job().members()).extracting(TracePod::cpuMillis).containsOnly(12_000L);
    }

    @Test
    void virtualClusters_goBeforeUsers() throws IOException {
        assertThat(jobs("job_id,submit_s,gpus,duration_s,user,vc\n0,0,1,9,ann,vc1\n")
                        .get(0)
                        .owner())
                .isEqualTo("vc1");
    }

    @Test
    void millisecondsOfMuri_areRoundedDown() throws IOException {
        assertThat(jobs("job_id,num_gpu,submit_time,duration,resource_time_0\n0,1,1000,1,0\n1,16,3999,61000,0\n")
                        .get(1)
                        .job()
                        .lifetime())
                .isEqualTo(new Lifetime(2, 61));
    }

    @Test
    void unknownColumns_areRefused() {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> jobs("a,b\n1,2\n"))
                .withMessageContaining(
                        "line 1: expected a job list with the columns submit,gpus,run_seconds, the columns of a")
                .withMessageContaining("got a,b\nMaybe say which column is which: --columns submit=");
    }

    @Test
    void aNameThatIsThereTwice_isRefused_withBothLines() {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> jobs("job_id,submit_s,gpus,duration_s\na,0,1,1\nb,0,1,1\na,5,1,1\n"))
                .withMessageContaining("line 4: job \"a\" is there twice, first in line 2");
    }

    @Test
    void badValues_nameLineAndField() {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> jobs("job_id,submit_s,gpus,duration_s\n0,-1,1,1\n"))
                .withMessageContaining(
                        "line 2, field \"submit_s\": must be a time such as 2026-05-01T12:00:00, or a number, got"
                                + " \"-1\"");
    }

    @Test
    void headsOfPublicTraces_canBeRead() {
        assertThat(JobTrace.read(SmallTraces.folder("gang").resolve("helios_head.csv"), JobColumns.NONE)
                        .jobs())
                .hasSize(30)
                .noneMatch(job -> job.owner().isEmpty());
    }
}
