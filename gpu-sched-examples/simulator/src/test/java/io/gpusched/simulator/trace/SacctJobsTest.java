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
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code sacct} prints on different sites. */
class SacctJobsTest {
    @TempDir
    private Path folder;

    private JobList read(String text) throws IOException {
        return JobTrace.read(Files.writeString(folder.resolve("sacct.txt"), text), JobColumns.NONE);
    }

    private static List<String> names(JobList list) {
        return list.jobs().stream().map(job -> job.job().name()).toList();
    }

    @Test
    void quotationMarks_areCharactersLikeOthers() throws IOException {
        JobList list = read("""
            JobID|JobName|Submit|ElapsedRaw|AllocTRES
            1|"train|2026-05-01T10:00:00|60|gres/gpu=1
            2|x|2026-05-01T10:00:10|60|gres/gpu=1
            3|"y" z|2026-05-01T10:00:20|60|gres/gpu=1
            4|eval"|2026-05-01T10:00:30|60|gres/gpu=1
            """);
        assertThat(names(list)).containsExactly("1", "2", "3", "4");
    }

    @Test
    void rawNumbers_areKnown_andTimesMayBeStartAndEnd() throws IOException {
        JobList list = read("""
            JobIDRaw|Submit|Start|End|AllocTRES
            71|2026-05-01T10:00:00|2026-05-01T10:05:00|2026-05-01T11:05:00|gres/gpu=1
            72|2026-05-01T10:00:00|2026-05-01T10:05:00|Unknown|gres/gpu=1
            73|2026-05-01T10:00:00|Unknown|Unknown|gres/gpu=1
            74|2026-05-01T10:00:00|None|2026-05-01T10:01:00|
            """);
        assertThat(list.jobs().get(0).job().lifetime()).isEqualTo(new Lifetime(0, 3_600));
        assertThat(list).hasToString("sacct; rows left out: 2 of jobs that never ran, 1 of jobs that still run");
    }

    @Test
    void resourcesThatAreCutOff_andTimesOfSeveralZones_areRefused() {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> read("""
                    JobID|Submit|ElapsedRaw|AllocTRES
                    1|2026-05-01T10:00:00|60|cpu=8,gres/gpu=1,no
                    """))
                .withMessageContaining("line 2")
                .withMessageContaining("resources are cut off after \"cpu=8,gres/gpu=1,no\"");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> read("""
                    JobID|Submit|ElapsedRaw|AllocTRES
                    1|2026-05-01T10:00:00|60|gres/gpu=1
                    2|2026-05-01T10:00:00+0200|60|gres/gpu=1
                    """))
                .withMessageContaining("line 3")
                .withMessageContaining("of the form that others have here, got \"2026-05-01T10:00:00+0200\"");
    }

    @Test
    void timesMayBeSecondsSince1970() throws IOException {
        JobList list = read("""
            JobID|Submit|Start|End|AllocTRES
            1|1777600000|1777600060|1777603660|gres/gpu=1
            """);
        assertThat(list.jobs().get(0).job().lifetime()).isEqualTo(new Lifetime(0, 3_600));
    }

    @Test
    void jobsThatStillRun_areNotTakenForWhole() throws IOException {
        JobList list = read("""
            JobID|Submit|ElapsedRaw|State|AllocTRES
            1|2026-05-01T10:00:00|60|COMPLETED|gres/gpu=1
            2|2026-05-01T10:00:00|86400|RUNNING|gres/gpu=8
            3|2026-05-01T10:00:00|0|PENDING|
            4|2026-05-01T10:00:00|60|CANCELLED by 1000|gres/gpu=1
            4.batch|2026-05-01T10:00:00|60|CANCELLED|
            """);
        assertThat(names(list)).containsExactly("1", "4");
        assertThat(list)
                .hasToString(
                        "sacct; rows left out: 1 of jobs that never ran, 1 of jobs that still run, 1 of steps of jobs");
    }

    @ParameterizedTest
    @ValueSource(strings = {"|", ";", "\t", "^", "@@", ","})
    void anyDelimiter_isRead(String delimiter) throws IOException {
        JobList list = read("""
            JobID~Partition~Submit~ElapsedRaw~AllocTRES~NNodes
            1~gpu~2026-05-01T10:00:00~60~cpu=4,gres/gpu=16,mem=8G~2
            2~cpu~2026-05-01T10:00:01~60~~1
            """.replace("~", delimiter));
        assertThat(names(list)).containsExactly("1", "2");
        assertThat(list.jobs().get(0).job().members()).hasSize(2);
        assertThat(list.jobs()).extracting(SubmittedJob::owner).containsExactly("gpu", "cpu");
    }

    @Test
    void aDelimiterAtTheEndOfEachLine_isNoField() throws IOException {
        assertThat(names(read("JobID|Submit|ElapsedRaw|AllocTRES|\n1|2026-05-01T10:00:00|60|gres/gpu=1|\n")))
                .containsExactly("1");
    }

    @Test
    void whatIsMissing_isNamed_withTheCommandThatPrintsIt() {
        refused(
                "JobID|Submit|AllocTRES\n1|2026-05-01T10:00:00|\n",
                "expected a column ElapsedRaw or Elapsed or Start and End");
        refused("JobID|Submit|ElapsedRaw\n1|2026-05-01T10:00:00|5\n", "expected a column AllocTRES or ReqTRES");
        refused("JobID|ElapsedRaw|AllocTRES\n1|5|\n", "expected a column Submit, got JobID,ElapsedRaw,AllocTRES");
        refused("JobID|ElapsedRaw|AllocTRES\n1|5|\n", "sacct -a -X -P -o JobIDRaw,User,Partition,Submit,");
        refused(
                "JobID           Submit    Elapsed\n------- ------- -------\n",
                "columns of one width cut what is longer");
        refused(
                "JobID|JobName|Submit|ElapsedRaw|AllocTRES\n1|a|b|2026-05-01T10:00:00|5|\n",
                "line 2: expected 5 fields, got 6\nMaybe a name has \"|\" in it");
    }

    private void refused(String text, String why) {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> read(text))
                .withMessageContaining(why);
    }

    @Test
    void partitionsAndPartsOfGpus_areNotWholeGpus() throws IOException {
        JobList list = read("""
            JobID|Submit|ElapsedRaw|AllocTRES
            1|2026-05-01T10:00:00|60|gres/gpu:a100_1g.10gb=2,gres/gpu=2
            2|2026-05-01T10:00:00|60|gres/gpu:3g.40gb=1
            3|2026-05-01T10:00:00|60|gres/mps=40
            4|2026-05-01T10:00:00|60|gres/shard=4
            5|2026-05-01T10:00:00|60|gres/gpu:a100=1,gres/gpu:h100=1,gres/gpu=2
            6|2026-05-01T10:00:00|60|gres/gpu:h100=1,gres/gpu:a100=0,gres/gpu=1
            """);
        assertThat(list.jobs().stream()
                        .map(job -> job.job()
                                .members()
                                .get(0)
                                .pod()
                                .containers()
                                .get(0)
                                .gpu()
                                .toString()))
                .containsExactly("2 partitions 1g.10gb", "1 partition 3g.40gb", "0.4 GPUs", "1 whole GPU");
        assertThat(list.jobs()).extracting(SubmittedJob::ranOn).containsExactly("", "", "", "h100");
        assertThat(list.toString()).endsWith("rows left out: 2 that request shards, or GPUs of more than one kind");
    }

    @Test
    void aJobThatIsThereTwice_isRefused() {
        refused(
                """
                JobID|Submit|ElapsedRaw|AllocTRES
                7|2026-05-01T10:00:00|60|gres/gpu=1
                7|2026-05-01T10:00:00|90|gres/gpu=1
                """,
                "line 3: job \"7\" is there twice, first in line 2\n"
                        + "Maybe sacct printed each run of a requeued job: leave out -D.");
    }

    @Test
    void datesMixedWithSeconds_areRefused() {
        refused("""
            JobID|Submit|ElapsedRaw|AllocTRES
            7|2026-05-01T10:00:00|60|gres/gpu=1
            8|1746093600|90|gres/gpu=1
            """, "line 3, field \"Submit\": must be a time of the form that others have here, got \"1746093600\"");
    }

    /** One job as Slurm 24 writes it and one with the plain numbers of earlier versions. */
    @Test
    void json_isReadAsTheColumnsAre() throws IOException {
        JobList list = read("""
            {"meta": {}, "jobs": [
             {"job_id": 7, "partition": "gpu", "state": {"current": ["COMPLETED"]}, "allocation_nodes": 2,
              "time": {"submission": 1777629600, "start": 1777629660, "end": 1777633260, "elapsed": 3600,
                       "limit": {"set": true, "infinite": false, "number": 120}},
              "tres": {"allocated": [{"type": "cpu", "name": "", "count": 16}, {"type": "mem", "name": "", "count": 2048},
                       {"type": "node", "name": "", "count": 2}, {"type": "gres", "name": "gpu", "count": 8},
                       {"type": "gres", "name": "gpu:a100", "count": 8}]}},
             {"job_id": 8, "partition": "gpu", "state": {"current": "TIMEOUT"}, "allocation_nodes": {"set": true, "number": 1},
              "time": {"submission": 1777629700, "start": 1777629760, "end": 1777629820, "elapsed": {"set": true, "number": 60},
                       "limit": {"set": false, "infinite": true, "number": 0}},
              "tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 1}]}},
             {"job_id": 9, "state": {"current": ["RUNNING"]}, "time": {"submission": 1777629700, "start": 1777629760, "end": 0,
              "elapsed": 60}, "tres": {"allocated": []}}], "errors": []}
            """);
        assertThat(names(list)).containsExactly("7", "8");
        SubmittedJob first = list.jobs().get(0);
        assertThat(first.job().lifetime()).isEqualTo(new Lifetime(0, 3_600));
        assertThat(first.owner()).isEqualTo("gpu");
        assertThat(first.job().demand().orElseThrow().gpus()).isEqualTo(8);
        assertThat(list.jobs().get(1).job().lifetime()).isEqualTo(new Lifetime(100, 60));
        assertThat(list).hasToString("sacct; rows left out: 1 of jobs that still run");
    }

    @Test
    void otherJson_isRefusedByName() {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> read("{\"items\": []}\n"))
                .withMessageContaining("expected the jobs that sacct --json prints");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> read("{\"jobs\": [{\"id\": 1}]}\n"))
                .withMessageContaining("expected jobs with job_id and time");
    }
}
