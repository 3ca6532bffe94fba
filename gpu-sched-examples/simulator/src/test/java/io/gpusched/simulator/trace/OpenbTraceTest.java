package io.gpusched.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Resources;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenbTraceTest {
    private static final String NODES = "sn,cpu_milli,memory_mib,gpu,model\n";
    private static final String PODS = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n";

    @TempDir
    private Path folder;

    @Test
    void nodes_areMixedAndKnowNothingOfGpuMemory() {
        Node node = OpenbTrace.nodes(file(NODES + "n1,64000,262144,2,P100\n")).get(0);
        assertThat(node.name()).isEqualTo("n1");
        assertThat(node.mode()).isEqualTo(NodeMode.MIXED);
        assertThat(node.capacity()).isEqualTo(Resources.of(64_000, 262_144));
        assertThat(node.maxPods()).isEqualTo(1_001);
        assertThat(node.gpus()).hasSize(2).allMatch(gpu -> gpu.model().name().equals("P100") && gpu.memoryMib() == 0);
    }

    @Test
    void nodes_withoutGpusNeedNoModel() {
        assertThat(OpenbTrace.nodes(file(NODES + "n1,64000,262144,0,\n")).get(0).gpus())
                .isEmpty();
    }

    @Test
    void pods_becomeSharesWholeGpusOrNone() {
        List<TracePod> pods = OpenbTrace.pods(
                file(PODS + "a,1000,2048,1,460,\nb,1000,2048,4,1000,T4|G2|T4\nc,1000,0,0,0,T4\nd,1,1,1,1000,\n"));
        assertThat(request(pods.get(0))).isEqualTo(GpuRequest.share(460, GpuMemory.none()));
        assertThat(request(pods.get(1))).isEqualTo(GpuRequest.exclusive(4, GpuSelector.models("T4", "G2")));
        assertThat(request(pods.get(2))).isEqualTo(GpuRequest.none());
        assertThat(request(pods.get(3))).isEqualTo(GpuRequest.exclusive(1));
        assertThat(pods.get(1).gpuSpec()).isEqualTo("T4|G2|T4");
        assertThat(pods.get(1).totalGpuMillis()).isEqualTo(4_000);
    }

    private static GpuRequest request(TracePod pod) {
        return pod.pod().containers().get(0).gpu();
    }

    @Test
    void pods_withoutOptionalColumnsHaveNoTimes() {
        Path file = file("name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,1000,2048,1,460\n");
        assertThat(OpenbTrace.pods(file).get(0).lifetime()).isEmpty();
    }

    @Test
    void pods_runFromWhenTheyWereScheduled() {
        Path file = file("name,cpu_milli,memory_mib,num_gpu,gpu_milli,creation_time,deletion_time,scheduled_time\n"
                + "a,1,1,0,0,100,150,120\nb,1,1,0,0,100,150,\n"
                + "c,1,1,0,0,100.0,150.0,120.0\n");
        assertThat(OpenbTrace.pods(file))
                .extracting(pod -> pod.lifetime().orElseThrow())
                .containsExactly(new Lifetime(100, 30), new Lifetime(100, 50), new Lifetime(100, 30));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a,x,1,0,0,; cpu_milli; a whole number in 0..1000000000000; x",
                "a,-5,1,0,0,; cpu_milli; in 0..1000000000000; -5",
                "a,1,1,65,1000,; num_gpu; in 0..64; 65",
                "a,1,1,1,1001,; gpu_milli; in 0..1000; 1001",
                "a,1,1,2,500,; gpu_milli; 1000 where num_gpu is above 1; 500",
                "a,1,1,1,0,; gpu_milli; in 1..1000 where num_gpu is 1; 0",
                "a,1,1,0,7,; gpu_milli; 0 where num_gpu is 0; 7",
            })
    void pods_withBadValuesNameFileLineFieldValueAndRange(String row, String field, String legal, String value) {
        Path file = file(PODS + "ok,1,1,0,0,\n" + row + "\n");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> OpenbTrace.pods(file))
                .withMessage("file \"%s\", line 3, field \"%s\": must be %s, got \"%s\"", file, field, legal, value);
    }

    @Test
    void pods_ofOneNameTwiceAreRefused() {
        Path file = file(PODS + "a,1,1,0,0,\na,1,1,0,0,\n");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> OpenbTrace.pods(file))
                .withMessageContaining("line 3, field \"name\": must be unique, got \"a\"");
    }

    @Test
    void pods_withoutAColumnNameIt() {
        Path file = file("name,cpu_milli\na,1\n");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> OpenbTrace.pods(file))
                .withMessage("file \"%s\", line 1: expected a column \"memory_mib\", got name,cpu_milli", file);
    }

    @Test
    void nodes_fromAnEmptyOrMissingFileAreRefused() {
        Path empty = file("");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> OpenbTrace.nodes(empty))
                .withMessageContaining("got no row");
        Path missing = folder.resolve("missing.csv");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> OpenbTrace.nodes(missing))
                .withMessage("file \"%s\": cannot be read: there is no such file", missing);
    }

    @Test
    void publicTrace_hasTheKnownSums() {
        Workload workload = SharedTraces.workload("default");
        assertThat(workload.nodes()).hasSize(1_213);
        assertThat(workload.gpuMillis()).isEqualTo(6_212_000);
        assertThat(workload.pods()).hasSize(8_152);
        assertThat(workload.pods().stream().filter(pod -> pod.gpus() == 0)).hasSize(1_088);
    }

    @Test
    void partOfThePublicTrace_hasTheKnownSums() {
        Workload workload = SmallTraces.workload();
        assertThat(workload.nodes()).hasSize(41);
        assertThat(workload.pods()).hasSize(272);
        assertThat(workload.gpuMillis()).isEqualTo(188_000);
        assertThat(workload.pods().stream().mapToLong(TracePod::totalGpuMillis).sum())
                .isEqualTo(209_350);
        assertThat(workload.pods().stream().mapToLong(TracePod::memoryMib).sum())
                .isEqualTo(9_920_039);
        assertThat(workload.pods().get(0).lifetime()).hasValue(new Lifetime(0, 12537496));
    }

    @Test
    void pods_whoseNameNoPodMayHave_areRefusedWithTheirLine() {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> OpenbTrace.pods(file(PODS + "a/,1000,2048,0,0,\n")))
                .withMessageContaining("line 2")
                .withMessageContaining("name must not be blank");
    }

    private Path file(String text) {
        try {
            return Files.writeString(Files.createTempFile(folder, "trace", ".csv"), text);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                ",1,1,1,T4; sn; not blank; ''",
                "n,x,1,1,T4; cpu_milli; a whole number in 0..1000000000000; x",
                "n,1,-1,1,T4; memory_mib; in 0..1000000000000; -1",
                "n,1,1,65,T4; gpu; in 0..64; 65",
                "n,1,1,1,; model; not blank; ''",
                "ok,1,1,1,T4; sn; unique; ok",
            })
    void nodes_withBadValuesNameFileLineFieldValueAndRange(String row, String field, String legal, String value) {
        Path file = file(NODES + "ok,1,1,1,T4\n" + row + "\n");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> OpenbTrace.nodes(file))
                .withMessage("file \"%s\", line 3, field \"%s\": must be %s, got \"%s\"", file, field, legal, value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "x,5,; creation_time; a number; x",
                "-1,5,; creation_time; in 0..2147483647; -1",
                "1,1e12,; deletion_time; in 0..2147483647; 1e12",
                "1,5,soon; scheduled_time; a number; soon",
            })
    void times_outOfRangeAreRefused(String times, String field, String legal, String value) {
        Path file = file(
                "name,cpu_milli,memory_mib,num_gpu,gpu_milli,creation_time,deletion_time,scheduled_time\na,1,1,0,0,"
                        + times + "\n");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> OpenbTrace.pods(file))
                .withMessage("file \"%s\", line 2, field \"%s\": must be %s, got \"%s\"", file, field, legal, value);
    }

    @Test
    void pods_thatEndBeforeTheyStartRunForNoTime() {
        Path file = file("name,cpu_milli,memory_mib,num_gpu,gpu_milli,creation_time,deletion_time,scheduled_time\n"
                + "a,1,1,0,0,100,50,120\nb,1,1,0,0,100,,120\n");
        List<TracePod> pods = OpenbTrace.pods(file);
        assertThat(pods.get(0).lifetime()).hasValue(new Lifetime(100, 0));
        assertThat(pods.get(1).lifetime()).isEmpty();
    }
}
