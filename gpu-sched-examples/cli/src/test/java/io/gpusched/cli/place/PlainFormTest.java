package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The library's own form: what it takes, and what it says of contradictions and values out of range. */
class PlainFormTest {
    private static final String CLUSTER = """
            nodes:
              - name: n1
                cpu: 8
                memory: 8Gi
                topology: {zone: z, rack: r}
                gpus: {count: 2, model: A100, memory: 80Gi}
            """;

    private static final String POD = "pod: {name: p, cpu: 1, gpu: {percent: 30}}\n";

    @TempDir
    private Path folder;

    /** What is inside the pod or group stands on the second line. */
    private static int line(String field) {
        return field.contains(".") ? 2 : 1;
    }

    private PlaceRun place(String cluster, String pod) {
        return PlaceRun.of(folder, cluster.replace("\\n", "\n"), pod.replace("\\n", "\n"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            gpu: {exclusive: 1, percent: 30}                     | pod.gpu.percent      | contradicts exclusive
            gpu: {percent: 30, wholeNode: true}                  | pod.gpu.wholeNode    | contradicts percent
            gpu: {exclusive: 1, share: {memory: 1Gi}}            | pod.gpu.share        | contradicts exclusive
            gpu: {share: {memory: 1Gi, memoryPercent: 10}}       | pod.gpu.share.memoryPercent | contradicts memory
            gpu: {models: [A100]}                                | pod.gpu              | must say how much
            gpu: {percent: 0}                                    | pod.gpu.percent      | 1..100, got 0
            gpu: {exclusive: 65}                                 | pod.gpu              | 1..64, got 65
            gpu: {share: {count: 0}}                             | pod.gpu.share        | 1..64, got 0
            gpu: {percent: 3, minMemory: much}                   | pod.gpu.minMemory    | quantity
            gpu: {percent: 3, partition: {profile: 1g.5gb}}      | pod.gpu.partition    | contradicts percent
            gpu: {partition: {count: 2}}                         | pod.gpu.partition.profile | must be there
            gpu: {partition: {profile: 1g.5gb, count: 0}}        | pod.gpu.partition    | 1..255, got 0
            gpu: {percents: 3}                                   | pod.gpu.percents     | unknown; known here are
            cpu: -1                                              | pod.cpu              | from 0
            memory: 4Xi                                          | pod.memory           | got "4Xi"
            memory: 1e40                                         | pod.memory           | must be at most
            containers: [{name: a}, {name: a}]                   | pod                  | two containers have the name "a"
            cpu: 1, containers: [{name: a}]                      | pod.cpu              | goes with its containers
            gpu: {percent: 3}, containers: [{name: a}]           | pod.gpu              | goes with its containers
            containers: [{name: a, init: true, sidecar: true}]   | pod.containers[0].sidecar | contradicts init
            containers: [{name: a, init: perhaps}]               | pod.containers[0].init | true or false
            containers: {name: a}                                | pod.containers       | must be a list
            tolerations: [{key: k, operator: Near}]              | pod.tolerations[0].operator | Exists or Equal
            tolerations: [{key: k, operator: Exists, value: v}]  | pod.tolerations[0].value | does not go with
            tolerations: [{key: k, effect: never}]               | pod.tolerations[0].effect | must be one of
            nodeSelector: [a]                                    | pod.nodeSelector     | must be a mapping
            """)
    void aBadPod_isAnErrorThatNamesLineAndField(String fields, String field, String problem) {
        PlaceRun run = place(CLUSTER, "pod:\\n  {name: p, " + fields + "}\\n");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("p.yaml, line " + line(field) + ", field " + field + ": ", problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            roles: [{name: r, replicas: 2, pod: {name: x, cpu: 1}}]  | group.roles[0].pod.name | named after the group
            roles: [{name: r, minMember: 3, pod: {cpu: 1}}]          | group.roles[0]          | 0..1, got 3
            roles: [{pod: {cpu: 1}}]                                 | group.roles[0].name     | must be there
            roles: []                                                | group                   | number of pods
            minMember: 2, roles: [{name: r, pod: {cpu: 1}}]          | group                   | minMember must be in 1..1, got 2
            locality: {scope: rack}, roles: [{name: r, pod: {}}]     | group.locality.scope    | anywhere, node or domain
            locality: {scope: domain}, roles: [{name: r, pod: {}}]   | group.locality.level    | must be there
            locality: {scope: node, level: rack}, roles: [{name: r, pod: {}}] | group.locality.level | goes with scope domain
            locality: {scope: domain, level: row}, roles: [{name: r, pod: {}}] | group.locality.level | no node has the topology level "row"; the cluster has rack, zone
            """)
    void aBadGroup_isAnErrorThatNamesLineAndField(String fields, String field, String problem) {
        PlaceRun run = place(CLUSTER, "group:\\n  {name: g, " + fields + "}\\n");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("p.yaml, line " + line(field) + ", field " + field + ": ", problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            gpus: {count: 65}                                | nodes[0].gpus.count    | 0..64, got 65
            gpus: {count: 2, uuids: [a]}                     | nodes[0].gpus.uuids    | as many as count, 2, got 1
            gpus: {uuids: [a, a]}                            | nodes[0]               | same uuid "a"
            gpus: {count: 2, unhealthy: [2]}                 | nodes[0].gpus.unhealthy[0] | 0..1, got 2
            gpus: {memory: -1Gi}                             | nodes[0].gpus.memory   | from 0
            gpus: {mig: T4}                                  | nodes[0].gpus.mig      | must be one of
            gpus: {slots: 0}                                 | nodes[0].gpus          | slots
            mode: odd                                        | nodes[0].mode          | must be one of
            taints: [{key: k, effect: odd}]                  | nodes[0].taints[0].effect | must be one of
            taints: [{keys: k}]                              | nodes[0].taints[0].keys | unknown
            topology: [a]                                    | nodes[0].topology      | must be a mapping
            maxPods: -1                                      | nodes[0]               | maxPods
            """)
    void aBadNode_isAnErrorThatNamesLineAndField(String fields, String field, String problem) {
        PlaceRun run = place("nodes:\\n  - {name: n1, " + fields + "}\\n", POD);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("c.yaml, line 2, field " + field + ": ", problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            node: n2                                                   | running[0].node  | must be a node, got "n2"
            node: n1, whole: [2]                                       | running[0]       | 0..1, got 2
            node: n1, whole: [0], shares: [{gpu: 1, percent: 10}]      | running[0].shares | contradicts whole
            node: n1, wholeNode: true, whole: [0]                      | running[0].wholeNode | contradicts whole
            node: n1, shares: [{gpu: 0, percent: 10, memory: 1Gi}]     | running[0].shares[0].memory | contradicts percent
            node: n1, shares: [{gpu: 0, percent: 10, computeMillis: 1}] | running[0].shares[0].computeMillis | contradicts percent
            node: n1, shares: [{gpu: 0, percent: 101}]                 | running[0].shares[0].percent | 1..100, got 101
            node: n1, shares: [{gpu: 2, memory: 1Gi}]                  | running[0].shares[0].gpu | 0..1, got 2
            node: n1, shares: [{percent: 10}]                          | running[0].shares[0].gpu | must be there
            node: n1, partitions: [{gpu: 0, profile: 1g.10gb}], whole: [1] | running[0].partitions | contradicts whole
            node: n1, partitions: [{gpu: 0, profile: 1g.10gb}]         | running[0]       | partition
            node: n1, cpu: 9                                           | running[0]       | 0..8000
            """)
    void aBadRunningPod_isAnErrorThatNamesLineAndField(String fields, String field, String problem) {
        PlaceRun run = place(CLUSTER + "running:\\n  - {name: r, " + fields + "}\\n", POD);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .contains("c.yaml, line 8, field " + field, problem)
                .doesNotContain("Maybe the placement");
    }

    @Test
    void aPodAndAGroup_inOneFile_areAContradiction() {
        assertThat(place(CLUSTER, POD + "group: {name: g}\n").err()).contains("line 2, field group: contradicts pod");
    }

    @Test
    void aSecondDocument_isAnError() {
        assertThat(place(CLUSTER, POD + "---\n" + POD).err()).contains("p.yaml, line 3: at most one document");
        assertThat(place(CLUSTER + "---\n" + CLUSTER, POD).err()).contains("c.yaml, line 8: at most one document");
    }

    @Test
    void aPodThatRunsAlready_isAMessage() {
        PlaceRun run = place(CLUSTER + "running: [{name: p, node: n1}]\n", POD);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("pod \"p\" already runs on node \"n1\"").hasLineCount(1);
    }

    @Test
    void aMemberThatRunsAlready_isAMessage() {
        PlaceRun run = place(
                CLUSTER + "running: [{name: g-r-0, node: n1}]\n",
                "group: {name: g, roles: [{name: r, pod: {cpu: 1}}]}");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("pod \"g-r-0\" already runs");
    }

    @Test
    void whatRunsOnABrokenGpu_isRead_andNothingNewComesThere() {
        String cluster =
                CLUSTER.replace("80Gi}", "80Gi, unhealthy: [0]}") + "running: [{name: r, node: n1, whole: [0]}]\n";
        PlaceRun run = place(cluster, POD);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("GPU 1 (30 %");
    }

    @Test
    void partitions_comeBackAsTheyWereWritten() throws IOException {
        String cluster = CLUSTER.replace("80Gi}", "80Gi, mig: A100_80GB}");
        String running = "running: [{name: r, node: n1, partitions: [{gpu: 0, profile: 3g.40gb, start: 4}]}]\n";
        String pod = "pod: {name: p, gpu: {partition: {profile: 4g.40gb}}}\n";
        JsonNode first = new ObjectMapper()
                .readTree(PlaceRun.of(folder, cluster + running, pod, "--json").out());
        JsonNode held = first.at("/placements/0/containers/0/partitions");
        assertThat(held.toString()).isEqualTo("[{\"gpu\":0,\"profile\":\"4g.40gb\",\"start\":0,\"mode\":\"\"}]");
        String both = running.replace("]}]", "]}, {name: p, node: n1, partitions: " + held + "}]");
        String third = "pod: {name: q, gpu: {partition: {profile: 7g.80gb, count: 2}}}\n";
        PlaceRun full = place(cluster + both, third);
        assertThat(full.code()).isEqualTo(1);
        assertThat(full.out()).contains("7g.80gb");
        assertThat(place(cluster + both, third.replace("count: 2", "count: 1")).out())
                .contains("7g.80gb at 0 of gpu 1");
    }

    @Test
    void uuidsAlone_sayHowManyGpusThereAre() {
        PlaceRun run = place(
                "nodes: [{name: n1, cpu: 8, gpus: {uuids: [x, y]}}]",
                "pod: {name: p, gpu: {exclusive: 1, uuids: [y]}}");
        assertThat(run.out()).contains("whole GPUs [1]");
    }

    @Test
    void sidecars_countFromTheirStartOn() {
        String pod =
                "pod: {name: p, containers: [{name: s, sidecar: true, cpu: 2}, {name: i, init: true, cpu: 3}, {name: c, cpu: 1}]}";
        assertThat(place(CLUSTER, pod).out()).contains("5 cores", "sidecar s: no GPU", "init container i");
    }
}
