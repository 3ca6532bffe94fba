package io.gpusched.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GangTraceTest {
    private static final String HEADER = "u_id,user,gpu_num,cpu_num,node_num,interval,run_time,wall_time,new_status\n";

    @TempDir
    private Path folder;

    private List<TraceJob> jobs(String rows) throws IOException {
        return read(Files.writeString(folder.resolve("jobs.csv"), HEADER + rows));
    }

    private static List<TraceJob> read(Path file) {
        return JobTrace.read(file, JobColumns.NONE).jobs().stream()
                .map(SubmittedJob::job)
                .toList();
    }

    @Test
    void jobs_ofMoreThanEightGpusAreGangsOfEight() throws IOException {
        TraceJob job = jobs("0,1,20,30,3,0,84,0,Pass\n").get(0);
        assertThat(job.isGang()).isTrue();
        assertThat(job.members()).extracting(TracePod::gpus).containsExactly(8, 8, 4);
        assertThat(job.members()).extracting(TracePod::cpuMillis).containsOnly(10_000L);
        assertThat(job.group().minMember()).isEqualTo(3);
    }

    @Test
    void jobs_arriveOneIntervalAfterTheOther_theFirstAtZero() throws IOException {
        assertThat(jobs("0,1,1,1,1,5,84,0,Pass\n1,1,0,2,1,94,87,0,Pass\n"))
                .extracting(TraceJob::lifetime)
                .containsExactly(new Lifetime(0, 84), new Lifetime(94, 87));
    }

    @Test
    void jobs_withoutGpusAskForCpuAlone() throws IOException {
        TracePod pod = jobs("0,1,0,2,1,0,84,0,Pass\n").get(0).members().get(0);
        assertThat(pod.totalGpuMillis()).isZero();
        assertThat(pod.cpuMillis()).isEqualTo(2_000);
    }

    @Test
    void jobs_withBadValuesNameLineAndField() {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> jobs("0,1,1,1,1,-1,84,0,Pass\n"))
                .withMessageContaining(
                        "line 2, field \"interval\": must be a number of s of at most 2147483647 seconds, got \"-1\"");
    }

    @Test
    void publicTraces_canBeRead() {
        Path folder = SharedTraces.folder("gang");
        assertThat(read(folder.resolve("helios_15k.csv"))).hasSize(15_000).anyMatch(TraceJob::isGang);
        assertThat(read(folder.resolve("philly_15k.csv"))).hasSize(15_000).anyMatch(TraceJob::isGang);
    }

    @Test
    void partsOfThePublicTraces_haveTheirGangsAndTimes() {
        List<TraceJob> helios = read(SmallTraces.folder("gang").resolve("helios_head.csv"));
        assertThat(helios).hasSize(30);
        assertThat(helios.get(2).lifetime()).isEqualTo(new Lifetime(245, 83));
        List<TraceJob> philly = read(SmallTraces.folder("gang").resolve("philly_head.csv"));
        assertThat(philly).hasSize(34).anyMatch(job -> job.members().size() == 2);
        assertThat(philly.get(0).members().get(0).cpuMillis()).isZero();
    }

    @Test
    void nodes_standSixteenToARack() {
        assertThat(GangTrace.nodes(17).stream()
                        .map(node -> node.topology().toString())
                        .distinct())
                .containsExactly("rack=r000", "rack=r001");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                ",1,1,1,1,0,84,0,Pass; u_id; not blank; ''",
                "0,1,-1,1,1,0,84,0,Pass; gpu_num; a number in 0..100000; -1",
                "0,1,many,1,1,0,84,0,Pass; gpu_num; a number in 0..100000; many",
                "0,1,1.5,1,1,0,84,0,Pass; gpu_num; a whole number of GPUs, or a part of one below 1; 1.5",
                "0,1,1,100001,1,0,84,0,Pass; cpu_num; a number in 0..100000; 100001",
                "0,1,1,1,1,0,-7,0,Pass; run_time; a number of s of at most 2147483647 seconds; -7",
            })
    void jobs_withBadFieldsNameThem(String row, String field, String legal, String value) {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> jobs("7,1,1,1,1,5,84,0,Pass\n" + row + "\n"))
                .withMessageContaining("line 3, field \"%s\": must be %s, got \"%s\"", field, legal, value);
    }

    @Test
    void jobs_withoutAColumnNameIt() throws IOException {
        Path file = Files.writeString(folder.resolve("short.csv"), "u_id,gpu_num,run_time\n0,1,5\n");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> read(file))
                .withMessageStartingWith(
                        "file \"%s\", line 1: expected a job list with the columns submit,gpus,run_seconds,", file)
                .withMessageContaining("got u_id,gpu_num,run_time\nMaybe say which column is which: --columns submit=");
    }

    @Test
    void jobs_withManyCoresAskForAWholeNodeAtMost() throws IOException {
        assertThat(jobs("0,1,16,1000,2,0,84,0,Pass\n").get(0).members())
                .extracting(TracePod::cpuMillis)
                .containsExactly(96_000L, 96_000L);
    }
}
