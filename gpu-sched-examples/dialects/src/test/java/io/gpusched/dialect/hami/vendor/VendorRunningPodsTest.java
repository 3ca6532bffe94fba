package io.gpusched.dialect.hami.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Unschedulable;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.model.Node;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pods as HAMi's webhook and scheduler leave them, and devices with unusual amounts. */
class VendorRunningPodsTest {
    private static final HamiDialect HAMI = VendorFixture.dialect();

    private static VendorFixture dcus(int cores, String... ids) {
        StringBuilder text = new StringBuilder();
        for (String id : ids) {
            text.append(id + ",4,65520," + cores + ",DCU-K100,0,true:");
        }
        return VendorFixture.annotated("hami.io/node-dcu-register", text.toString());
    }

    private static PodManifest running(String held, List<Map<String, String>> limits) {
        return VendorFixture.pod("a", Map.of("hami.io/dcu-devices-allocated", held), limits);
    }

    @Test
    void aGrantThatLeavesOutContainersWithoutDevices_isReadByThoseThatAsk() {
        Node node = dcus(100, "u0", "u1", "u2").node();
        Map<String, String> none = Map.of("cpu", "1");
        Map<String, String> dcu = Map.of("hygon.com/dcunum", "1");
        PodManifest pod = running("u2,DCU,1000,10:;u1,DCU,1000,10:;", List.of(none, dcu, none, dcu));
        assertThat(HAMI.heldGpus(pod, 0, node)).isEmpty();
        assertThat(HAMI.heldGpus(pod, 1, node)).containsExactly(2);
        assertThat(HAMI.heldGpus(pod, 2, node)).isEmpty();
        assertThat(HAMI.heldGpus(pod, 3, node)).containsExactly(1);
    }

    @Test
    void aGrantOfAllContainers_isReadByTheirPlaces() {
        Node node = dcus(100, "u0", "u1", "u2").node();
        Map<String, String> dcu = Map.of("hygon.com/dcunum", "1");
        PodManifest pod = running(";u1,DCU,1000,10:;", List.of(Map.of("cpu", "1"), dcu));
        assertThat(HAMI.heldGpus(pod, 0, node)).isEmpty();
        assertThat(HAMI.heldGpus(pod, 1, node)).containsExactly(1);
    }

    @Test
    void nvidiasGrants_areReadInTheSameWay() {
        VendorFixture node = VendorFixture.annotated(
                "hami.io/node-nvidia-register",
                "g0,10,40960,100,NVIDIA-A100,0,true:g1,10,40960,100,NVIDIA-A100,0,true:");
        PodManifest pod = VendorFixture.pod(
                "a",
                Map.of("hami.io/vgpu-devices-allocated", "g1,NVIDIA,1000,10:;"),
                List.of(Map.of("cpu", "1"), Map.of("nvidia.com/gpu", "1", "nvidia.com/gpumem", "1000")));
        assertThat(HAMI.heldGpus(pod, 0, node.node())).isEmpty();
        assertThat(HAMI.heldGpus(pod, 1, node.node())).containsExactly(1);
    }

    @Test
    void severalIluvatarDevices_areWhole_thoughTheWebhookWroteTheComputeOfAll() {
        VendorFixture node = VendorFixture.annotated(
                "hami.io/node-MR-V100-register", "u0,10,32768,100,MR-V100,0,true:u1,10,32768,100,MR-V100,0,true:");
        Map<String, String> limits = Map.of("iluvatar.ai/MR-V100-vgpu", "2", "iluvatar.ai/MR-V100.vCore", "200");
        assertThat(node.written(VendorFixture.pod("a", Map.of(), List.of(limits))))
                .containsEntry("hami.io/MR-V100-devices-allocated", "u0,MR-V100,32768,100:u1,MR-V100,32768,100:;");
    }

    @Test
    void aDeviceWithLessComputeThanIsAskedFor_isNotGiven() {
        assertThat(dcus(60, "u0").decide(VendorFixture.pod("a", Map.of(), List.of(Map.of("hygon.com/dcunum", "1")))))
                .isInstanceOf(Unschedulable.class);
        VendorFixture node = dcus(60, "u0");
        assertThat(node.place("a", Map.of("hygon.com/dcunum", "1", "hygon.com/dcucores", "60")))
                .containsExactly(0);
    }

    @Test
    void allCoresOfAMooreThreadsDevice_goBesideMemoryAlone() {
        VendorFixture node =
                VendorFixture.capacity(Map.of("mthreads.com/sgpu-core", "16", "mthreads.com/sgpu-memory", "160"));
        node.place("a", Map.of("mthreads.com/vgpu", "1", "mthreads.com/sgpu-memory", "64"));
        assertThat(node.place("b", Map.of("mthreads.com/vgpu", "1"))).containsExactly(0);
        assertThat(node.fits(Map.of("mthreads.com/vgpu", "1", "mthreads.com/sgpu-memory", "2")))
                .isFalse();
    }

    @Test
    void unequalDevices_areOrderedAsTheyWouldBeWithTheRequest() {
        VendorFixture node = VendorFixture.annotated(
                "hami.io/node-dcu-register",
                "u0,2,65520,100,DCU,0,true:u1,10,65520,100,DCU,0,true:u2,2,65520,100,DCU,0,true:");
        assertThat(node.place(
                        "a", Map.of("hygon.com/dcunum", "1", "hygon.com/dcucores", "10", "hygon.com/dcumem", "100")))
                .containsExactly(1);
    }

    @Test
    void partsOfChipsAndSetsOfDevices_goTogetherInOnePod() {
        VendorFixture node = VendorFixture.of(
                VendorFixture.dialect()
                        .withJson(text -> Map.of(
                                "devices",
                                List.of(Map.of("index", "0", "capacity", 6)),
                                "profiles",
                                Map.of("1g.6gb", "0", "6g.40gb", "2"))),
                VendorFixture.manifest(
                        Map.of(), Map.of("enflame.com/gcu-drs-capacity", "json"), Map.of("kunlunxin.com/xpu", "8")));
        PodManifest mixture = VendorFixture.pod(
                "p", Map.of(), List.of(Map.of("enflame.com/drs-gcu", "1"), Map.of("kunlunxin.com/xpu", "2")));
        assertThat(node.placement(mixture).gpus()).containsExactly(0, 1, 8);
    }
}
