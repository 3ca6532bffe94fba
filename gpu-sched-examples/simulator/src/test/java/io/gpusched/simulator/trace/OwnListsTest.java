package io.gpusched.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpusched.model.Node;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Job lists and node lists whose columns are known by their names. */
class OwnListsTest {
    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("list.csv"), text);
    }

    private List<SubmittedJob> jobs(String text) throws IOException {
        return JobTrace.read(file(text), JobColumns.NONE).jobs();
    }

    @Test
    void jobs_startAtTheFirst_inAnyOrderOfColumns() throws IOException {
        List<SubmittedJob> jobs = jobs("""
            run_seconds,name,gpus,submit,cpus,memory_gib,gpu_model,ran_on,queue
            60,b,1,2026-05-01T00:01:30,8,64,A100|H100,V100,red
            30,a,12,2026-05-01T00:00:00,24,120,,,blue
            """);
        assertThat(jobs).extracting(job -> job.job().name()).containsExactly("b", "a");
        assertThat(jobs).extracting(SubmittedJob::owner).containsExactly("red", "blue");
        assertThat(jobs.get(0).ranOn()).isEqualTo("V100");
        TracePod pod = jobs.get(0).job().members().get(0);
        assertThat(pod.gpuSpec()).isEqualTo("A100|H100");
        assertThat(pod.cpuMillis()).isEqualTo(8_000);
        assertThat(pod.memoryMib()).isEqualTo(64 * 1_024);
        assertThat(jobs.get(0).job().lifetime()).isEqualTo(new Lifetime(90, 60));
        assertThat(jobs.get(1).job().lifetime()).isEqualTo(new Lifetime(0, 30));
        assertThat(jobs.get(1).job().members()).extracting(TracePod::name).containsExactly("a-0", "a-1");
        assertThat(jobs.get(1).job().members()).extracting(TracePod::gpus).containsExactly(8, 4);
        assertThat(jobs.get(1).job().members()).extracting(TracePod::cpuMillis).containsOnly(12_000L);
    }

    @Test
    void jobs_withoutNames_areNumbered_andSecondsAreTimesToo() throws IOException {
        List<SubmittedJob> jobs = jobs("submit,gpus,run_seconds\n100,0,5\n110,1,5\n");
        assertThat(jobs).extracting(job -> job.job().name()).containsExactly("job-0", "job-1");
        assertThat(jobs.get(1).job().lifetime().arrivalSeconds()).isEqualTo(10);
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> jobs("submit,gpus,run_seconds\nnoon,0,5\n"))
                .withMessageContaining("line 2, field \"submit\": must be a time such as 2026-05-01T12:00:00");
    }

    @Test
    void lists_mayBeCompressed_ofWindows_orSeparatedByOtherCharacters() throws IOException {
        String list = "submit,gpus,run_seconds\n100,2,5\n110,1,7\n";
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(list.getBytes(StandardCharsets.UTF_8));
        }
        List<byte[]> forms = List.of(
                packed.toByteArray(),
                ("\uFEFF" + list).getBytes(StandardCharsets.UTF_16LE),
                ("\uFEFF" + list).getBytes(StandardCharsets.UTF_8),
                list.replace(',', '\t').getBytes(StandardCharsets.UTF_8),
                list.replace(',', ';').getBytes(StandardCharsets.UTF_8),
                list.replace(',', '|').getBytes(StandardCharsets.UTF_8));
        for (byte[] form : forms) {
            Path file = Files.write(folder.resolve("list"), form);
            assertThat(JobTrace.read(file, JobColumns.NONE).jobs())
                    .extracting(job -> job.job().lifetime())
                    .containsExactly(new Lifetime(0, 5), new Lifetime(10, 7));
        }
        assertThat(NodeTable.read(file("name\tgpus\tmodel\nn\t4\tT4\n"))).hasSize(1);
        Path broken = Files.write(folder.resolve("list.gz"), Arrays.copyOf(packed.toByteArray(), 14));
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> JobTrace.read(broken, JobColumns.NONE))
                .withMessageContaining("begins as gzip does and cannot be decompressed");
    }

    @Test
    void columnsThatSayNothingHere_areNamed() throws IOException {
        String list = "job_id,submit,gpus,run_seconds,model\na,100,2,5,A100\na,110,1,7,T4\n";
        assertThat(JobTrace.read(file(list.replace("\na,110", "\nb,110")), JobColumns.NONE))
                .hasToString("own columns: submit in s, run_seconds in s; columns not read: model");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> jobs(list))
                .withMessageContaining("job \"a\" is there twice, first in line 2");
    }

    @Test
    void timesInMilliseconds_areNotTakenForSeconds() {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> jobs("submit,gpus,run_seconds\n1777600000000,2,5\n"))
                .withMessageContaining(
                        "line 2: column \"submit\" is read in s and has 1777600000000, which is after the")
                .withMessageContaining("--columns submit=submit:ms");
    }

    @Test
    void namedColumns_mayTellStartAndEnd() throws IOException {
        Path file = file("id,submitted,began,ended,n\na,100,110,170,2\n");
        JobColumns columns = JobColumns.parse("name=id,submit=submitted,start=began,end=ended,gpus=n");
        assertThat(JobTrace.read(file, columns).jobs().get(0).job().lifetime()).isEqualTo(new Lifetime(0, 60));
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> JobTrace.read(file, JobColumns.parse("submit=submitted,duration=ran,gpus=n")))
                .withMessageContaining("there is no column \"ran\" for duration");
    }

    @Test
    void whatSacctPrints_isAJobList_withoutStepsAndJobsThatNeverRan() throws IOException {
        List<SubmittedJob> jobs = jobs("""
            JobID|User|Partition|Submit|Elapsed|AllocTRES|State
            7|ann|gpu|2026-05-01T10:00:00|1-00:00:10|billing=64,cpu=64,gres/gpu:a100=16,gres/gpu=16,mem=512G,node=4|COMPLETED
            7.batch||||1-00:00:10|cpu=16,mem=128G,node=1|COMPLETED
            8|bob|cpu|2026-05-01T10:00:05|00:00:00||CANCELLED
            9|bob|cpu|2026-05-01T10:01:00|02:03|cpu=2,mem=500M,node=1|FAILED
            10|bob|gpu|2026-05-01T10:02:00|01:00:00|cpu=2,gres/gpu:h100=1,node=1|COMPLETED
            """);
        assertThat(jobs).extracting(job -> job.job().name()).containsExactly("7", "9", "10");
        assertThat(jobs).extracting(SubmittedJob::owner).containsExactly("gpu", "cpu", "gpu");
        assertThat(jobs).extracting(SubmittedJob::ranOn).containsExactly("a100", "", "h100");
        assertThat(jobs)
                .extracting(job -> job.job().lifetime())
                .containsExactly(new Lifetime(0, 86_410), new Lifetime(60, 123), new Lifetime(120, 3_600));
        assertThat(JobTrace.read(folder.resolve("list.csv"), JobColumns.NONE))
                .hasToString("sacct; rows left out: 1 of jobs that never ran, 1 of steps of jobs");
        assertThat(jobs.get(0).job().members())
                .as("four nodes of four GPUs, as they were")
                .extracting(TracePod::gpus)
                .containsExactly(4, 4, 4, 4);
        assertThat(jobs.get(0).job().members().get(0).memoryMib()).isEqualTo(128 * 1_024);
        assertThat(jobs.get(1).job().members().get(0).memoryMib()).isEqualTo(500);
        assertThat(jobs.get(2).job().gpuMillis()).isEqualTo(1_000);
    }

    @Test
    void whatSacctPrints_mayHaveRawTimesAndRequestsAlone() throws IOException {
        assertThat(jobs("JobID|Submit|ElapsedRaw|ReqTRES\n1|2026-05-01T10:00:00|90|cpu=1,gres/gpu=2,node=1\n"))
                .singleElement()
                .satisfies(job -> assertThat(job.job().lifetime()).isEqualTo(new Lifetime(0, 90)))
                .satisfies(job -> assertThat(job.job().gpuMillis()).isEqualTo(2_000));
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> jobs("JobID|Submit|ElapsedRaw|ReqTRES\n1|2026-05-01T10:00:00|0|cpu=1\n"))
                .withMessageContaining("expected at least one job that ran, got none; {of jobs that never ran=1}");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> jobs("JobID|Submit|ElapsedRaw\n1|2026-05-01T10:00:00|1\n"))
                .withMessageContaining("line 1: expected a column AllocTRES or ReqTRES, got JobID,Submit,ElapsedRaw");
    }

    @Test
    void nodes_areKnownByTheColumnsOfSeveralTraces() throws IOException {
        List<Node> nodes = NodeTable.read(file("""
            name,count,gpus,model,cpus,memory_gib,gpu_memory_gib,rack
            a,2,8,H100,96,1024,80,r1
            b,1,0,,64,256,0,
            """));
        assertThat(nodes).extracting(Node::name).containsExactly("a-0", "a-1", "b");
        assertThat(nodes.get(0).gpus())
                .hasSize(8)
                .allSatisfy(gpu -> assertThat(gpu.model().memoryMib()).isEqualTo(81_920));
        assertThat(nodes.get(0).capacity().cpuMillis()).isEqualTo(96_000);
        assertThat(nodes.get(0).topology()).hasToString("rack=r1");
        assertThat(nodes.get(2).gpus()).isEmpty();
        Node published = NodeTable.read(file("gpu_model,gpu_capacity_num,cpu_num,node_name\nG1,4,192,0\n"))
                .get(0);
        assertThat(published.gpus()).hasSize(4);
        assertThat(published.capacity().memoryMib())
                .as("as much as nodes have where nobody tells")
                .isEqualTo(4 * 98_304);
        Path openb = SmallTraces.folder("openb").resolve("openb_node_list_gpu_node.csv");
        assertThat(NodeTable.isOne(openb)).isTrue();
        assertThat(NodeTable.read(openb)).isEqualTo(OpenbTrace.nodes(openb));
    }

    @Test
    void nodesOfOneName_orWithoutAModel_areRefused() {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> NodeTable.read(file("name,gpus,model\na,1,T4\na,1,T4\n")))
                .withMessageContaining("line 3: two nodes are called \"a\"");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> NodeTable.read(file("name,gpus\na,1\n")))
                .withMessageContaining("expected a column model");
    }
}
