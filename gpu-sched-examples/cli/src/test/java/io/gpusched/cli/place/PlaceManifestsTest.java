package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects of Kubernetes: which are read, how, and what is said of those that are not. */
class PlaceManifestsTest {
    @TempDir
    private Path folder;

    private static final String TEMPLATE =
            "  template: {spec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: 1}}}]}}\n";

    private PlaceRun place(String cluster, String pod, String... more) {
        return PlaceRun.manifests(folder, cluster, pod, more);
    }

    private static String running(String name) {
        return PlaceRun.NODE + "---\n" + PlaceRun.POD.replace("name: p", "name: " + name) + "  nodeName: n1\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"Deployment", "ReplicaSet", "StatefulSet", "ReplicationController"})
    void aController_isReadByItsTemplate(String kind) {
        String owner = "kind: " + kind + "\nmetadata: {name: web, namespace: demo}\nspec:\n  replicas: 2\n" + TEMPLATE;
        PlaceRun run = place(PlaceRun.NODE, owner);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("placed pod \"demo/web-0\"", "placed pod \"demo/web-1\"", "GPUs [0]", "GPUs [1]");
    }

    @Test
    void aJob_hasAsManyPodsAsRunAtOnce() {
        String job = "kind: Job\nmetadata: {name: train}\nspec:\n  parallelism: 3\n  completions: 2\n" + TEMPLATE;
        assertThat(place(PlaceRun.NODE, job).out())
                .contains("\"train-0\"", "\"train-1\"")
                .doesNotContain("train-2");
    }

    @Test
    void aCronJob_isReadByTheTemplateOfItsJob() {
        String job = "kind: CronJob\nmetadata: {name: night}\nspec: {jobTemplate: {spec: {\n" + TEMPLATE + "}}}\n";
        assertThat(place(PlaceRun.NODE, job).out()).contains("placed pod \"night-0\"");
    }

    @Test
    void aController_isOnePodWhereItSaysNothing_andNoneIsAnError() {
        String one = "kind: Deployment\nmetadata: {name: web}\nspec:\n" + TEMPLATE;
        assertThat(place(PlaceRun.NODE, one).out()).contains("web-0").doesNotContain("web-1");
        PlaceRun none = place(PlaceRun.NODE, one.replace("spec:\n", "spec:\n  replicas: 0\n"));
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("line 4, field spec.replicas: is 0", "at least one pod");
    }

    @Test
    void whatAController_asksButIsNotHonoured_isNamedInItsTemplate() {
        String set = "kind: StatefulSet\nmetadata: {name: db}\nspec:\n  volumeClaimTemplates: [{metadata: {name: v}}]\n"
                + TEMPLATE;
        assertThat(place(PlaceRun.NODE, set).err()).contains("line 4", "--ignore spec.volumeClaimTemplates");
        assertThat(place(PlaceRun.NODE, set, "--ignore", "spec.volumeClaimTemplates")
                        .code())
                .isZero();
        String job = "kind: Job\nmetadata: {name: j}\nspec:\n  suspend: true\n" + TEMPLATE;
        assertThat(place(PlaceRun.NODE, job).err()).contains("line 4, field spec.suspend", "starts no pods");
        String spread = "kind: Deployment\nmetadata: {name: d}\nspec:\n"
                + TEMPLATE.replace("{containers", "{schedulingGates: [{name: g}], containers");
        assertThat(place(PlaceRun.NODE, spread).err())
                .contains("line 4, field spec.template.spec.schedulingGates", "--ignore spec.schedulingGates");
    }

    @ParameterizedTest
    @CsvSource({"replicas: -1, spec.replicas", "replicas: many, spec.replicas", "replicas: 2000000, spec.replicas"})
    void aBadNumberOfReplicas_isAnErrorThatNamesIt(String replicas, String field) {
        PlaceRun run =
                place(PlaceRun.NODE, "kind: Deployment\nmetadata: {name: d}\nspec:\n  " + replicas + "\n" + TEMPLATE);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("line 4, field " + field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"DaemonSet", "Node", "Machine"})
    void otherKinds_areRefusedByName_orIgnoredByName(String kind) {
        String pod = PlaceRun.POD + "---\nkind: " + kind + "\nmetadata: {name: x}\nspec: {}\n";
        PlaceRun refused = place(PlaceRun.NODE, pod);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains("p.yaml, line 8, field kind: " + kind + " is not placed", "--ignore " + kind);
        PlaceRun ignored = place(PlaceRun.NODE, pod, "--ignore", kind);
        assertThat(ignored.code()).isZero();
        assertThat(ignored.err()).contains("warning: ", kind);
    }

    @Test
    void otherKindsInACluster_areThere_asInAnExport() {
        String deployment = "---\nkind: Deployment\nmetadata: {name: d}\nspec: {replicas: 3}\n";
        assertThat(place(PlaceRun.NODE + deployment, PlaceRun.POD).code()).isZero();
        assertThat(place(PlaceRun.NODE + "---\nkind: Deployment\n", PlaceRun.POD)
                        .err())
                .contains("c.yaml, line 5, field metadata: must be there");
    }

    @Test
    void kindsThatRunNothing_areSkippedWithOneLine() {
        String release = """
                kind: Service
                metadata: {name: s}
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: c}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: r}
                ---
                apiVersion: monitoring.coreos.com/v1
                kind: ServiceMonitor
                metadata: {name: m}
                spec: {endpoints: [{port: web}]}
                ---
                kind: Service
                metadata: {name: t}
                ---
                """;
        PlaceRun run = place(PlaceRun.NODE, release + PlaceRun.POD);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err().lines())
                .satisfiesExactly(pods -> assertThat(pods)
                        .endsWith("p.yaml: 5 objects run nothing and are skipped:"
                                + " ConfigMap, RoleBinding, Service, ServiceMonitor"));
    }

    @Test
    void aKindOfAnotherApi_thatLooksLikeAWorkload_isRefused() {
        String train = "apiVersion: example.com/v1\nkind: Train\nmetadata: {name: t}\nspec: {workers: {replicas: 2}}\n";
        PlaceRun run = place(PlaceRun.NODE, train + "---\n" + PlaceRun.POD);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("Train is not placed", "--ignore Train");
    }

    @Test
    void aGeneratedName_isAName() {
        String pod = PlaceRun.POD.replace("{name: p}", "{generateName: run-}");
        String job = "kind: Job\nmetadata: {generateName: train-}\nspec:\n" + TEMPLATE.replace("gpu: 1", "gpu: 0");
        PlaceRun run = place(PlaceRun.NODE, pod + "---\n" + pod + "---\n" + job);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("placed pod \"run-0\"", "placed pod \"run-1\"", "placed pod \"train-0-0\"");
    }

    @Test
    void manyPods_areSummedUp_andEqualRefusalsSaidOnce() {
        String many = "kind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 40\n" + TEMPLATE;
        PlaceRun run = place(PlaceRun.NODE.replace("pods: 10", "pods: 100"), many);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).startsWith("2 of 40 placed; 38 wait for 1 whole GPU\n");
        assertThat(run.out().lines().filter(line -> line.startsWith("not placed: ")))
                .containsExactly("not placed: pod \"web-2\" and 37 more: no room now on any of 1 node");
    }

    @Test
    void memoryWithoutAUnit_isWarnedOf() {
        PlaceRun run = place(PlaceRun.NODE, PlaceRun.POD.replace("cpu: 1", "cpu: 1, memory: 8"));
        assertThat(run.code()).isZero();
        assertThat(run.err())
                .contains(
                        "p.yaml, line 6, field spec.containers[0].resources.limits.memory: is 8 bytes. Maybe 8Gi is meant");
        assertThat(place(PlaceRun.NODE, PlaceRun.POD.replace("cpu: 1", "cpu: 1, memory: 8Mi"))
                        .err())
                .isEmpty();
    }

    @Test
    void gpusWithoutMemory_areWarnedOf_whereMemoryIsAsked() {
        String nodes = "nodes: [{name: n1, cpu: 8, memory: 8Gi, gpus: {count: 2, model: A100}}]\n";
        assertThat(PlaceRun.of(folder, nodes, "pod: {name: p, gpu: {percent: 30}}\n")
                        .err())
                .contains("GPUs of 1 node, such as n1, have no memory");
        assertThat(PlaceRun.of(folder, nodes, "pod: {name: p, gpu: {exclusive: 1}}\n")
                        .err())
                .isEmpty();
    }

    @Test
    void equalWarnings_areOneLineWithACount() {
        String odd = PlaceRun.NODE.replace("status: {", "spec: {paint: red}\nstatus: {");
        String cluster = odd + "---\n" + odd.replace("n1", "n2") + "---\n" + odd.replace("n1", "n3");
        PlaceRun run = place(cluster, PlaceRun.POD);
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .endsWith(
                        "c.yaml, line 3, field spec.paint: unknown to Kubernetes, not looked at (and 2 more like it)");
    }

    @Test
    void fieldsThatKubernetesKnows_areNotWarnedOf() {
        String node =
                PlaceRun.NODE.replace("status: {", "status: {daemonEndpoints: {kubeletEndpoint: {Port: 10250}}, ");
        assertThat(place(node, PlaceRun.POD).err()).isEmpty();
    }

    @Test
    void lists_areTakenApart() {
        String list = "kind: List\nitems:\n- " + PlaceRun.NODE.strip().replace("\n", "\n  ") + "\n";
        assertThat(place(list, PlaceRun.POD).code()).isZero();
        assertThat(place("kind: List\nitems: []\n", PlaceRun.POD).err()).contains("at least one object must be a Node");
    }

    @Test
    void aPodThatRunsAlready_isAMessage() {
        PlaceRun run = place(running("p"), PlaceRun.POD);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .contains("p.yaml", "pod \"p\" already runs on node \"n1\"")
                .doesNotContain("\tat ");
    }

    @Test
    void aPodWithANode_andOneThatHasEnded_areMessages() {
        assertThat(place(PlaceRun.NODE, PlaceRun.POD + "  nodeName: n1\n").err())
                .contains("line 7, field spec.nodeName", "already has its node, \"n1\"");
        assertThat(place(PlaceRun.NODE, PlaceRun.POD + "status: {phase: Succeeded}\n")
                        .err())
                .contains("line 7, field status.phase", "has ended");
    }

    @Test
    void twoPodsOfOneName_areAMessage() {
        assertThat(place(PlaceRun.NODE, PlaceRun.POD + "---\n" + PlaceRun.POD).err())
                .contains("line 8", "\"p\" occurs twice");
        String again = running("r").substring(PlaceRun.NODE.length() + 4).replace("gpu: 1", "gpu: 2");
        PlaceRun run = place(running("r") + "---\n" + again, PlaceRun.POD);
        assertThat(run.err())
                .contains("Pod r stands there twice and differs, the later one is taken", "line 5", "line 13");
        assertThat(run.code()).isEqualTo(1);
    }

    @Test
    void aRunningPodOnANodeThatIsNotThere_isAMessage() {
        assertThat(place(running("r").replace("nodeName: n1", "nodeName: n2"), PlaceRun.POD)
                        .err())
                .contains("1 pod is on a node that is not among the objects (n2) and not looked at: default/r");
    }

    @Test
    void aRunningPodThatHoldsMoreGpusThanThereAre_leavesNoneAndIsNamed() {
        PlaceRun run = place(running("r").replace("gpu: 1", "gpu: 3"), PlaceRun.POD);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .contains("Pod default/r: the GPUs that it holds are not free; of node \"n1\" 2 of the GPUs");
    }

    @Test
    void aRunningPodThatItsDialectRefuses_isAWarning() {
        assertThat(place(running("r").replace("gpu: 1}", "gpu: 1.5}"), PlaceRun.POD)
                        .err())
                .contains(
                        "Pod default/r: container \"main\", resource nvidia.com/gpu: must be a whole number, got 1.5");
    }

    @Test
    void aNodeWithTooLittleCpuForWhatRuns_isFullAndNamed() {
        PlaceRun run = place(running("r").replace("cpu: 1", "cpu: 9"), PlaceRun.POD);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("too few free cores: at most 0 on one node");
        assertThat(run.err())
                .contains("warning: 1 node has too little CPU, memory or another resource for what runs there", ": n1");
    }

    @Test
    void aNodeWithMorePodsThanItTakes_isFull() {
        PlaceRun run = place(running("r").replace("pods: 10", "pods: 0"), PlaceRun.POD);
        assertThat(run.code()).as(run.err()).isEqualTo(1);
        assertThat(run.out()).contains("as many as the nodes take");
    }

    @Test
    void whatRunsOnACordonedNode_staysThere_andNothingNewComes() {
        String cordoned = running("r").replace("status:", "spec: {unschedulable: true}\nstatus:");
        assertThat(place(cordoned, PlaceRun.POD).out()).contains("node.kubernetes.io/unschedulable");
        PlaceRun tolerant = place(
                cordoned,
                PlaceRun.POD + "  tolerations: [{key: node.kubernetes.io/unschedulable, operator: Exists}]\n");
        assertThat(tolerant.out()).contains("placed pod \"p\"", "GPUs [1]");
    }

    @Test
    void podsThatWaitForANode_areNamed() {
        PlaceRun run = place(PlaceRun.NODE + "---\n" + PlaceRun.POD.replace("name: p", "name: q"), PlaceRun.POD);
        assertThat(run.code()).isZero();
        assertThat(run.err()).contains("warning: 1 pod of the cluster has no node and is not placed first: q");
    }

    @Test
    void theDialectsWords_areNotSaidOfANodeThatRefusesForAnotherReason() {
        PlaceRun run = place(running("r").replace("gpu: 1", "gpu: 2"), PlaceRun.POD + "  nodeSelector: {zone: b}\n");
        assertThat(run.out()).contains("node selector does not match").doesNotContain("Insufficient");
        PlaceRun full = place(running("r").replace("gpu: 1", "gpu: 2"), PlaceRun.POD);
        assertThat(full.out()).contains("n1: Insufficient nvidia.com/gpu");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            nodeSelector: {zone: 1}                                     | line 7, field spec.nodeSelector.zone      | must be a text, got 1. Maybe put it in quotes
            nodeSelector: [a]                                           | line 7, field spec.nodeSelector           | must be a mapping, got a list
            priority: high                                              | line 7, field spec.priority               | whole number
            hostNetwork: perhaps                                        | line 7, field spec.hostNetwork            | true or false
            overhead: {cpu: much}                                       | line 7, field spec.overhead.cpu           | must be a number
            tolerations: [{key: k, operator: Near}]                     | line 7, field spec.tolerations[0].operator | Exists or Equal
            tolerations: [{operator: Exists, effect: Never}]            | line 7, field spec.tolerations[0].effect  | got "Never"
            affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In}]}]}}} | line 7, field spec.affinity | number of values
            """)
    void aBadValue_isAnErrorThatNamesLineAndField(String field, String where, String problem) {
        PlaceRun run = place(PlaceRun.NODE, PlaceRun.POD + "  " + field + "\n");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains(where, problem);
    }

    @Test
    void missingNamesAndContainers_areErrors() {
        assertThat(place(PlaceRun.NODE, PlaceRun.POD.replace("{name: p}", "{}")).err())
                .contains("metadata.name must be there");
        assertThat(place(PlaceRun.NODE, "kind: Pod\nmetadata: {name: p}\nspec: {containers: []}\n")
                        .err())
                .contains("line 3, field spec.containers: must hold at least one");
        assertThat(place(PlaceRun.NODE, "kind: Pod\nmetadata: {name: p}\n").err())
                .contains("spec must be there");
        assertThat(place(PlaceRun.NODE, "metadata: {name: p}\nkind: 7\n---\nmetadata: {}\n")
                        .err())
                .contains("line 4, field kind: must be there");
    }

    @Test
    void sidecarsAndOverhead_countBesideTheContainers() {
        String spec =
                "  initContainers: [{name: s, restartPolicy: Always, resources: {requests: {cpu: 2}}}]\n  overhead: {cpu: 500m}\n";
        assertThat(place(PlaceRun.NODE, PlaceRun.POD + spec).out()).contains("3.5 cores");
    }
}
