package io.gpusched.dialect.hami.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Unschedulable;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kunlun's vxpu, MetaX's sGPU, Enflame's DRS and AWS Neuron: which devices go together, and what their plugins read. */
class VendorTopologyTest {
    private static VendorFixture json(String annotation, Object registered) {
        return VendorFixture.of(
                VendorFixture.dialect().withJson(text -> registered),
                VendorFixture.manifest(Map.of(), Map.of(annotation, "[json]"), Map.of()));
    }

    private static PodManifest pod(String id, Map<String, String> limits) {
        return VendorFixture.pod(id, Map.of(), List.of(limits));
    }

    private static VendorFixture vxpu() {
        List<Map<String, Object>> boards = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            boards.add(Map.of(
                    "id",
                    "xpu-" + i,
                    "index",
                    i,
                    "count",
                    4,
                    "devmem",
                    98_304,
                    "devcore",
                    100,
                    "type",
                    "XPU",
                    "health",
                    true));
        }
        return json("hami.io/node-register-xpu", boards);
    }

    private static Map<String, String> vxpu(String count, String memory) {
        return Map.of("kunlunxin.com/vxpu", count, "kunlunxin.com/vxpu-memory", memory);
    }

    @Test
    void vxpu_roundsMemoryUp_andSharesADeviceAmongEqualParts() {
        VendorFixture node = vxpu();
        assertThat(node.written(pod("a", vxpu("1", "20000"))))
                .containsEntry("hami.io/xpu-devices-allocated", "xpu-0,XPU,24576,25:;");
        assertThat(node.place("b", vxpu("8", "24576"))).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(node.fits(vxpu("1", "24577"))).isFalse();
        assertThat(node.fits(vxpu("1", "24576"))).isTrue();
        node.remove("b");
        assertThat(node.place("c", vxpu("2", "49152"))).containsExactly(1, 2);
        assertThat(node.place("d", vxpu("4", "98304"))).containsExactly(4, 5, 6, 7);
        assertThat(node.fits(vxpu("2", "98304"))).isFalse();
    }

    private static Map<String, Object> sgpu(String uuid, String policy, int zone) {
        return Map.of(
                "uuid",
                uuid,
                "model",
                "MXC500",
                "totalDevCount",
                16,
                "totalCompute",
                100,
                "totalVRam",
                65_536,
                "healthy",
                true,
                "qosPolicy",
                policy,
                "linkZone",
                zone);
    }

    private static VendorFixture sgpus() {
        return json(
                "metax-tech.com/node-gpu-devices",
                List.of(
                        sgpu("m0", "best-effort", 1),
                        sgpu("m1", "", 1),
                        sgpu("m2", "", 1),
                        sgpu("m3", "fixed-share", 2),
                        sgpu("m4", "", 2)));
    }

    private static Map<String, String> sgpu(String count, String memory, String cores) {
        return Map.of("metax-tech.com/sgpu", count, "metax-tech.com/vmemory", memory, "metax-tech.com/vcore", cores);
    }

    @Test
    void sgpu_countsMemoryInGib_orWithAUnit() {
        assertThat(sgpus().written(pod("a", sgpu("1", "4", "20"))))
                .containsEntry("hami.io/metax-sgpu-devices-allocated", "m4,Metax-SGPU,4096,20:;")
                .containsEntry(
                        "metax-tech.com/gpu-devices-allocated", "[[{\"uuid\":\"m4\",\"compute\":20,\"vRam\":4096}]]");
        assertThat(sgpus().written(pod("a", sgpu("1", "512Mi", "20"))))
                .containsEntry("hami.io/metax-sgpu-devices-allocated", "m4,Metax-SGPU,512,20:;");
    }

    @Test
    void sgpu_wholeDevicesComeFromTheTightestLinkZone() {
        VendorFixture node = sgpus();
        assertThat(node.place("a", Map.of("metax-tech.com/sgpu", "2"))).containsExactly(3, 4);
        assertThat(node.place("b", Map.of("metax-tech.com/sgpu", "3"))).containsExactly(0, 1, 2);
    }

    private static VendorFixture drs() {
        return json(
                "enflame.com/gcu-drs-capacity",
                Map.of(
                        "devices",
                        List.of(
                                Map.of("index", "0", "minor", "4", "capacity", 6),
                                Map.of("index", "1", "minor", "5", "capacity", "6")),
                        "profiles",
                        Map.of("1g.6gb", "0", "3g.20gb", "1", "6g.40gb", "2")));
    }

    @Test
    void drs_takesTheProfileWithSoManySlices() {
        VendorFixture node = drs();
        assertThat(node.written(pod("a", Map.of("enflame.com/drs-gcu", "3"))))
                .containsEntry("hami.io/enflame-vgpu-devices-allocated", "n1-enflame-drs-1,Enflame,20480,50:;")
                .containsEntry(
                        "assigned-containers",
                        "{\"c0\":{\"allocated\":false,\"request\":3,\"profileID\":\"1\",\"profileName\":\"3g.20gb\"}}")
                .containsEntry("enflame.com/gcu-assigned", "false")
                .containsEntry("enflame.com/gcu-assigned-index", "1")
                .containsEntry("enflame.com/gcu-assigned-minor", "5")
                .containsEntry("enflame.com/gcu-request-size", "3");
        assertThat(node.place("b", Map.of("enflame.com/drs-gcu", "6"))).containsExactly(0);
        assertThat(node.place("c", Map.of("enflame.com/drs-gcu", "3"))).containsExactly(1);
        assertThat(node.fits(Map.of("enflame.com/drs-gcu", "1"))).isFalse();
        assertThat(node.fits(Map.of("enflame.com/drs-gcu", "2"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "6, '', 6144",
        "7, '', 20480",
        "'', 17, 6144",
        "'', 18, 20480",
        "6, 51, 40960",
        "20481, '', 40960",
        "20480, '', 20480"
    })
    void drs_takesTheSmallestProfileThatServes(String memory, String cores, long mib) {
        Map<String, String> limits = new LinkedHashMap<>();
        if (!memory.isEmpty()) {
            limits.put("enflame.com/gcu-memory", memory);
        }
        if (!cores.isEmpty()) {
            limits.put("enflame.com/gcu-core", cores);
        }
        assertThat(drs().written(pod("a", limits)).get("hami.io/enflame-vgpu-devices-allocated"))
                .contains(",Enflame," + mib + ",");
    }

    private static VendorFixture neuron(String type) {
        return VendorFixture.of(
                VendorFixture.dialect(),
                VendorFixture.manifest(
                        Map.of("node.kubernetes.io/instance-type", type),
                        Map.of(),
                        Map.of("aws.amazon.com/neuron", "16", "aws.amazon.com/neuroncore", "32")));
    }

    @Test
    void neuron_aCoreIsAGpu_andGrantsNameDevicesWithAMask() {
        VendorFixture node = neuron("trn1.32xlarge");
        assertThat(node.node().gpus())
                .hasSize(32)
                .extracting(Gpu::model)
                .containsOnly(GpuModel.of("awsneuron", "AWSNeuron", 0));
        assertThat(node.written(pod("a", Map.of("aws.amazon.com/neuroncore", "1"))))
                .containsEntry("hami.io/aws-neuron-devices-allocated", "n1-AWSNeuron-15,AWSNeuron,0,1:;")
                .containsEntry("AWS_NEURON_IDS", "30")
                .containsEntry("NEURON_RESOURCE_TYPE", "aws.amazon.com/neuroncore")
                .containsEntry("NEURON_ALLOCATED", "false");
        assertThat(node.written(pod("b", Map.of("aws.amazon.com/neuroncore", "1"))))
                .containsEntry("hami.io/aws-neuron-devices-allocated", "n1-AWSNeuron-15,AWSNeuron,0,2:;");
        assertThat(node.written(pod("c", Map.of("aws.amazon.com/neuron", "4"))))
                .containsEntry("AWS_NEURON_IDS", "0,1,2,3")
                .doesNotContainKey("NEURON_RESOURCE_TYPE");
        assertThat(node.written(pod("d", Map.of("aws.amazon.com/neuron", "1"))))
                .containsEntry("hami.io/aws-neuron-devices-allocated", "n1-AWSNeuron-14,AWSNeuron,0,3:;");
    }

    @Test
    void neuron_runsAreAligned_butOnRingsAnyRun() {
        VendorFixture trainium = neuron("trn1.32xlarge");
        assertThat(trainium.decide(pod("a", Map.of("aws.amazon.com/neuron", "2"))))
                .isInstanceOfSatisfying(
                        Unschedulable.class,
                        refused -> assertThat(refused.diagnosis().toString()).contains("NumaNotFit"));
        assertThat(neuron("inf2.48xlarge").place("a", Map.of("aws.amazon.com/neuron", "2")))
                .containsExactly(0, 1, 2, 3);
    }

    @Test
    void neuron_containersWithMoreDevicesChooseFirst() {
        PodManifest pod = VendorFixture.pod(
                "a",
                Map.of(),
                List.of(
                        Map.of("aws.amazon.com/neuron", "1"),
                        Map.of("aws.amazon.com/neuron", "4"),
                        Map.of("aws.amazon.com/neuron", "8")));
        assertThat(neuron("trn1.32xlarge").placement(pod).containers())
                .extracting(grant -> grant.gpus().indexes().get(0))
                .containsExactly(30, 16, 0);
    }

    @Test
    void neuron_selectsDevicesByTheirId() {
        PodManifest pod = VendorFixture.pod(
                "a",
                Map.of("aws.amazon.com/use-neuron-uuid", "n1-AWSNeuron-3"),
                List.of(Map.of("aws.amazon.com/neuron", "1")));
        assertThat(neuron("trn1.32xlarge").placement(pod).gpus()).containsExactly(6, 7);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            aws.amazon.com/neuroncore=3                      | aws.amazon.com/neuroncore: must be 1 or a multiple of 2, got 3
            aws.amazon.com/neuron=33                         | aws.amazon.com/neuron: must be in 1..32, got 33
            aws.amazon.com/neuron=1;aws.amazon.com/neuroncore=2 | devices are asked for by number or by cores, got 1 and aws.amazon.com/neuroncore 2
            enflame.com/gcu-core=101                         | enflame.com/gcu-core: must be in 1..100, got 101
            enflame.com/drs-gcu=0                            | enflame.com/drs-gcu: must be in 1..255, got 0
            kunlunxin.com/vxpu=3                             | kunlunxin.com/vxpu: must be one of 1, 2, 4, 8, got 3
            metax-tech.com/sgpu=1;metax-tech.com/vcore=101   | metax-tech.com/vcore: must be in 0..100, got 101
            metax-tech.com/sgpu=1;metax-tech.com/vmemory=4Qi | metax-tech.com/vmemory: quantity must be a number
            """)
    void badAmounts_nameContainerResourceValueAndRange(String amounts, String message) {
        Map<String, String> limits = new LinkedHashMap<>();
        for (String amount : amounts.trim().split(";")) {
            limits.put(amount.split("=")[0], amount.split("=")[1]);
        }
        assertThatThrownBy(() -> VendorFixture.dialect().pod(pod("p", limits)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("pod \"p\", container \"c0\": ")
                .hasMessageContaining(message);
    }

    @Test
    void aRunThatASingleDeviceWouldBreak_isChosenFirst() {
        VendorFixture node = neuron("trn1.32xlarge");
        node.place("a", Map.of("aws.amazon.com/neuron", "8"));
        node.place("b", Map.of("aws.amazon.com/neuron", "4"));
        PodManifest free = VendorFixture.pod(
                "c",
                Map.of("aws.amazon.com/use-neuron-uuid", "n1-AWSNeuron-1"),
                List.of(Map.of("aws.amazon.com/neuron", "1")));
        node.remove("a");
        node.place("d", Map.of("aws.amazon.com/neuron", "4"));
        node.placement(free.withAnnotations(Map.of("aws.amazon.com/use-neuron-uuid", "n1-AWSNeuron-5")));
        Map<String, String> written = node.written(VendorFixture.pod(
                "e", Map.of(), List.of(Map.of("aws.amazon.com/neuron", "1"), Map.of("aws.amazon.com/neuron", "4"))));
        assertThat(written).containsEntry("AWS_NEURON_IDS", "7,12,13,14,15");
    }

    @Test
    void neuronNodes_haveTwoCoresForEachDevice() {
        assertThatThrownBy(() ->
                        VendorFixture.capacity(Map.of("aws.amazon.com/neuron", "4", "aws.amazon.com/neuroncore", "16")))
                .hasMessageContaining("aws.amazon.com/neuroncore of 4 devices must be in 8..8, got 16");
    }

    @Test
    void badProfiles_nameTheAnnotation() {
        assertThatThrownBy(() -> json(
                        "enflame.com/gcu-drs-capacity", Map.of("devices", List.of(), "profiles", Map.of("large", "1"))))
                .hasMessageContaining(
                        "enflame.com/gcu-drs-capacity: a profile must be called like 3g.20gb, got \"large\"");
    }
}
