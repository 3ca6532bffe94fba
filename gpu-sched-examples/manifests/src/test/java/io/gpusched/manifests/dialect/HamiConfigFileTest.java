package io.gpusched.manifests.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.model.Node;
import io.gpusched.workload.GpuRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HamiConfigFileTest {
    @TempDir
    Path folder;

    private HamiDialect read(String text) throws IOException {
        return HamiConfigFile.read(Files.writeString(folder.resolve("config.yaml"), text))
                .dialect();
    }

    private static GpuRequest asked(HamiDialect hami, Map<String, String> limits) {
        return hami.pod(PodManifest.of("p", List.of(ContainerManifest.limits("main", limits))))
                .containers()
                .get(0)
                .gpu();
    }

    @Test
    void sections_renameResources_andChangeUnits() throws IOException {
        HamiDialect hami = read("""
                nvidia: {resourceCountName: example.com/gpu, resourceMemoryName: nvidia.com/gpumem, memoryFactor: 1024, deviceSplitCount: 10}
                hygon: {resourceCountName: example.com/dcu, resourceMemoryName: hygon.com/dcumem, resourceCoreName: hygon.com/dcucores, memoryFactor: 2}
                mthreads: {resourceCountName: mthreads.com/vgpu, resourceCoreName: example.com/core, resourceMemoryName: example.com/memory}
                amd: {resourceCountName: amd.com/gpu}
                """);
        assertThat(hami.resources())
                .contains(
                        "example.com/gpu",
                        "example.com/dcu",
                        "hygon.com/dcumem",
                        "mthreads.com/vgpu",
                        "example.com/core")
                .doesNotContain("nvidia.com/gpu", "hygon.com/dcunum", "mthreads.com/sgpu-core", "amd.com/gpu");
        assertThat(asked(hami, Map.of("example.com/dcu", "1", "hygon.com/dcumem", "100", "hygon.com/dcucores", "5"))
                        .toString())
                .contains("200 MiB");
        assertThat(asked(hami, Map.of("example.com/gpu", "1", "nvidia.com/gpumem", "2"))
                        .toString())
                .contains("2048 MiB");
        Node node = hami.node(
                NodeManifest.of("n", Map.of(), Map.of("example.com/core", "32", "example.com/memory", "192")));
        assertThat(node.gpus()).hasSize(2).allMatch(gpu -> gpu.memoryMib() == 49_152);
    }

    @Test
    void chips_replaceTheDefaults_withTemplatesOfTheirOwn() throws IOException {
        HamiDialect hami = read("""
                vnpus:
                  hamiVnpuCore: true
                  configs:
                  - chipName: 910X
                    commonWord: Ascend910X
                    resourceName: huawei.com/Ascend910X
                    resourceMemoryName: huawei.com/Ascend910X-memory
                    memoryAllocatable: 1000
                    memoryCapacity: 1200
                    memoryFactor: 0
                    aiCore: 10
                    templates:
                    - {name: big, memory: 500, aiCore: 5}
                    - {name: small, memory: 250, aiCore: 2}
                iluvatars:
                - {chipName: X, commonWord: X1, resourceCountName: iluvatar.ai/x, resourceMemoryName: iluvatar.ai/x.mem, resourceCoreName: iluvatar.ai/x.core}
                """);
        assertThat(hami.resources())
                .contains("huawei.com/Ascend910X", "iluvatar.ai/x")
                .doesNotContain("huawei.com/Ascend910B3", "iluvatar.ai/MR-V100-vgpu");
        String count = "huawei.com/Ascend910X";
        assertThat(asked(hami, Map.of(count, "1", count + "-memory", "251"))).isEqualTo(GpuRequest.partition("big", 1));
        assertThat(asked(hami, Map.of(count, "1", count + "-memory", "200")))
                .isEqualTo(GpuRequest.partition("small", 1));
        assertThatThrownBy(() -> asked(hami, Map.of(count, "1", count + "-memory", "1201")))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("0..1200, got 1201");
    }

    @Test
    void olderFiles_haveTheListOfChipsItself() throws IOException {
        HamiDialect hami = read("""
                vnpus:
                - {commonWord: Ascend310P, resourceName: huawei.com/Ascend310P, resourceMemoryName: huawei.com/Ascend310P-memory, memoryAllocatable: 21527}
                """);
        assertThat(hami.resources()).contains("huawei.com/Ascend310P").doesNotContain("huawei.com/Ascend910A");
    }

    @Test
    void aConfigMap_holdsTheFile() throws IOException {
        HamiDialect hami = read("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: hami-scheduler-device}
                data:
                  device-config.yaml: |-
                    kunlun:
                      resourceCountName: example.com/xpu
                """);
        assertThat(hami.resources()).contains("example.com/xpu").doesNotContain("kunlunxin.com/xpu");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            hygon: {memoryfactor: 2}                        | field hygon.memoryfactor: unknown; known here are memoryFactor
            intel: {}                                       | field intel: unknown
            hygon: {memoryFactor: -1}                       | field hygon.memoryFactor: must be 0 or more, got -1
            nvidia: {resourceCountName: a/b, defaultCores: 101} | field nvidia
            nvidia: {defaultCores: 10}                      | field nvidia.resourceCountName: must be there
            nvidia: {}                                      | must have a section that is not empty
            hygon: {resourceMemoryName: a/b}                | field hygon.resourceCountName: must be there
            mthreads: {resourceCountName: a/b}              | field mthreads.resourceMemoryName: must be there
            iluvatars: [{commonWord: A, resourceCountName: a/b, resourceMemoryName: a/c}] | field iluvatars[0].resourceCoreName: must be there
            awsneuron: {resourceCountName: a/b, resourceCoreName: ""} | field awsneuron.resourceCoreName: must not be empty
            amd: {resourceCountName: a/b}                   | field amd.resourceCountName: must be amd.com/gpu, got "a/b"
            vnpus: [{commonWord: A, resourceName: a/b, resourceMemoryName: a/c, memoryAllocatable: 9, memoryFactor: 2}] | field vnpus[0].memoryFactor: must be 0 or 1
            metax: {sgpuTopologyAware: true}                | field metax.sgpuTopologyAware: must be false
            hygon: {resourceCountName: enflame.com/drs-gcu} | "enflame.com/drs-gcu" belongs to
            vnpus: [{commonWord: A, resourceName: a/b}]     | field vnpus[0].memoryAllocatable: must be there
            vnpus: [{commonWord: A, resourceName: a/b, resourceMemoryName: a/c, memoryAllocatable: 0}] | allocatableMib must be in 1..2147483647, got 0
            cambricon: [x]                                  | field cambricon: must be a mapping
            """)
    void badFields_areErrorsThatNameThem(String text, String message) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(InputException.class).hasMessageContaining(message.trim());
    }

    @Test
    void vendorsAndResourcesWithoutAName_cannotBeAskedFor() throws IOException {
        HamiDialect hami = read("""
                nvidia: {resourceCountName: nvidia.com/gpu, resourceCoreName: nvidia.com/gpucores, disableCoreLimit: true}
                hygon: {}
                metax: {resourceVCountName: metax-tech.com/sgpu}
                """);
        assertThat(hami.resources())
                .containsExactlyInAnyOrder(
                        "nvidia.com/gpu",
                        "nvidia.com/gpucores",
                        "metax-tech.com/sgpu",
                        "enflame.com/drs-gcu",
                        "enflame.com/gcu-memory",
                        "enflame.com/gcu-core");
        assertThat(asked(hami, Map.of("nvidia.com/gpu", "1", "nvidia.com/gpumem", "10")))
                .isEqualTo(asked(hami, Map.of("nvidia.com/gpu", "1")));
    }

    @Test
    void coresAlone_getTheGpusThatTheFileStates_noneByDefault() throws IOException {
        String names = "nvidia: {resourceCountName: nvidia.com/gpu, resourceCoreName: nvidia.com/gpucores";
        Map<String, String> cores = Map.of("nvidia.com/gpucores", "10");
        assertThat(asked(read(names + "}"), cores)).isEqualTo(GpuRequest.none());
        assertThat(asked(read(names + ", defaultGPUNum: 0}"), cores)).isEqualTo(GpuRequest.none());
        assertThat(asked(read(names + ", defaultGPUNum: 2}"), cores).count()).isEqualTo(2);
    }

    @Test
    void anOlderNameOfSlices_isTakenWhereTheNewerIsMissing() throws IOException {
        assertThat(read("enflame: {resourceNameVGCU: example.com/vgcu}").resources())
                .contains("example.com/vgcu", "enflame.com/gcu-memory")
                .doesNotContain("enflame.com/drs-gcu", "enflame.com/gcu");
    }

    @Test
    void aboveTheTemplates_theCapacityIsTheMost_andWithoutOneTheLargestTemplate() throws IOException {
        HamiDialect hami = read("""
                vnpus:
                  configs:
                  - {commonWord: A, resourceName: a/b, resourceMemoryName: a/m, memoryAllocatable: 1000, templates: [{name: t, memory: 500}]}
                """);
        assertThat(asked(hami, Map.of("a/b", "1", "a/m", "500"))).isEqualTo(GpuRequest.partition("t", 1));
        assertThatThrownBy(() -> asked(hami, Map.of("a/b", "1", "a/m", "501")))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("0..500, got 501");
    }

    @Test
    void devicesOfUnsupportedVendors_areNotTakenForCountedResources() {
        assertThat(List.of("amd.com/gpu", "vastaitech.com/va", "birentech.com/gpu"))
                .allMatch(Dialects::isDevice);
    }

    @Test
    void theNameOfThePriority_isServed() throws IOException {
        Path file = Files.writeString(
                folder.resolve("p.yaml"),
                "nvidia: {resourceCountName: nvidia.com/gpu, resourcePriorityName: example.com/priority}");
        assertThat(Dialects.find("hami:" + file).orElseThrow().resources())
                .contains("example.com/priority")
                .doesNotContain("nvidia.com/priority");
    }

    @Test
    void aDialectByName_readsTheFile() throws IOException {
        Path file = Files.writeString(folder.resolve("c.yaml"), "kunlun: {resourceCountName: example.com/xpu}");
        NamedDialect hami = Dialects.find("hami:" + file).orElseThrow();
        assertThat(hami.resources()).contains("example.com/xpu");
        assertThatThrownBy(() -> Dialects.find("hami:" + folder.resolve("none.yaml")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("no such file");
    }
}
