package io.gpusched.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that look at a cluster, on what kubectl printed of one where kube-scheduler and a device plugin count GPUs. */
class LookCommandsTest {
    private static final String CLUSTER = Exports.node("n1", 8)
            + Exports.node("n2", 8)
            + Exports.running("a", "n1", 5)
            + Exports.running("b", "n2", 3)
            + Exports.waiting("w", 6)
            + "status: {phase: Pending, conditions: [{type: PodScheduled, status: \"False\","
            + " message: 0/2 nodes are available}]}\n";

    @TempDir
    private Path folder;

    private LookRun run(String... arguments) {
        return LookRun.on(folder, CLUSTER, arguments);
    }

    @Test
    void everyCommand_saysWhatTheClusterIs_andByWhatItsDialectWasFound() {
        for (String command : new String[] {"map", "shrink", "mix", "drain n1", "why ml/a"}) {
            assertThat(run(command.split(" ")).out())
                    .startsWith("2 nodes (2 with GPUs), 16 GPUs, 8 idle. Read as: device plugin (nvidia.com/gpu)\n");
        }
    }

    @Test
    void why_saysWhatItWasTold_andTheNearestRemedy() {
        LookRun run = run("why", "ml/w");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.answer()).isEqualTo("""
            pod ml/w is pending (scheduler: default-scheduler)
            its scheduler's last message: 0/2 nodes are available
            pod "ml/w": no room now on any of 2 nodes
              2 nodes: 8 GPUs idle in total, at most 5 on one node, asked 6 whole GPUs
              nearest remedy: 1 more idle GPU on n2 (has 5 of 6)
            """);
        assertThat(run("why", "-n", "ml", "w").out()).isEqualTo(run.out());
    }

    @Test
    void why_ofAPodThatRuns_saysWhereAndWhatItHolds() {
        LookRun run = run("why", "ml/a");
        assertThat(run.code()).isZero();
        assertThat(run.answer()).isEqualTo("pod ml/a is on node n1, where it holds 5 GPUs\n");
    }

    @Test
    void why_ofAPodThatIsNotThere_namesOthers() {
        LookRun run = run("why", "w");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("pod default/w: the cluster has no such pod. Maybe one of these: ml/w");
    }

    @Test
    void why_whereThereIsRoom_saysWhere() {
        LookRun run = LookRun.on(folder, CLUSTER + Exports.waiting("v", 2), "why", "ml/v");
        assertThat(run.code()).isZero();
        assertThat(run.answer()).contains("there is room now: on node n1 for 2 GPUs", "Maybe its scheduler waits for");
    }

    @Test
    void why_namesGates_andAnswersAsIfTheyWereOpen() {
        String gated =
                Exports.pod("g", "", "schedulingGates: [{name: kueue.x-k8s.io/admission}]", "nvidia.com/gpu: \"7\"");
        LookRun run = LookRun.on(folder, CLUSTER + gated, "why", "ml/g");
        assertThat(run.answer())
                .contains("its scheduling gates keep it pending: kueue.x-k8s.io/admission")
                .contains("asked 7 whole GPUs");
    }

    @Test
    void why_withoutVolumesInTheFile_saysThatTheyAreNotLookedAt() {
        String claims = Exports.pod(
                "c", "", "volumes: [{name: d, persistentVolumeClaim: {claimName: d}}]", "nvidia.com/gpu: \"1\"");
        assertThat(LookRun.on(folder, CLUSTER + claims, "why", "ml/c").answer())
                .contains("its volumes are not known and not looked at", "there is room now");
    }

    @Test
    void map_showsWhoHoldsHowMany_andWhoWaits() throws IOException {
        Path page = folder.resolve("map.html");
        LookRun run = run("map", "--html", page.toString());
        assertThat(run.answer()).isEqualTo("""

            8 × A100, 64 cores, 256 GiB
              n1  #####...  ml/a 5 GPUs
              n2  ###.....  ml/b 3 GPUs

            1 pending pod asks for GPUs: ml/w. Maybe ask: gpu-sched why ml/w

            the page is %s
            """.formatted(page));
        assertThat(Files.readString(page))
                .contains("const SNAPSHOT = {\"title\":\"gpu-sched map\"", "0/2 nodes are available")
                .doesNotContain("/*SNAPSHOT*/");
    }

    @Test
    void drain_saysWhereEachPodGoes_andWhichNobodyMakesAnew() {
        LookRun run = run("drain", "n2");
        assertThat(run.code()).isZero();
        assertThat(run.answer()).isEqualTo("""
            n2 can be drained: its 1 pod fits elsewhere
              ml/b to n1 with 3 GPUs
            no controller will recreate: ml/b
            """);
        LookRun both = run("drain", "n1", "n2");
        assertThat(both.code()).isEqualTo(1);
        assertThat(both.answer()).startsWith("n1, n2 cannot be drained:").contains("ml/a");
        assertThat(run("drain", "n3").err()).contains("node n3: the cluster has no such node");
    }

    @Test
    void drain_keepsTheMembersOfAGroupWithinTheLabelThatItsObjectNames() {
        String gang = inRack("n1", "a", 1)
                + inRack("n2", "a", 1)
                + inRack("n3", "b", 8)
                + member("w1", "n1")
                + member("w2", "n2")
                + """
                ---
                apiVersion: scheduling.x-k8s.io/v1alpha1
                kind: PodGroup
                metadata: {name: train, namespace: ml, annotations: {gpu-sched.io/within: rack}}
                spec: {minMember: 2}
                """;
        LookRun apart = LookRun.on(folder, gang, "drain", "n1");
        assertThat(apart.code()).as(apart.out() + apart.err()).isEqualTo(1);
        assertThat(apart.answer()).startsWith("n1 cannot be drained:").contains("ml/w1 has no other place");
        LookRun together = LookRun.on(folder, gang + inRack("n4", "a", 1), "drain", "n1");
        assertThat(together.code()).isZero();
        assertThat(together.answer()).contains("ml/w1 to n4");
        assertThat(LookRun.on(folder, gang.replace("within: rack", "other: rack"), "drain", "n1")
                        .answer())
                .contains("ml/w1 to n3");
    }

    private static String inRack(String name, String rack, int gpus) {
        return Exports.node(name, gpus).replace("labels: {", "labels: {rack: " + rack + ", ");
    }

    private static String member(String name, String node) {
        return Exports.running(name, node, 1)
                .replace("namespace: ml", "namespace: ml, labels: {scheduling.x-k8s.io/pod-group: train}");
    }

    @Test
    void shrink_saysWhichNodesCouldGo() {
        LookRun run = run("shrink");
        assertThat(run.code()).isZero();
        assertThat(run.answer())
                .startsWith("1 of 2 nodes with GPUs could go, with 8 GPUs: n2\n")
                .contains("ml/b to n1 with 3 GPUs");
        LookRun none = LookRun.on(folder, Exports.node("n1", 8) + Exports.running("a", "n1", 1), "shrink");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.answer()).isEqualTo("no node with GPUs could go\n");
    }

    @Test
    void mix_countsEachShape_thoseOfPodsFirst() {
        assertThat(run("mix").answer()).isEqualTo("""
            shape                          pods have it  fit still  on nodes
            3 whole GPUs, 4 cores, 16 GiB             1          2         2
            5 whole GPUs, 4 cores, 16 GiB             1          1         1
            6 whole GPUs, 4 cores, 16 GiB             1          0         0
            1 whole GPU                                          8         2
            2 whole GPUs                                         3         2
            4 whole GPUs                                         1         1
            8 whole GPUs                                         0         0
            """);
    }

    @Test
    void fit_saysWhereAJobWouldStart_andHowManyMore() throws IOException {
        String job = """
            apiVersion: kubeflow.org/v1
            kind: PyTorchJob
            metadata: {name: train, namespace: ml}
            spec:
              pytorchReplicaSpecs:
                Worker:
                  replicas: %d
                  template: {spec: {containers: [{name: pytorch, resources: {limits: {cpu: 4, nvidia.com/gpu: 2}}}]}}
            """;
        Path file = Files.writeString(folder.resolve("job.yaml"), job.formatted(2));
        LookRun run = run("fit", file.toString());
        assertThat(run.code()).isZero();
        assertThat(run.answer()).isEqualTo("""
            1 of 1 would start now
              on n1: ml/train-worker-0
              on n2: ml/train-worker-1
            no more like group "train" would start after that
            """);
        Files.writeString(file, job.formatted(4));
        LookRun larger = run("fit", file.toString());
        assertThat(larger.code()).isEqualTo(1);
        assertThat(larger.answer()).startsWith("0 of 1 would start now\ngroup \"train\": no room");
    }

    @Test
    void fit_saysEqualRefusalsOnce() throws IOException {
        Path file = Files.writeString(folder.resolve("web.yaml"), """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web, namespace: ml}
            spec:
              replicas: 40
              template: {spec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: 2}}}]}}
            """);
        LookRun run = run("fit", file.toString());
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.answer())
                .startsWith("3 of 40 would start now\n")
                .contains("and 33 more: no room now on any of 2 nodes", "no more like pod \"ml/web-0\"")
                .hasLineCount(7);
    }

    @Test
    void aClusterThatCannotBeRead_isOneLine() throws IOException {
        Path bad = Files.writeString(folder.resolve("bad.json"), "{nonsense");
        assertThat(LookRun.of("map", "--cluster", bad.toString()).err())
                .contains("bad.json, line 1, column 3: must be JSON")
                .hasLineCount(1);
        Path nobody = Files.writeString(folder.resolve("kubeconfig"), """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
            users: [{name: u, user: {token: t}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            current-context: x
            """);
        LookRun run = LookRun.of("map", "--kubeconfig", nobody.toString());
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .contains("https://127.0.0.1:1", "the cluster cannot be read")
                .hasLineCount(1);
        assertThat(LookRun.of("map", "--kubeconfig", folder.resolve("none").toString())
                        .err())
                .contains("none: cannot be read")
                .hasLineCount(1);
        assertThat(LookRun.of("map", "--cluster", "c.yaml", "--context", "x").err())
                .contains("--cluster does not go with --kubeconfig or --context");
    }
}
