package io.gpusched.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that plan moves, on what kubectl printed. */
class MoveCommandsTest {
    private static final String BUDGET = """
        ---
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: web, namespace: ml}
        spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
        status: {disruptionsAllowed: %d, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1}
        """;

    private static final String OWNER =
            "ownerReferences: [{apiVersion: apps/v1, kind: %s, name: x, uid: x, controller: true}]";

    @TempDir
    private Path folder;

    private static String pod(String name, String node, int gpus, String metadata) {
        return Exports.pod(name, metadata, "nodeName: " + node, "nvidia.com/gpu: \"" + gpus + "\"")
                + "status: {phase: Running}\n";
    }

    private static String owned(String name, String node, int gpus) {
        return pod(name, node, gpus, OWNER.formatted("ReplicaSet"));
    }

    private static String scattered() {
        return Exports.node("n1", 8)
                + Exports.node("n2", 8)
                + Exports.node("n3", 8)
                + owned("a", "n1", 2)
                + owned("b", "n2", 5)
                + owned("c", "n3", 6);
    }

    private LookRun run(String cluster, String... arguments) {
        return LookRun.on(folder, cluster, arguments);
    }

    @Test
    void defrag_saysWhichPodsToMove_andWhatThatBuys() {
        LookRun run = run(scattered(), "defrag");
        assertThat(run.code()).isZero();
        assertThat(run.answer()).isEqualTo("""
            moving 1 pod gives 1 empty node instead of 0
            to empty n1: 1 pod moves:
              ml/a from n1 to n3 with 2 GPUs
            """);
    }

    @Test
    void defrag_whereNothingCanBeHad_saysSo() {
        LookRun run = run(scattered(), "defrag", "--moves", "0");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.answer()).isEqualTo("no move gives more than 0 empty nodes\n");
    }

    @Test
    void defrag_makesRoomForPodsOfASize_andForWhatRuns() {
        LookRun four = run(scattered(), "defrag", "--want", "gpus:4");
        assertThat(four.answer()).startsWith("moving 1 pod gives 2 places for pods of 4 GPUs instead of 1\n");
        assertThat(run(scattered(), "defrag", "--want", "mix").answer())
                .contains("places for pods like the running ones");
        assertThat(run(scattered(), "defrag", "--want", "racks").err())
                .contains("must be nodes, domain:LEVEL, gpus:N or mix");
        assertThat(four.answer()).contains("to make room on ", ": 1 pod moves:\n");
    }

    @Test
    void defrag_namesALevelThatNoNodeHas_andTheOptionThatIsOutOfRange() {
        LookRun level = run(scattered(), "defrag", "--want", "domain:rack");
        assertThat(level.code()).isEqualTo(2);
        assertThat(level.err()).contains("--want domain:rack: no node has the topology level \"rack\"");
        LookRun moves = run(scattered(), "defrag", "--moves", "-1");
        assertThat(moves.code()).isEqualTo(2);
        assertThat(moves.err()).contains("--moves must be in 0..2147483647, got -1");
    }

    /** Karpenter protects a pod for a time after its start too. */
    @Test
    void drain_ofAPodThatIsProtectedForATime_isRefusedUntilThatHasPassed() {
        String mark = OWNER.formatted("ReplicaSet") + ", annotations: {karpenter.sh/do-not-disrupt: %s}";
        String nodes = Exports.node("n1", 8) + Exports.node("n2", 8);
        String young = pod("a", "n1", 2, mark.formatted("1h30m"))
                .replace("{phase:", "{startTime: \"2999-01-01T00:00:00Z\", phase:");
        assertThat(run(nodes + young, "drain", "n1").out())
                .contains("ml/a may not be evicted (karpenter.sh/do-not-disrupt: 1h30m)");
        String old = young.replace("2999", "2020");
        assertThat(run(nodes + old, "drain", "n1").out()).contains("ml/a to n2 with 2 GPUs");
        assertThat(run(nodes + old.replace("1h30m", "\"true\""), "drain", "n1").out())
                .contains("ml/a may not be evicted");
        assertThat(run(nodes + old.replace("1h30m", "\"false\""), "drain", "n1").out())
                .contains("ml/a to n2");
        assertThat(run(nodes + old.replace("1h30m", "9".repeat(30) + "h"), "drain", "n1")
                        .out())
                .contains("ml/a may not be evicted");
        assertThat(run(nodes + old.replace("1h30m", "1s".repeat(50_000)), "drain", "n1")
                        .out())
                .contains("ml/a to n2");
    }

    @Test
    void defrag_leavesAloneWhatIsKept_belongsToItsNode_orIsProtected() {
        String nodes = Exports.node("n1", 8) + Exports.node("n2", 8) + owned("b", "n2", 5);
        String only = "--keep=ml/b";
        assertThat(run(nodes + owned("a", "n1", 2), "defrag", only).code()).isZero();
        assertThat(run(nodes + owned("a", "n1", 2), "defrag", only, "--keep", "ml/a")
                        .code())
                .isEqualTo(1);
        assertThat(run(nodes + owned("a", "n1", 2), "defrag", "--keep", "ml").code())
                .isEqualTo(1);
        String daemon = pod("a", "n1", 2, OWNER.formatted("DaemonSet"));
        assertThat(run(nodes + daemon, "defrag", only).code()).isEqualTo(1);
        String web = pod("a", "n1", 2, "labels: {app: web}");
        assertThat(run(nodes + web + BUDGET.formatted(0), "defrag", only).code())
                .isEqualTo(1);
        LookRun allowed = run(nodes + web + BUDGET.formatted(1), "defrag", only);
        assertThat(allowed.code()).isZero();
        assertThat(allowed.answer()).endsWith("no controller will recreate: ml/a\n");
    }

    @Test
    void shrink_takesPodsOfADaemonSetForPartsOfTheirNode_whichHoldTheirGpusWhereItStays() {
        StringBuilder cluster = new StringBuilder(owned("a", "n1", 2) + owned("b", "n2", 5));
        for (String node : new String[] {"n1", "n2", "n3"}) {
            cluster.append(Exports.node(node, 8)).append(pod("daemon-" + node, node, 1, OWNER.formatted("DaemonSet")));
        }
        LookRun run = run(cluster.toString(), "shrink");
        assertThat(run.code()).isZero();
        assertThat(run.answer()).isEqualTo("""
            2 of 3 nodes with GPUs could go, with 16 GPUs: n3, n1
            1 pod fits on the nodes that stay:
              ml/a to n2 with 2 GPUs
            """);
        assertThat(run(cluster + owned("c", "n1", 1), "shrink").answer())
                .startsWith("1 of 3 nodes with GPUs could go, with 8 GPUs: n3\n");
    }

    @Test
    void repair_saysHowANodeIsEmptied_withOthersMakingRoom() {
        String cluster = Exports.node("n1", 4)
                + Exports.node("n2", 4)
                + Exports.node("n3", 4)
                + owned("a", "n1", 3)
                + owned("b", "n2", 2)
                + owned("c", "n3", 2);
        LookRun run = run(cluster, "repair", "n1");
        assertThat(run.code()).isZero();
        assertThat(run.answer()).isEqualTo("""
            n1 can be drained: 2 pods moved
              ml/b from n2 to n3 with 2 GPUs
              ml/a from n1 to n2 with 3 GPUs
            """);
        LookRun kept = run(cluster, "repair", "n1", "--keep", "ml/b,ml/c");
        assertThat(kept.code()).isEqualTo(1);
        assertThat(kept.answer())
                .startsWith("n1 cannot be drained:\nml/a has no other place\n")
                .contains("asked 3 whole GPUs");
        assertThat(run(cluster, "repair", "n1", "--keep", "ml/a").answer()).contains("ml/a may not be evicted");
    }

    @Test
    void repair_ofAGpu_movesWhoHoldsItAlone_whereThatIsKnown() {
        String hami = """
                ---
                apiVersion: v1
                kind: Node
                metadata:
                  name: h1
                  annotations:
                    hami.io/node-nvidia-register: '[{"id":"GPU-0","count":10,"devmem":40960,"devcore":100,"type":"NVIDIA-A100","mode":"hami-core","health":true},{"id":"GPU-1","count":10,"devmem":40960,"devcore":100,"type":"NVIDIA-A100","mode":"hami-core","health":true}]'
                status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "20"}}
                """
                + Exports.pod(
                        "holder",
                        "annotations: {hami.io/vgpu-devices-allocated: \"GPU-1,NVIDIA,30000,30:;\"}",
                        "nodeName: h1",
                        "nvidia.com/gpu: \"1\", nvidia.com/gpumem: \"30000\", nvidia.com/gpucores: \"30\"")
                + "status: {phase: Running}\n";
        assertThat(run(hami, "repair", "h1", "--gpu", "0").answer())
                .isEqualTo("GPU 0 of h1 can be drained: it has no pods to move\n");
        assertThat(run(hami, "repair", "h1", "--gpu", "1").answer()).startsWith("""
            GPU 1 of h1 can be drained: 1 pod moved
              ml/holder from h1 to h1 with 30 % and 30000 MiB of GPU 0
            """);
        assertThat(run(hami, "repair", "h1", "--gpu", "2").err()).contains("has no GPU 2 on node h1, which has 2 GPUs");
        assertThat(run(hami, "repair", "h2").err()).contains("node h2: the cluster has no such node");
        assertThat(run(scattered(), "repair", "n1", "--gpu", "1").err())
                .contains("tells of node n1 only how many GPUs a pod holds, not which");
    }
}
