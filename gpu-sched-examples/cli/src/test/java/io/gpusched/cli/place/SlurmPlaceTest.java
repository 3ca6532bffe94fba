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
        assertThat(run.out()).contains("4 cores, 64 GiB");
        assertThat(run.err()).isEmpty();
    }

    private static final String PAIR = "NodeName=a[1-2] CPUs=8 RealMemory=64000 Gres=gpu:a100:4\n"
            + "NodeName=b1 CPUs=8 RealMemory=64000 Gres=gpu:h100:2\n";

    @Test
    void componentsOfAHeterogeneousJob_startTogetherOnNodesOfTheirOwn_orNotAtAll() throws IOException {
        String first = "#!/bin/bash\n#SBATCH -J pair --nodes=1 --gres=gpu:a100:2\n#SBATCH hetjob\n";
        PlaceRun both = place(PAIR, "", first + "#SBATCH --gres=gpu:h100:1\nsrun x\n");
        assertThat(both.code()).as(both.err()).isZero();
        assertThat(both.out())
                .contains("pair+0-0 on a1", "pair+1-0 on b1", "GRES=gpu:a100:2(IDX:0-1)", "GRES=gpu:h100:1(IDX:0)");
        assertThat(place(PAIR, "", first + "#SBATCH --gres=gpu:a100:1\n").out()).contains("pair+1-0 on a2");
        PlaceRun refused = place(PAIR, "", first + "#SBATCH --nodes=2 --gres=gpu:a100:1\n");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.out()).contains("component pair+1: ").doesNotContain(" on a1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --gres=gpu:1 --mem=70G             | 1 | Requested node configuration is not available
            --gres=gpu:1 --mem=0               | 0 | a1, 1 core, 64000 MiB
            --gres=gpu:1 --mem-per-cpu=2G -c 4 | 0 | a1, 4 cores, 8 GiB
            --gpus=2 --mem-per-gpu=3G          | 0 | a1, 1 core, 6 GiB
            --gres=gpu:1 --mem=1G --exclude=a1 | 0 | on a2
            --gres=gpu:1 --mem=1G --mem-per-gpu=1G | 1 | exclude each other
            -N 2 --ntasks-per-node=2 --gpus-per-task=1 | 0 | on a2
            --gres=gpu:1 -N 2-4                | 0 | job.sh-1 on a2
            --gres=gpu:2 -N 2-4                | 0 | job.sh-2 on b1
            --gres=gpu:2 -N 4-8                | 1 | Requested node configuration is not available
            --gres=gpu:2 -N 3-2                | 1 | option --nodes: must be a number, or the least and the most nodes
            --gpus=4 --gpus-per-node=2 -N 1-3  | 0 | job.sh-1 on a2
            --gpus=8 --gpus-per-node=2 -N 1-3  | 1 | must be in --nodes=1-3, got 4
            -N 1 --exclusive --gpus-per-node=1 | 0 | a1, 8 cores
            -N 1 --exclusive --gpus-per-node=1 | 0 | GRES=gpu:a100:4(IDX:0-3)
            -n 2 --tres-per-task=cpu=3,gres/gpu=1 | 0 | a1, 6 cores
            -n 2 --tres-per-task=gres/gpu=1,gres/mps=1 | 1 | must be cpu=count, one gres/name:count, or both
            --gpu=2                            | 1 | option '--gpu' is ambiguous; possibilities: --gpu-bind, --gpu-freq
            --grs=gpu:1                        | 1 | unrecognized option '--grs'
            --gpus-per-n=1                     | 0 | on a1
            -Z 3                               | 1 | invalid option -- 'Z'
            """)
    void memoryNodesAndTasks_areReadAsSbatchDoes(String options, int code, String words) throws IOException {
        PlaceRun run = place(PAIR, "", "#!/bin/bash\n#SBATCH " + options + "\n");
        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(code);
        assertThat(run.out()).contains(words);
    }

    private static final String SHOWN = """
            NodeName=a1 Arch=x86_64 CoresPerSocket=4
               CPUAlloc=2 CPUEfctv=8 CPUTot=8 CPULoad=1.04
               AvailableFeatures=nvlink ActiveFeatures=nvlink
               Gres=gpu:a100:4(S:0-1)
               GresUsed=gpu:a100:2(IDX:1,3)
               OS=Linux 5.14.0 #1 SMP
               RealMemory=64000 AllocMem=8000 FreeMem=1 Sockets=2 Boards=1
               State=MIXED ThreadsPerCore=1
               Partitions=gpu,all
               CfgTRES=cpu=8,mem=64000M,billing=8,gres/gpu=4
               AllocTRES=cpu=2,mem=8000M,gres/gpu=2
               Reason=Not responding [root@2026-11-01T00:00:00]

            NodeName=a2 Arch=x86_64
               CPUAlloc=8 CPUTot=8
               Gres=gpu:a100:4
               RealMemory=64000 AllocMem=0
               State=ALLOCATED+DRAIN
               Partitions=gpu,all

            NodeName=s1 CPUAlloc=0 CPUTot=8 Gres=gpu:t4:2,shard:8 GresUsed=gpu:t4:0(IDX:N/A),shard:3(3/4,0/4) RealMemory=64000 State=IDLE+CLOUD+POWERED_DOWN Partitions=all

            NodeName=c1 CPUAlloc=1 CPUTot=8 Gres=gpu:t4:2 RealMemory=64000 State=IDLE Partitions=old AllocTRES=cpu=1,gres/gpu=1
            """;

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            -p gpu --gres=gpu:2              ; 0 ; GRES=gpu:a100:2(IDX:0,2)
            -p gpu --gres=gpu:3              ; 1 ; pending (Resources)
            -p gpu --gres=gpu:1 -c 7         ; 1 ; pending (Resources)
            -p gpu --gres=gpu:5              ; 1 ; Requested node configuration is not available
            -p gpu --gres=gpu:1 -N 2         ; 1 ; Requested node configuration is not available
            -p gpu --gres=gpu:1 --exclusive  ; 1 ; pending (Resources)
            -p all --gres=shard:4            ; 0 ; on s1
            -p all --gres=gpu:t4:2           ; 1 ; pending (Resources)
            -p old --gres=gpu:2              ; 1 ; pending (Resources)
            -p old --gres=gpu:1              ; 0 ; on c1
            -p none --gres=gpu:1             ; 1 ; invalid partition specified: none
            -C nvlink --gres=gpu:1           ; 0 ; on a1
            """)
    void nodesAreReadAsScontrolShowsThem_withWhatTheirJobsHold(String options, int code, String words)
            throws IOException {
        PlaceRun run = place(SHOWN, "", "#!/bin/bash\n#SBATCH " + options + "\n");
        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(code);
        assertThat(run.out()).contains(words);
    }

    @Test
    void theDefaultPartition_isKnownIfPartitionsAreShownToo() throws IOException {
        String script = "#!/bin/bash\n#SBATCH --gres=gpu:1\n";
        assertThat(place(SHOWN, "", script).err()).contains("the default partition is not known");
        String shown = SHOWN + "PartitionName=old\n   Default=YES State=UP\nJobId=7 JobName=x\n   NodeList=a1\n";
        PlaceRun run = place(shown, "", script);
        assertThat(run.out()).contains("on c1");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void tablesOfSinfo_areRefusedWithWhatToGive() throws IOException {
        PlaceRun run = place(
                "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\ngpu* up 1-00:00:00 2 idle a[1-2]\n", "", SCRIPT);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("is what sinfo or squeue prints", "scontrol -d show node");
    }

    private static final String PARTITIONS = """
            NodeName=a1 CPUs=8 Gres=gpu:a100:4 Feature=nvlink,big
            NodeName=a2 CPUs=8 Gres=gpu:a100:4 Feature=nvlink
            NodeName=v1 CPUs=8 Gres=gpu:v100:2 Features=old
            NodeName=c1 CPUs=8
            PartitionName=DEFAULT State=UP
            PartitionName=cpu Nodes=c1
            PartitionName=gpu Nodes=a[1-2],v1 Default=YES
            PartitionName=old Nodes=v1
            PartitionName=closed Nodes=ALL State=DOWN
            """;

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            --gres=gpu:1                            ; 0 ; on a1
            --gres=gpu:1 --partition=old            ; 0 ; on v1
            --gres=gpu:1 -p cpu                     ; 1 ; Requested node configuration is not available
            --gres=gpu:1 -p cpu,old                 ; 0 ; on v1
            --gres=gpu:1 -p closed                  ; 1 ; Requested node configuration is not available
            --gres=gpu:1 -p none                    ; 1 ; invalid partition specified: none
            --gres=gpu:1 -C old                     ; 0 ; on v1
            --gres=gpu:1 --constraint=nvlink&big -N1; 0 ; on a1
            --gres=gpu:4 --constraint=old|nvlink    ; 0 ; on a1
            --gres=gpu:1 -C h100                    ; 1 ; Invalid feature specification: no node has h100
            --gres=none                             ; 0 ; on a1
            --gres=gpu:2 --cpus-per-gpu=8           ; 1 ; pending (Resources), and there is no room on idle nodes either
            """)
    void partitionsAndFeatures_sayWhichNodesAJobMayUse(String options, int code, String words) throws IOException {
        PlaceRun run = place(PARTITIONS, "", "#!/bin/bash\n#SBATCH " + options + "\n");
        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(code);
        assertThat(run.out()).contains(words);
        assertThat(run.err()).isEmpty();
    }

    @Test
    void aConstraintThatIsNotRead_isSaidToBePassedOver() throws IOException {
        PlaceRun run = place(PARTITIONS, "", "#!/bin/bash\n#SBATCH --gres=gpu:1 -C [nvlink*2&old*1]\n");
        assertThat(run.err()).contains("not looked at: --constraint");
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
