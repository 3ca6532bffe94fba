package io.gpusched.simulator.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Job lists with the headers and rows that their authors publish. */
class PublishedListsTest {
    private static final String TIRESIAS = """
        job_id,num_gpu,submit_time,iterations,model_name,duration,interval
        0,1,0,606,vgg19,164,30
        1,8,30,133,vgg11,147,23
        2,2,53,157,inception4,127,26
        """;

    @TempDir
    private Path folder;

    private JobList read(String text) throws IOException {
        return JobTrace.read(Files.writeString(folder.resolve("jobs.csv"), text), JobColumns.NONE);
    }

    private JobList read(String text, String columns) throws IOException {
        return JobTrace.read(Files.writeString(folder.resolve("jobs.csv"), text), JobColumns.parse(columns));
    }

    private static List<Lifetime> times(JobList list) {
        return list.jobs().stream().map(job -> job.job().lifetime()).toList();
    }

    @Test
    void tiresias_isInSeconds() throws IOException {
        JobList list = read(TIRESIAS);
        assertThat(times(list)).containsExactly(new Lifetime(0, 164), new Lifetime(30, 147), new Lifetime(53, 127));
        assertThat(list).hasToString("Tiresias: submit_time in s, duration in s");
    }

    @Test
    void elasticFlow_isInSeconds_fromItsFirstJob() throws IOException {
        JobList list = read("""
            job_id,submit_time,iteration,model_name,ddl,batch_size,num_gpu,duration
            0,3715485,2011,cifar10,3719996,4096,1,5644
            1,3717550,1548,ncf,3717583,32768,8,66
            """);
        assertThat(times(list)).containsExactly(new Lifetime(0, 5_644), new Lifetime(2_065, 66));
        assertThat(list.form()).startsWith("ElasticFlow: submit_time in s");
        assertThat(times(read("""
            job_id,submit_time,real_iteration,model_name,ddl,batch_size,num_gpu,real_duration,duration,iteration
            0,0,1282877,vgg16,771220,256,1,976570,976570,1282877
            """))).containsExactly(new Lifetime(0, 976_570));
    }

    @Test
    void muri_isInMilliseconds() throws IOException {
        JobList list = read("""
            job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,iteration_time,resource_time_0,resource_time_1,resource_time_2,priority
            0,16,0,4378042,vgg16,16,1453510000,3840000,332,83,68,110,0
            1,1,27069000,5190727,a2c,64,2683606000,13956000,517,514,14,0,1
            """);
        assertThat(times(list)).containsExactly(new Lifetime(0, 1_453_510), new Lifetime(27_069, 2_683_606));
        assertThat(list.form()).isEqualTo("Muri: submit_time in ms, duration in ms");
    }

    @Test
    void columnsThatListsOfBothUnitsHave_areRefused_unlessTheUnitIsSaid() throws IOException {
        String shared = "job_id,num_gpu,submit_time,duration\n0,1,0,164\n1,8,30000,147000\n";
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> read(shared))
                .withMessageContaining(
                        "lists in seconds (Tiresias, ElasticFlow) and in milliseconds (Muri) have these columns")
                .withMessageContaining(
                        "--columns name=job_id,submit=submit_time:s,gpus=num_gpu,duration=duration:s, or :ms");
        String columns = "name=job_id,submit=submit_time:UNIT,gpus=num_gpu,duration=duration:UNIT";
        assertThat(times(read(shared, columns.replace("UNIT", "s")))).contains(new Lifetime(30_000, 147_000));
        assertThat(times(read(shared, columns.replace("UNIT", "ms")))).contains(new Lifetime(30, 147));
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> read(TIRESIAS.replaceAll(
                                "(?m)^(\\d+),(\\d+),(\\d+),(\\d+),(\\w+),(\\d+),(\\d+)$",
                                "$1,$2,$3000,$4,$5,$6000,$7000\nx$0")
                        .replaceAll(
                                "x(\\d+),(\\d+),(\\d+),(\\d+),(\\w+),(\\d+),(\\d+)", "9$1,$2,$3000,$4,$5,$6000,$7000")))
                .as("thousands alone may be milliseconds")
                .withMessageContaining("in milliseconds (Muri)");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() ->
                        read(TIRESIAS.replace("interval", "interval,batch_size").replaceAll("(?m)(\\d)$", "$1,16")))
                .as("a list of other columns besides may be of another unit")
                .withMessageContaining("in milliseconds (Muri)");
    }

    @Test
    void helios_asItsAuthorsHaveIt() throws IOException {
        JobList list = read("""
            job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue
            1425511,uXBbc,vcJkd,1,1,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:01,2020-06-10 04:55:09,36848,0
            1425512,uVMrF,vchbv,4,16,1,FAILED,2020-06-09 18:41:27,2020-06-09 18:41:27,2020-06-09 18:45:36,249,0
            1425513,uzqls,vcpDC,16,32,2,CANCELLED,2020-06-09 18:41:28,,,,
            """);
        assertThat(times(list)).containsExactly(new Lifetime(0, 36_848), new Lifetime(26, 249));
        assertThat(list.jobs()).extracting(SubmittedJob::owner).containsExactly("vcJkd", "vchbv");
        assertThat(list.jobs().get(1).job().gpuMillis()).isEqualTo(4_000);
        assertThat(list)
                .hasToString(
                        "Helios cluster_log and Acme traces: submit_time in dates, start_time in dates, end_time in"
                                + " dates; rows left out: 1 without a start, an end or a duration");
    }

    @Test
    void acme_asItsAuthorsHaveIt() throws IOException {
        JobList seren = read("""
            job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time
            5778432,u5907,1,8,128,Other,FAILED,2023-03-01 00:18:22+08:00,2023-03-01 00:18:54+08:00,2023-03-01 00:20:51+08:00,117,32,936.0
            5778469,u5907,1,8,128,Other,COMPLETED,2023-03-01 00:23:58+08:00,2023-03-01 00:24:11+08:00,2023-03-01 01:09:04+08:00,2693,13,21544.0
            """);
        assertThat(times(seren)).containsExactly(new Lifetime(0, 117), new Lifetime(336, 2_693));
        assertThat(seren.jobs().get(0).job().members().get(0).cpuMillis())
                .as("what a node has at most")
                .isEqualTo(96_000);
        JobList kalos = read("""
            job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,type,state,submit_time,start_time,end_time,fail_time,stop_time,duration,queue,gpu_time
            dlctk696s0jbvitv,uf794,8,64,960,1000,100.0,Other,FAILED,2023-05-17 11:00:58+00:00,2023-05-17 11:01:08+00:00,2023-05-17 11:01:16+00:00,2023-05-17 11:01:16+00:00,,18,10.0,1152.0
            """);
        assertThat(times(kalos)).as("from start to end").containsExactly(new Lifetime(0, 8));
        assertThat(kalos.jobs().get(0).job().members()).hasSize(8);
    }

    @Test
    void pollux_asItsAuthorsHaveIt() throws IOException {
        JobList list = read("""
            timestamp,duration,num_gpus,gpu_time,cluster
            2017-10-09 07:01:55,66.0,1,66.0,11cb48
            2017-09-29 07:58:32,860662.0,8,860662.0,6c71a0
            """);
        assertThat(times(list)).containsExactly(new Lifetime(860_603, 66), new Lifetime(0, 860_662));
        assertThat(list.jobs()).extracting(job -> job.job().name()).containsExactly("job-0", "job-1");
        assertThat(list.jobs()).extracting(SubmittedJob::owner).containsExactly("11cb48", "6c71a0");
    }

    @Test
    void alibabaInstancesOf2025_runFromTheStartOrToTheEnd_whereNothingIsTold() throws IOException {
        JobList list = read("""
            instance_sn,role,app_name,cpu_request,cpu_limit,gpu_request,gpu_limit,rdma_request,rdma_limit,memory_request,memory_limit,disk_request,disk_limit,max_instance_per_node,creation_time,scheduled_time,deletion_time
            instance_7185,HN,app_0,12,12,1,1,25,25,120.0,120.0,680.0,800.0,8,,,
            instance_13574,CN,app_130,64,64,0,0,1,1,320.0,320.0,255.0,300.0,-1,1435629.0,1435639.0,1435760.0
            """);
        assertThat(times(list)).containsExactly(new Lifetime(0, 1_435_760), new Lifetime(1_435_629, 121));
        assertThat(list.form()).endsWith("; 1 jobs that still ran at the end of the list are taken to end there");
        assertThat(list.jobs().get(0).job().members().get(0).memoryMib()).isEqualTo(120 * 1_024);
        assertThat(list.jobs()).extracting(SubmittedJob::owner).containsExactly("app_0", "app_130");
    }

    @Test
    void alibabaSpotJobsOf2026_haveAPodForEachWorker() throws IOException {
        JobList list = read("""
            job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_type
            239255,13,A10,20,1,1,0,2764799,HP
            437260,57,A100-SXM4-80GB,15,1,16,9589663,41060,Spot
            """);
        assertThat(times(list)).containsExactly(new Lifetime(0, 2_764_799), new Lifetime(9_589_663, 41_060));
        TraceJob workers = list.jobs().get(1).job();
        assertThat(workers.members()).hasSize(16).allMatch(pod -> pod.gpus() == 1 && pod.cpuMillis() == 15_000);
        assertThat(workers.members().get(0).gpuSpec()).isEqualTo("A100-SXM4-80GB");
    }

    @Test
    void columns_mayBeNamed_withUnits() throws IOException {
        JobList list = read(
                "id,when,cards,mins\na,1.5,4,90\nb,2,12,0.5\n",
                "submit=when:h, gpus=cards, duration=mins:min, name=id");
        assertThat(times(list)).containsExactly(new Lifetime(0, 5_400), new Lifetime(1_800, 30));
        assertThat(list).hasToString("columns as named: when in h, mins in min");
        assertThat(list.jobs().get(1).job().gpuMillis()).isEqualTo(12_000);
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> read("id,when,cards,mins\na,1,4,90\n", "submit=when,gpus=cards,duration=minutes"))
                .withMessageContaining(
                        "there is no column \"minutes\" for duration, got the columns id,when,cards,mins");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> read("id,when,mins\na,1,90\n", "submit=when,duration=mins"))
                .withMessageContaining("no column tells the number of GPUs (gpus)");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> JobColumns.parse("when=submit"))
                .withMessageStartingWith("\"when\" is not one of submit, interval, start");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> JobColumns.parse("submit"))
                .withMessageStartingWith("expected columns such as submit=ts:ms");
    }

    @Test
    void datesAndNumbersInOneColumn_areRefused() {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> read("submit,gpus,run_seconds\n2026-05-01T12:00:00,1,5\n1746100800,1,5\n"))
                .withMessageContaining(
                        "line 3, field \"submit\": must be a date as in the rows before, got \"1746100800\"");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> read("submit,gpus,run_seconds\n0,1,5\n2026-05-01T12:00:00,1,5\n"))
                .withMessageContaining("line 3, field \"submit\": must be a number as in the rows before");
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> read("submit,gpus,start,end\n2026-05-01 12:00:00+00:00,1,2026-05-01 12:00:00,\n"))
                .withMessageContaining("line 2, field \"start\": must be a date with an offset from UTC as before");
    }

    @Test
    void partsOfGpus_areAskedForByPercentMemoryOrProfile() throws IOException {
        JobList list = read("""
            submit,gpus,run_seconds,gpu_percent,gpu_memory_gib,mig
            0,0.25,5,,,
            0,1,5,40,,
            0,1,5,,20,
            0,2,5,,,1g.10gb
            0,1,5,,,
            """);
        assertThat(list.jobs().stream()
                        .map(job -> job.job()
                                .members()
                                .get(0)
                                .pod()
                                .containers()
                                .get(0)
                                .gpu()))
                .extracting(Object::toString)
                .containsExactly("0.25 GPUs", "0.4 GPUs", "20480 MiB", "2 partitions 1g.10gb", "1 whole GPU");
    }
}
