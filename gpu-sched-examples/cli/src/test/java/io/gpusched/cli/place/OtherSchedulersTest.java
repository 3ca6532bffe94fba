package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Annotations, labels and kinds of others: each is honoured, refused by name or warned of, and none is passed over in silence. */
class OtherSchedulersTest {
    @TempDir
    private Path folder;

    private PlaceRun place(String metadata, String... options) {
        String pod = PlaceRun.POD.replace("metadata: {name: p}", "metadata: {name: p, " + metadata + "}");
        assertThat(pod).contains(metadata);
        return PlaceRun.of(folder, PlaceRun.NODE, pod, options);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            annotations | gang.scheduling.koordinator.sh/name              | g
            annotations | gang.scheduling.koordinator.sh/min-available     | "3"
            labels      | pod-group.scheduling.sigs.k8s.io/name            | g
            annotations | yunikorn.apache.org/task-groups                  | "[]"
            labels      | kueue.x-k8s.io/pod-group-name                    | g
            annotations | kai.scheduler/topology-required-placement        | rack
            annotations | scheduling.koordinator.sh/gpu-partition-spec     | "{}"
            annotations | scheduling.koordinator.sh/device-allocate-hint   | "{}"
            annotations | hivedscheduler.microsoft.com/pod-scheduling-spec | x
            annotations | tensor-fusion.ai/tflops-request                  | "10"
            annotations | gpu-fraction                                     | "0.5"
            annotations | gpu-memory                                       | "2000"
            """)
    void whatIsRequiredInWordsThatAreNotRead_isRefusedByName_orIgnoredByName(String where, String name, String value) {
        String metadata = where + ": {" + name + ": " + value + "}";
        PlaceRun refused = place(metadata, "--dialect", "device-plugin");
        assertThat(refused.code()).as(refused.out()).isEqualTo(2);
        assertThat(refused.err()).contains("metadata." + where + "." + name, "--ignore");
        PlaceRun ignored = place(metadata, "--dialect", "device-plugin", "--ignore", "metadata." + where + "." + name);
        assertThat(ignored.code()).as(ignored.err()).isZero();
        assertThat(ignored.err()).contains("warning: ", name);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            annotations | kai.scheduler/topology-preferred-placement | rack
            labels      | kueue.x-k8s.io/queue-name                  | q
            labels      | kai.scheduler/queue                        | q
            labels      | gpu-sched.io/queue                         | q
            annotations | scheduling.volcano.sh/queue-name           | q
            annotations | volcano.sh/numa-topology-policy            | best-effort
            """)
    void whatIsPreferred_andQuotas_areWarnedOf(String where, String name, String value) {
        PlaceRun run = place(where + ": {" + name + ": " + value + "}", "--dialect", "device-plugin");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).contains("warning: ", "metadata." + where + "." + name, "not looked at");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sparkoperator.k8s.io/v1beta2 | SparkApplication | {driver: {cores: 1}, executor: {instances: 2}}
            argoproj.io/v1alpha1         | Workflow         | {templates: [{name: a, container: {image: x}}]}
            apps.nvidia.com/v1alpha1     | NIMService       | {replicas: 1}
            """)
    void kindsThatRunPodsAndAreNotRead_areRefused_andNotSaidToRunNothing(String version, String kind, String spec) {
        PlaceRun run = PlaceRun.of(
                folder,
                PlaceRun.NODE,
                PlaceRun.POD + "---\napiVersion: " + version + "\nkind: " + kind + "\nmetadata: {name: x}\nspec: "
                        + spec + "\n");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("kind: " + kind + " is not placed").doesNotContain("runs nothing");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{kind: Pod, spec: {containers: [{name: a}]}}",
                "{kind: Pod, metadata: null, spec: {containers: [{name: a}]}}",
                "{apiVersion: workload.codeflare.dev/v1beta2, kind: AppWrapper, metadata: {name: x},"
                        + " spec: {components: [{template: {kind: Pod}}]}}"
            })
    void aPodWithoutMetadata_isRefusedByName(String pod) {
        PlaceRun run = PlaceRun.of(folder, PlaceRun.NODE, pod);
        assertThat(run.err()).contains("metadata: must be there");
        assertThat(run.code()).isEqualTo(2);
    }
}
