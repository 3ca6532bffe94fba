package io.gpusched.dialect.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.dialect.RefusedException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlurmRequestTest {
    private static SlurmJob resolve(String options) {
        Map<String, String> map = new TreeMap<>();
        for (String option : options.trim().split("\\s+")) {
            int equals = option.indexOf('=');
            map.put(option.substring(0, equals), option.substring(equals + 1));
        }
        return SlurmRequest.of(map).resolve();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gpus=8 gpus-per-node=4                            | 2 | 2",
                "gpus=8 gpus-per-task=2                            | 1 | 4",
                "gpus=8 gpus-per-node=4 gpus-per-task=2            | 2 | 4",
                "gres=gpu:2 nodes=3                                | 3 | 3",
                "gpus-per-node=4 gpus-per-socket=2 sockets-per-node=2 nodes=2 | 2 | 2",
                "gpus-per-task=1 ntasks=6 nodes=2                  | 2 | 6"
            })
    void counts_followFromEachOther(String options, int nodes, long tasks) {
        SlurmJob job = resolve(options);
        assertThat(job.nodes()).isEqualTo(nodes);
        assertThat(job.tasks()).isEqualTo(tasks);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gpus=6 gpus-per-node=4                      | multiple",
                "gpus=2 gpus-per-node=4                      | at least",
                "gpus-per-node=4 gpus-per-socket=3 sockets-per-node=2 | multiple",
                "gpus=8 gpus-per-task=3 ntasks=2             | multiple",
                "gpus=8 gpus-per-task=2 ntasks=3             | ntasks must equal",
                "gpus=8 gpus-per-node=4 nodes=3              | nodes must equal",
                "gpus-per-node=4 gpus-per-task=3 ntasks=2    | multiple",
                "gpus=2 nodes=3                              | at least the number of nodes",
                "gres=gpu:2 gpus-per-node=2                  | exclude each other",
                "gres=gpu:1,mps:50                           | exclude each other",
                "gres=mps:1,shard:1                          | exclude each other",
                "gres=gpu:a100:1,gpu:1                       | with and without a type",
                "gres=mps:50 gpu-freq=high                   | gpu-freq",
                "gres=mps:50 cpus-per-gpu=2                  | need a request for gpus",
                "gpus-per-socket=1                           | sockets-per-node",
                "gpus-per-task=1                             | needs --ntasks, --gpus, or --nodes",
                "gpus=4 cpus-per-gpu=2 cpus-per-task=2       | exclude each other",
                "gpus=4 gpus-per-task=2 ntasks-per-gpu=1     | exclude each other",
                "gpus=4 ntasks-per-node=2 ntasks-per-gpu=1   | exclude each other",
                "gpus=2 ntasks=2 ntasks-per-gpu=2            | ntasks must equal gpus times",
                "gpus=a100:4 gpus-per-task=v100:1            | of types that are asked for per job or node",
                "gpus=t4:2 gpus-per-node=a100:1              | of types that are asked for",
                "gpus=t4:2,v100:4 nodes=3                    | at least the number of nodes",
                "gpus-per-socket=2 sockets-per-node=2        | also needs a number of gpus",
                "tres-per-task=license/a:2 ntasks=2          | must be cpu=count, one gres/name:count",
                "ntasks=5 ntasks-per-gpu=2 gpus=1            | multiple of --ntasks-per-gpu",
                "gres=gpu:                                   | gres",
                "nodes=0                                     | at least 1",
                "tea=1                                       | must be one of"
            })
    void inconsistentRequest_isRefusedWithTheRule(String options, String rule) {
        assertThatThrownBy(() -> resolve(options))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(rule.equals("with and without a type") ? "both with and" : rule);
    }

    @Test
    void cpusPerTask_followFromCpusPerGpu() {
        assertThat(resolve("gpus=4 gpus-per-task=2 cpus-per-gpu=3").cpusPerTask())
                .isEqualTo(6);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gpus=6                                | 1 | 6",
                "gpus=6 ntasks=2                       | 1 | 2",
                "gpus=6 nodes=2                        | 2 | 2",
                "gpus=a100:1,v100:4                    | 1 | 1",
                "gpus-per-task=2 ntasks=4              | 1 | 4",
                "gpus-per-task=2 ntasks=4 nodes=2      | 2 | 2",
                "gpus-per-node=2                       | 1 | 1",
                "gpus-per-node=2 nodes=3 ntasks=2      | 2 | 2"
            })
    void aJobThatNamesNoNodes_mayHaveSeveral(String options, int least, int most) {
        SlurmJob job = resolve(options);
        assertThat(job.nodes()).isEqualTo(least);
        assertThat(job.maxNodes()).isEqualTo(most);
        assertThat(job.onNodes(most).nodes()).isEqualTo(most);
        assertThat(job.onNodes(most).tasks()).isGreaterThanOrEqualTo(most);
        assertThatThrownBy(() -> job.onNodes(most + 1)).hasMessageContaining("nodes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gpus=2 ntasks-per-gpu=2               | 4 | gpu:2",
                "ntasks=4 ntasks-per-gpu=2             | 4 | gpu:2",
                "gpus=1,3                              | 1 | gpu:3",
                "gpus-per-task=2 ntasks=3              | 3 | gpu:6"
            })
    void gpusOfAJob_followFromTasks_andTheOtherWayRound(String options, long tasks, String perJob) {
        SlurmJob job = resolve(options);
        assertThat(job.tasks()).isEqualTo(tasks);
        assertThat(job.perJob()).hasToString("[" + perJob + "]");
    }

    @Test
    void ofWhatIsAskedForTwice_theLastCountHolds() {
        assertThat(resolve("gres=gpu:v100:1,gpu:t4:1,gpu:v100:2").perNode()).hasToString("[gpu:v100:2, gpu:t4:1]");
    }

    @Test
    void tasksPerNode_areTheMost_whereTasksAreGiven() {
        assertThat(resolve("gpus-per-node=1 ntasks=1 ntasks-per-node=2").tasksOn(0))
                .isEqualTo(1);
        assertThat(resolve("gpus-per-node=1 nodes=2 ntasks-per-node=2").tasksOn(1))
                .isEqualTo(2);
    }

    @Test
    void memoryForEachGpu_isKept() {
        assertThat(resolve("gpus=2 mem-per-gpu=500").memory())
                .contains(new SlurmJob.Memory(500, SlurmJob.Memory.Per.GPU));
        assertThat(resolve("gpus=2 mem-per-gpu=40G").memory())
                .contains(new SlurmJob.Memory(40 << 10, SlurmJob.Memory.Per.GPU));
        assertThat(resolve("gpus=2 mem=1T").memory()).contains(new SlurmJob.Memory(1 << 20, SlurmJob.Memory.Per.NODE));
        assertThat(resolve("gpus=2 mem-per-cpu=0").memory()).contains(new SlurmJob.Memory(0, SlurmJob.Memory.Per.CPU));
        assertThat(resolve("nodes=2 ntasks-per-node=4 gpus-per-task=1").tasks()).isEqualTo(8);
    }

    @Test
    void perTaskShares_areSummedOnANode() {
        SlurmJob job = resolve("tres-per-task=gres/shard:2 ntasks=3");
        assertThat(job.on(0)).containsExactly(new SlurmGres("shard", "", 6));
    }
}
