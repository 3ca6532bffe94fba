package io.gpusched.dialect.hami.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Unschedulable;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.model.Gpu;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What HAMi does with devices of vendors that register a text or an amount: names, units, choices, grants. */
class HamiVendorsTest {
    private static final String DCUS =
            "DCU-a,4,65536,100,DCU-K100,0,true:DCU-b,4,65536,100,DCU-K100,1,true,1,hami-core:DCU-c,4,65536,100,DCU-K100,1,false:";

    private static PodManifest pod(String id, Map<String, String> limits) {
        return VendorFixture.pod(id, Map.of(), List.of(limits));
    }

    private static VendorFixture hygon() {
        return VendorFixture.annotated("hami.io/node-dcu-register", DCUS);
    }

    private static VendorFixture mooreThreads() {
        return VendorFixture.capacity(Map.of("mthreads.com/sgpu-core", "32", "mthreads.com/sgpu-memory", "192"));
    }

    private static Map<String, String> moore(String count, String memory, String cores) {
        return Map.of("mthreads.com/vgpu", count, "mthreads.com/sgpu-memory", memory, "mthreads.com/sgpu-core", cores);
    }

    @Test
    void hygon_registersInText_andSharesByMibAndPercent() {
        VendorFixture hygon = hygon();
        assertThat(hygon.node().gpus()).extracting(Gpu::healthy).containsExactly(true, true, false);
        assertThat(hygon.node().gpus().get(0).model().name()).isEqualTo("DCU-K100");

        Map<String, String> written = hygon.written(
                pod("a", Map.of("hygon.com/dcunum", "2", "hygon.com/dcumem", "20000", "hygon.com/dcucores", "30")));

        assertThat(written)
                .containsEntry("hami.io/dcu-devices-allocated", "DCU-a,DCU,20000,30:DCU-b,DCU,20000,30:;")
                .containsEntry("hami.io/dcu-devices-to-allocate", "DCU-a,DCU,20000,30:DCU-b,DCU,20000,30:;")
                .doesNotContainKey("hami.io/vgpu-devices-allocated");
        assertThat(hygon.fits(Map.of("hygon.com/dcunum", "1", "hygon.com/dcumem", "45537", "hygon.com/dcucores", "1")))
                .isFalse();
        assertThat(hygon.fits(Map.of("hygon.com/dcunum", "1", "hygon.com/dcumem", "45536", "hygon.com/dcucores", "70")))
                .isTrue();
        assertThat(hygon.fits(Map.of("hygon.com/dcunum", "1", "hygon.com/dcumem", "1", "hygon.com/dcucores", "71")))
                .isFalse();
    }

    @Test
    void hygon_withoutCores_getsDevicesOfItsOwn() {
        VendorFixture hygon = hygon();
        assertThat(hygon.written(pod("a", Map.of("hygon.com/dcunum", "1", "hygon.com/dcumem", "1000"))))
                .containsEntry("hami.io/dcu-devices-allocated", "DCU-b,DCU,1000,100:;");
        assertThat(hygon.place("b", Map.of("hygon.com/dcunum", "1"))).containsExactly(0);
        assertThat(hygon.fits(Map.of("hygon.com/dcunum", "1", "hygon.com/dcucores", "1", "hygon.com/dcumem", "1")))
                .isFalse();
    }

    @Test
    void hygon_selectsByUuidAndModel() {
        PodManifest first = VendorFixture.pod(
                "a",
                Map.of("hygon.com/use-gpuuuid", "DCU-a, DCU-x"),
                List.of(Map.of("hygon.com/dcunum", "1", "hygon.com/dcumem", "1", "hygon.com/dcucores", "1")));
        assertThat(hygon().placement(first).gpus()).containsExactly(0);
        PodManifest refused = first.withAnnotations(Map.of("hygon.com/nouse-dcutype", "k100"));
        assertThat(hygon().decide(refused)).isInstanceOf(Unschedulable.class);
    }

    @Test
    void iluvatar_countsMemoryInUnitsOf256Mib_andGivesSeveralDevicesWhole() {
        VendorFixture node = VendorFixture.annotated(
                "hami.io/node-MR-V100-register", "m0,16,32768,100,MR-V100,0,true:m1,16,32768,100,MR-V100,0,true:");
        String memory = "iluvatar.ai/MR-V100.vMem";
        assertThat(node.written(pod("a", Map.of("iluvatar.ai/MR-V100-vgpu", "1", memory, "64"))))
                .containsEntry("hami.io/MR-V100-devices-allocated", "m1,MR-V100,16384,0:;");
        assertThat(node.fits(Map.of("iluvatar.ai/MR-V100-vgpu", "2", memory, "64")))
                .isFalse();
        node.remove("a");
        assertThat(node.written(pod("b", Map.of("iluvatar.ai/MR-V100-vgpu", "2", memory, "64"))))
                .containsEntry("hami.io/MR-V100-devices-to-allocate", "m0,MR-V100,16384,100:m1,MR-V100,16384,100:;");
        assertThat(node.fits(Map.of("iluvatar.ai/MR-V100-vgpu", "1", memory, "1")))
                .isFalse();
    }

    @Test
    void cambricon_hasADeviceForEachHundredVcore_andWritesAProfile() {
        VendorFixture node = VendorFixture.capacity(
                Map.of("cambricon.com/mlu.smlu.vcore", "200", "cambricon.com/mlu.smlu.vmemory", "256"));
        assertThat(node.node().gpus()).hasSize(2).allMatch(gpu -> gpu.memoryMib() == 32_768);
        Map<String, String> limits = Map.of(
                "cambricon.com/vmlu",
                "1",
                "cambricon.com/mlu.smlu.vcore",
                "25",
                "cambricon.com/mlu.smlu.vmemory",
                "32");
        assertThat(node.written(pod("a", limits)))
                .containsEntry("CAMBRICON_DSMLU_PROFILE", "1_25_32")
                .containsEntry("CAMBRICON_DSMLU_ASSIGNED", "false")
                .containsEntry("hami.io/cambricon-mlu-devices-allocated", "n1-cambricon-mlu-1,MLU,8192,25:;");
    }

    @Test
    void cambricon_namesTheHighestNumber_ofSeveralDevices() {
        VendorFixture node = VendorFixture.capacity(
                Map.of("cambricon.com/mlu.smlu.vcore", "400", "cambricon.com/mlu.smlu.vmemory", "512"));
        assertThat(node.written(pod("a", Map.of("cambricon.com/vmlu", "3", "cambricon.com/mlu.smlu.vmemory", "32"))))
                .containsEntry("CAMBRICON_DSMLU_PROFILE", "3_100_32");
    }

    @Test
    void mooreThreads_cutsIntoLegalSlices_ofSixteenCores() {
        VendorFixture node = mooreThreads();
        assertThat(node.node().gpus()).hasSize(2).allMatch(gpu -> gpu.memoryMib() == 49_152);
        assertThat(node.written(pod("a", moore("1", "32", "8"))))
                .containsEntry("hami.io/mthreads-vgpu-devices-allocated", "n1-mthreads-1,Mthreads,16384,8:;")
                .containsEntry("mthreads.com/gpu-index", "1")
                .containsEntry("mthreads.com/predicate-node", "n1")
                .doesNotContainKey("hami.io/mthreads-vgpu-devices-to-allocate");
        assertThat(node.place("b", Map.of("mthreads.com/vgpu", "1"))).containsExactly(0);
        assertThat(node.fits(moore("1", "64", "8"))).isTrue();
        assertThat(node.fits(moore("1", "64", "9"))).isFalse();
        assertThat(node.place("c", moore("1", "2", "8"))).containsExactly(1);
        assertThat(node.fits(moore("1", "2", "1"))).isFalse();
    }

    @Test
    void mooreThreads_putAllContainersOfAPodOnOneDevice_evenWhereTheFirstChoiceHasTooLittleRoom() {
        VendorFixture node = mooreThreads();
        node.place("a", moore("1", "64", "8"));
        PodManifest two = VendorFixture.pod("b", Map.of(), List.of(moore("1", "16", "8"), moore("1", "16", "8")));
        assertThat(node.placement(two).gpus()).containsExactly(0);
        PodManifest packed = VendorFixture.pod(
                "c",
                Map.of("hami.io/gpu-scheduler-policy", "binpack"),
                List.of(moore("1", "2", "4"), moore("1", "2", "4")));
        assertThat(node.placement(packed).gpus()).containsExactly(1);
        PodManifest large = VendorFixture.pod("d", Map.of(), List.of(moore("1", "16", "1"), moore("1", "16", "1")));
        assertThat(node.decide(large)).isInstanceOf(Unschedulable.class);
    }

    @Test
    void wholeDevices_areCounted() {
        VendorFixture metax = VendorFixture.capacity(Map.of("metax-tech.com/gpu", "2"));
        assertThat(metax.written(pod("a", Map.of("metax-tech.com/gpu", "2"))))
                .containsEntry(
                        "hami.io/metax-gpu-devices-allocated",
                        "n1-metax-0,Metax-GPU,65536,100:n1-metax-1,Metax-GPU,65536,100:;");
        assertThat(metax.fits(Map.of("metax-tech.com/gpu", "1"))).isFalse();

        VendorFixture enflame = VendorFixture.capacity(Map.of("enflame.com/gcu", "2"));
        assertThat(enflame.written(pod("a", Map.of("enflame.com/gcu", "1"))))
                .containsEntry("hami.io/enflame-gcu-devices-allocated", "n1-GCU-1,GCU,100,100:;");
    }

    @Test
    void kunlun_givesSetsOfTwoHalves() {
        VendorFixture node = VendorFixture.capacity(Map.of("kunlunxin.com/xpu", "8"));
        assertThat(node.node().gpus()).extracting(Gpu::numaNode).containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
        assertThat(node.written(pod("a", Map.of("kunlunxin.com/xpu", "2"))))
                .containsEntry("BAIDU_COM_DEVICE_IDX", "0,1")
                .containsEntry(
                        "hami.io/kunlun-allocated", "n1-kunlun-0,kunlun,98304,100:n1-kunlun-1,kunlun,98304,100:;");
        assertThat(node.place("b", Map.of("kunlunxin.com/xpu", "4"))).containsExactly(4, 5, 6, 7);
        assertThat(node.place("c", Map.of("kunlunxin.com/xpu", "1"))).containsExactly(2);
        node.remove("b");
        node.place("d", Map.of("kunlunxin.com/xpu", "4"));
        node.remove("a");
        assertThat(node.fits(Map.of("kunlunxin.com/xpu", "4"))).isFalse();
        assertThat(node.decide(pod("e", Map.of("kunlunxin.com/xpu", "4")))).isInstanceOf(Unschedulable.class);
    }

    @Test
    void kunlun_containersChooseInThePodsOrder() {
        VendorFixture node = VendorFixture.capacity(Map.of("kunlunxin.com/xpu", "8"));
        PodManifest pod = VendorFixture.pod(
                "a",
                Map.of(),
                List.of(
                        Map.of("kunlunxin.com/xpu", "1"),
                        Map.of("kunlunxin.com/xpu", "2"),
                        Map.of("kunlunxin.com/xpu", "4")));
        assertThat(node.placement(pod).containers())
                .extracting(grant -> grant.gpus().indexes())
                .containsExactly(List.of(0), List.of(1, 2), List.of(4, 5, 6, 7));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        hygon.com/dcunum=65                            | hygon.com/dcunum: must be in 1..64, got 65
        hygon.com/dcunum=1;hygon.com/dcucores=101      | hygon.com/dcucores: must be in 0..100, got 101
        hygon.com/dcunum=1;hygon.com/dcumem=16Gi       | hygon.com/dcumem: must be a whole number in 0..2147483647, got "16Gi"
        hygon.com/dcumem=1000                          | hygon.com/dcumem: goes with a number of devices, got 1000 without hygon.com/dcunum
        hygon.com/dcunum=1.5                           | hygon.com/dcunum: must be a whole number, got 1.5
        mthreads.com/vgpu=1;mthreads.com/sgpu-memory=3 | mthreads.com/sgpu-memory: must be one of [2, 4, 8, 16, 32, 64, 96], got 3
        mthreads.com/vgpu=-1                           | mthreads.com/vgpu: must be in 1..64, got -1
        kunlunxin.com/xpu=3                            | kunlunxin.com/xpu: must be one of 1, 2, 4, 8, got 3
        cambricon.com/vmlu=1;cambricon.com/mlu.smlu.vmemory=8388608 | must be a whole number in 0..8388607, got "8388608"
        hygon.com/dcunum=1;metax-tech.com/gpu=1        | a container can request devices of one kind, got hygon.com/dcunum and metax-tech.com/gpu
        hygon.com/dcunum=1;nvidia.com/gpu=1            | a container can request devices of one kind, got nvidia.com/gpu and hygon.com/dcunum
        """)
    void badAmounts_nameContainerResourceValueAndRange(String amounts, String message) {
        Map<String, String> limits = new java.util.TreeMap<>();
        for (String amount : amounts.trim().split(";")) {
            limits.put(amount.split("=")[0], amount.split("=")[1]);
        }
        assertThatThrownBy(() -> VendorFixture.dialect().pod(pod("team/p", limits)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("pod \"team/p\", container \"c0\": ")
                .hasMessageContaining(message);
    }

    @Test
    void podsOfOneVendor_leaveDevicesOfOthersAlone() {
        HamiDialect hami = VendorFixture.dialect();
        VendorFixture mixed = VendorFixture.of(
                hami,
                VendorFixture.manifest(
                        Map.of(),
                        Map.of(
                                "hami.io/node-dcu-register", "DCU-a,4,65536,100,DCU,0,true:",
                                "hami.io/node-nvidia-register", "GPU-a,10,16000,100,NVIDIA-A100,0,true:"),
                        Map.of("metax-tech.com/gpu", "1")));
        assertThat(mixed.node().gpus())
                .extracting(gpu -> gpu.model().vendor())
                .containsExactly("NVIDIA", "dcu", "metax-gpu");
        assertThat(mixed.place("d", Map.of("hygon.com/dcunum", "1"))).containsExactly(1);
        assertThat(mixed.fits(Map.of("hygon.com/dcunum", "1"))).isFalse();
        assertThat(mixed.place("n", Map.of("nvidia.com/gpu", "1"))).containsExactly(0);
        assertThat(mixed.fits(Map.of("nvidia.com/gpu", "1"))).isFalse();
        assertThat(mixed.place("m", Map.of("metax-tech.com/gpu", "1"))).containsExactly(2);
    }

    @Test
    void badRegistrations_nameAnnotationOrResource() {
        assertThatThrownBy(() -> VendorFixture.annotated("hami.io/node-dcu-register", "DCU-a,x,1,1,DCU,0,true:"))
                .hasMessageContaining("hami.io/node-dcu-register")
                .hasMessageContaining("\"x\"");
        assertThatThrownBy(() -> VendorFixture.capacity(Map.of("metax-tech.com/gpu", "many")))
                .hasMessageContaining("metax-tech.com/gpu")
                .hasMessageContaining("many");
        assertThatThrownBy(() -> VendorFixture.capacity(Map.of("metax-tech.com/gpu", "65")))
                .hasMessageContaining("0..64, got 65");
    }

    @Test
    void heldDevice_thatIsNotOnTheNode_isAnErrorThatNamesTheAnnotation() {
        PodManifest pod = VendorFixture.pod(
                "p",
                Map.of("hami.io/dcu-devices-allocated", "DCU-z,DCU,1,1:;"),
                List.of(Map.of("hygon.com/dcunum", "1")));
        assertThatThrownBy(() -> VendorFixture.dialect().heldGpus(pod, 0, hygon().node()))
                .hasMessageContaining("hami.io/dcu-devices-allocated")
                .hasMessageContaining("DCU-z");
    }

    @Test
    void catalog_renamesResources_butNotToOneThatIsTaken() {
        HamiVendor hygon = VendorCatalog.DEFAULT.find("DCU").orElseThrow();
        VendorCatalog renamed =
                VendorCatalog.DEFAULT.with(hygon.withResources(new VendorResources("x/dcu", "x/mem", "x/cores")));
        assertThat(renamed.resources()).contains("x/dcu", "x/mem", "x/cores").doesNotContain("hygon.com/dcunum");
        assertThat(renamed.vendors()).hasSameSizeAs(VendorCatalog.DEFAULT.vendors());
        assertThatThrownBy(() ->
                        VendorCatalog.DEFAULT.with(hygon.withResources(VendorResources.counted("metax-tech.com/gpu"))))
                .hasMessageContaining("\"metax-tech.com/gpu\" belongs to DCU and to Metax-GPU");
    }
}
