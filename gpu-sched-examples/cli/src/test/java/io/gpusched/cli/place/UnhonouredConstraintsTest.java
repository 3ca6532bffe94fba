package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What constrains a place and is not honoured is an error with the option to go on, or a named warning. */
class UnhonouredConstraintsTest {
    @TempDir
    private Path folder;

    private PlaceRun place(String spec, String... more) {
        return PlaceRun.manifests(folder, PlaceRun.NODE, PlaceRun.POD + spec.replace("\\n", "\n") + "\n", more);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            overhead: {example.com/nic: 1} | example.com/nic
            overhead: {nvidia.com/gpu: 1} | nvidia.com/gpu
            resources: {requests: {hugepages-2Mi: 2Mi}} | hugepages-2Mi
            resources: {limits: {nvidia.com/gpu: 2}} | nvidia.com/gpu
            resourceClaims: [{name: gpu}] | spec.resourceClaims
            schedulingGates: [{name: wait}] | spec.schedulingGates
            volumes: [{name: v, persistentVolumeClaim: {claimName: c}}] | spec.volumes.persistentVolumeClaim
            volumes: [{name: v, ephemeral: {}}] | spec.volumes.ephemeral
            volumes: [{name: v, csi: {driver: d}}] | spec.volumes.csi
            volumes: [{name: v, awsElasticBlockStore: {volumeID: i}}] | spec.volumes.awsElasticBlockStore
            volumes: [{name: v, gcePersistentDisk: {pdName: i}}] | spec.volumes.gcePersistentDisk
            initContainers: [{name: s, resources: {limits: {ephemeral-storage: 1Gi}}}] | ephemeral-storage
            initContainers: [{name: s, resources: {requests: {amd.com/gpu: 1}}}] | amd.com/gpu
            """)
    void whatIsRequired_isAnErrorOnItsLine_andAWarningWhereItIsIgnored(String field, String name) {
        PlaceRun refused = place("  " + field);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("p.yaml, line 7, field ", "--ignore " + name);
        assertThat(refused.out()).isEmpty();
        PlaceRun ignored = place("  " + field, "--ignore", name);
        assertThat(ignored.code()).as(ignored.err()).isZero();
        assertThat(ignored.err()).startsWith("warning: ").contains("p.yaml, line 7", "ignored as you asked");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            runtimeClassName: kata | spec.runtimeClassName
            """)
    void whatIsAWishOnly_isAWarning(String field, String name) {
        PlaceRun run = place("  " + field);
        assertThat(run.code()).isZero();
        assertThat(run.err()).startsWith("warning: ").contains("p.yaml, line 7, field " + name);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            initContainers: [{name: i, ports: [{hostPort: 80}]}]
            volumes: [{name: v, emptyDir: {}}, {name: w, configMap: {name: c}}, {name: x, hostPath: {path: /}}]
            overhead: {cpu: 250m, memory: 100Mi}
            resources: {requests: {cpu: 2, memory: 2Gi}}
            initContainers: [{name: i, resources: {limits: {example.com/nic: 0}}}]
            priorityClassName: high
            """)
    void whatConstrainsNothing_orIsHonoured_isNotMentioned(String field) {
        PlaceRun run = place("  " + field);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
    }

    @Test
    void severalConstraints_areNamedInOneMessage() {
        PlaceRun run = place("  resourceClaims: [{name: gpu}]\n  schedulingGates: [{name: wait}]");
        assertThat(run.err()).contains("line 7", "--ignore spec.resourceClaims --ignore spec.schedulingGates");
    }

    @Test
    void gpusUnderANameThatTheDialectDoesNotServe_areAnError() {
        PlaceRun run = PlaceRun.of(folder, PlaceRun.NODE, PlaceRun.POD, "--dialect", "nano-gpu");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .contains("line 6, field spec.containers[0].resources.limits.nvidia.com/gpu", "not counted");
    }

    @Test
    void gpusThatARunningPodHoldsUnderAnotherName_areSetAside() {
        String running = PlaceRun.NODE + "---\n" + PlaceRun.POD.replace("name: p", "name: r") + "  nodeName: n1\n";
        PlaceRun run = PlaceRun.of(
                folder,
                running,
                PlaceRun.POD.replace("nvidia.com/gpu", "nano-gpu/gpu-percent"),
                "--dialect",
                "nano-gpu");
        assertThat(run.err()).contains("1 pod on 1 node holds nvidia.com/gpu, which is not read here");
    }

    @Test
    void whatARunningPodHoldsOfOtherResources_concernsNobodyWhoAsksForNone() {
        String running = PlaceRun.NODE + "---\n"
                + PlaceRun.POD.replace("name: p", "name: r").replace("cpu: 1", "example.com/nic: 1")
                + "  nodeName: n1\n";
        PlaceRun run = PlaceRun.manifests(folder, running, PlaceRun.POD);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).isEmpty();
    }

    @Test
    void fieldsThatKubernetesDoesNotHave_areWarningsWithTheirLine() {
        PlaceRun run = place("  nodeSelektor: {a: b}\n  containers2: 1");
        assertThat(run.code()).isZero();
        assertThat(run.err().lines()).hasSize(2).allMatch(line -> line.contains("unknown to Kubernetes"));
        assertThat(run.err()).contains("line 7, field spec.nodeSelektor", "line 8, field spec.containers2");
    }

    @Test
    void warnings_areToldBesideAnErrorToo() {
        PlaceRun run = place("  nodeSelektor: {a: b}\n  resourceClaims: [{name: gpu}]");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("warning: ", "spec.nodeSelektor", "gpu-sched place: ", "spec.resourceClaims");
    }

    @Test
    void somethingIgnoredThatIsNotThere_isAWarning() {
        assertThat(place("", "--ignore", "spec.volumes").err())
                .isEqualToIgnoringNewLines("warning: option --ignore spec.volumes: nothing of this name was met");
    }
}
