package io.gpusched.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cases after public reports on other schedulers, each with the right answer. */
class ReportsTest {
    private static Path file(String name) throws URISyntaxException {
        return Path.of(Objects.requireNonNull(ReportsTest.class.getResource("/reports/" + name), name)
                .toURI());
    }

    private static LookRun run(String command, String cluster) throws URISyntaxException {
        String[] words = command.split(" ");
        String[] all = Arrays.copyOf(words, words.length + 2);
        if (words[0].equals("fit")) {
            all[1] = file(words[1]).toString();
        }
        all[words.length] = "--cluster";
        all[words.length + 1] = file(cluster).toString();
        return LookRun.of(all);
    }

    /** What fits, how many more do, and what does not; replicas, slices, partitions and systems side by side. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        01 | fit 01/pod.yaml        | 01/cluster.json | 0 | on g1: team/more;46 more
        01 | why team/nb-wait       | 01/cluster.json | 0 | there is room now: on node g1 for 1 slot
        01 | map                    | 01/cluster.json | 0 | (1 with GPUs), 1 GPU;1 slot
        03 | fit 03/train.yaml      | 03/cluster.json | 0 | on whole:
        03 | fit 03/train-plain.yaml| 03/cluster.json | 0 | on whole:
        04 | fit 04/shared.yaml     | 04/cluster.json | 0 | on mps:
        04 | fit 04/whole.yaml      | 04/cluster.json | 0 | on plain:
        04 | fit 04/shared2.yaml    | 04/cluster.json | 1 | can never fit
        06 | fit 06/cpx.yaml        | 06/cluster.json | 0 | on mi-cpx:
        06 | fit 06/whole.yaml      | 06/cluster.json | 0 | on mi-spx:
        06 | fit 06/spx.yaml        | 06/cluster.json | 0 | on mi-mixed:
        06 | fit 06/toomany.yaml    | 06/cluster.json | 1 | no room
        06 | map                    | 06/cluster.json | 0 | mi-cpx  [4 of 64 partitions];mi-mixed;mi-spx
        12 | fit 12/pod.yaml        | 12/cluster.json | 0 | 10 more
        12 | fit 12/whole.yaml      | 12/cluster.json | 1 | can never fit
        12 | map                    | 12/cluster.json | 0 | 2 GPUs;[3 of 14 partitions];team/m0 1 x 1g.5gb
        29 | fit 29/whole8.yaml     | 29/cluster.json | 1 | 7 GPUs idle in total
        29 | fit 29/four.yaml       | 29/cluster.json | 0 | on kd1
        29 | map                    | 29/cluster.json | 0 | 8 GPUs, 7 idle;team/half
        30 | fit 30/b3.yaml         | 30/cluster.json | 0 | on npu3
        30 | fit 30/b4.yaml         | 30/cluster.json | 0 | on npu4
        30 | fit 30/gpu.yaml        | 30/cluster.json | 0 | on gpu1
        32 | fit 32/deploy.yaml     | 32/empty.json   | 1 | 23 of 24 would start now
        36 | fit 36/two.yaml        | 36/cluster.json | 1 | 0 of 1 would start now
        36 | fit 36/share.yaml      | 36/cluster.json | 0 | on gke-ts
        36 | map                    | 36/cluster.json | 0 | 3 GPUs;nvidia-tesla-t4;gke-ts  2
        36 | mix                    | 36/cluster.json | 0 | 1 whole GPU
        51 | map                    | 51/running.json | 0 | 4 GPUs, 3 idle;team/dra-run 1 GPU
        51 | why team/imex          | 51/cluster.json | 0 | its resource claims (imex-channel) are not looked at
        min | map                   | min/two.json    | 0 | 1 GPU, 0 idle;n  #
        min | why d/a               | min/pg.yaml     | 1 | of 2 members needed together 1 has room
        min | why d/a               | min/pg2.yaml    | 1 | of 2 members needed together 1 has room
        min | drain a1              | min/dr.yaml     | 1 | cannot be drained
        min | drain a1              | min/dr2.yaml    | 1 | cannot be drained
        min | fit min/kf.yaml       | min/cpu.yaml    | 2 |
        """)
    void gpusAreCountedAsTheKubeletGivesThemOut(String report, String command, String cluster, int code, String words)
            throws URISyntaxException {
        check(report, command, cluster, code, words);
    }

    /** Gangs, their topology, and what operators add to their pods. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        07 | fit 07/job-kueue.yaml    | 07/cluster.json | 0 | on b0;on b1;on b2;on b3
        07 | fit 07/jobset-kueue.yaml | 07/cluster.json | 0 | on b0;on b1;on b2;on b3
        07 | fit 07/lws-kueue.yaml    | 07/cluster.json | 0 | on b0;on b1;on b2;on b3
        07 | fit 07/jobset-excl.yaml  | 07/cluster.json | 0 | on b0;on b1;on b2;on b3
        07 | fit 07/lws-excl.yaml     | 07/cluster.json | 0 | on b0;on b1;on b2;on b3
        07 | why team/nccl-0          | 07/full.json    | 1 | nvidia.com/gpu.clique
        08 | why team/t-0             | 08/pref.json    | 0 | there is room now
        09 | why team/g-0             | 09/ok.json      | 0 | there is room now
        09 | why team/g-0             | 09/refuse.json  | 1 | taint
        16 | fit 16/lws.yaml          | 16/cluster.json | 1 | 3 of 4 would start now
        18 | fit 18/sixteen.yaml      | 18/cluster.json | 1 | 0 of 1
        18 | fit 18/eight.yaml        | 18/cluster.json | 0 | 1 of 1
        18 | fit 18/init-app.yaml     | 18/one.json     | 0 | 1 of 1
        18 | fit 18/sidecar-over.yaml | 18/one.json     | 1 | 0 of 1
        20 | fit 20/sidecar2.yaml     | 20/cluster.json | 0 | 1 of 1
        20 | fit 20/sidecar3.yaml     | 20/cluster.json | 1 | 0 of 1
        20 | fit 20/init-first.yaml   | 20/cluster.json | 0 | 1 of 1
        21 | fit 21/fits3.yaml        | 21/cluster.json | 0 | 1 of 1
        21 | fit 21/toobig.yaml       | 21/cluster.json | 1 | 0 of 1
        23 | fit 23/two-slices.yaml   | 23/cluster.json | 1 | of 9 members needed together
        23 | fit 23/one-slice.yaml    | 23/cluster.json | 0 | 1 of 1
        25 | fit 25/ray.yaml          | 25/cluster.json | 1 | asked 2.5 cores
        26 | fit 26/trainjob.yaml     | 16/cluster.json | 0 | 1 of 1;team/ft-node-0-3
        38 | fit 38/mpijob.yaml       | 38/cluster.json | 0 | pod "team/bench-worker-1": it is beyond the minimum
        38 | fit 38/mpijob-fits.yaml  | 38/cluster.json | 0 | 1 of 1
        39 | fit 39/vcjob.yaml        | 39/cluster.json | 2 |
        39 | fit 39/vcjob-part.yaml   | 39/cluster.json | 2 |
        49 | fit 49/ask3.yaml         | 49/cluster.json | 0 | 1 of 1
        49 | fit 49/ask4.yaml         | 49/cluster.json | 1 | 0 of 1
        49 | fit 49/huge.yaml         | 49/cluster.json | 1 | 0 of 1
        53 | fit 53/two-then-one.yaml | 53/cluster.json | 0 | 3 of 3
        """)
    void gangsAndJobsAreReadAsTheirOperatorsDo(String report, String command, String cluster, int code, String words)
            throws URISyntaxException {
        check(report, command, cluster, code, words);
    }

    /** Marks of pods and nodes by which others decide. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        34 | map        | 34/cluster.json | 0 | ip-1  reports no GPUs, though its label karpenter.k8s.aws/instance-gpu-count is 1
        34 | why cuda -n team | 34/cluster.json | 1 | node ip-1 is to have GPUs
        35 | shrink     | 35/cluster.json | 1 | team/ci may not be evicted (karpenter.sh/do-not-disrupt: true);team/svc-0 may not be evicted
        35 | drain ip-3 | 35/cluster.json | 1 | team/ci may not be evicted
        """)
    void marksOfOthersAreKnown(String report, String command, String cluster, int code, String words)
            throws URISyntaxException {
        check(report, command, cluster, code, words);
    }

    /** Nodes that are not there yet. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        23 | fit 23/two-slices.yaml --add 2@w0 | 23/cluster.json | 0 | 9 nodes;1 of 1 would start now
        29 | fit 29/whole8.yaml --add 1@kd1    | 29/cluster.json | 0 | on kd1-added-1
        29 | fit 29/whole8.yaml --add 1@none   | 29/cluster.json | 2 |
        29 | fit 29/whole8.yaml --add x        | 29/cluster.json | 2 |
        """)
    void nodesThatAreAdded_areAskedAsIfTheyWereThere(
            String report, String command, String cluster, int code, String words) throws URISyntaxException {
        check(report, command, cluster, code, words);
    }

    /** Files of Slurm, each as Slurm has it or in the form of our own. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        14 | 14/auto/slurm.conf      | 14/auto/job.sh  | 0 | SLURM_JOB_GPUS=0,1,2,3
        14 | 14/autodetect.yaml      | 14/job.yaml     | 0 | SLURM_JOB_GPUS=0,1,2,3
        14 | 14/autodetect-bad.yaml  | 14/job.yaml     | 2 |
        14 | 14/nofile.yaml          | 14/job.yaml     | 1 | refused
        14 | 14/slurmconf-only.yaml  | 14/job.yaml     | 2 |
        15 | 15/conf/slurm.conf      | 15/conf/job3.sh | 2 |
        15 | 15/mig.yaml             | 15/job2.yaml    | 0 | SLURM_JOB_GPUS=0,1
        15 | 15/mig.yaml             | 15/job3.yaml    | 1 | refused
        44 | 14/autodetect.yaml      | 14/auto/job.sh  | 0 | SLURM_JOB_GPUS=0,1,2,3
        44 | 15/mig.yaml             | 15/conf/job3.sh | 1 | refused
        44 | 14/auto/slurm.conf      | 15/job2.yaml    | 1 | refused
        """)
    void slurmsFiles_goWithThoseOfTheFormOfOurOwn(String report, String cluster, String job, int code, String words)
            throws URISyntaxException {
        LookRun run = LookRun.of(
                "place",
                "--dialect",
                "slurm",
                "--cluster",
                file(cluster).toString(),
                "--pod",
                file(job).toString());
        assertThat(run.code()).as("%s: %s%s", report, run.out(), run.err()).isEqualTo(code);
        assertThat(run.out()).as(report).contains(words == null ? "" : words);
    }

    private static void check(String report, String command, String cluster, int code, String words)
            throws URISyntaxException {
        LookRun run = run(command, cluster);
        assertThat(run.code()).as("%s: %s%s", report, run.out(), run.err()).isEqualTo(code);
        for (String part : words == null ? new String[0] : words.split(";")) {
            assertThat(run.out()).as(report).contains(part);
        }
        assertThat(run.out() + run.err()).doesNotContain("Exception", "Optional[");
    }
}
