package io.gpusched.manifests.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.kubernetes.HamiObjects;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.model.NodeState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What pods hold that HAMi placed, on nodes of vendors beside NVIDIA: their annotations tell, and nothing else. */
class HamiVendorsOnKubernetesTest {
    private final ClusterBook book =
            new ClusterBook(new DialectSet(List.of(Dialects.find("hami").orElseThrow())));

    private void putNode(Map<String, String> annotations, Map<String, String> devices) {
        book.putNode(HamiObjects.node(annotations, devices));
    }

    private void run(String name, Map<String, String> annotations, Map<String, String> limits) {
        book.putPod(RunningPod.of(HamiObjects.running(name, annotations, limits)));
    }

    private NodeState node() {
        return book.cluster().node("n1").orElseThrow();
    }

    private List<Trouble> troubles() {
        book.cluster();
        return book.troubles();
    }

    @Test
    void aTemplate_isHeldOfTheChipThatTheGrantNames() {
        putNode(Map.of("hami.io/node-register-Ascend910B3", """
                        [{"id":"a","index":0,"count":4,"devmem":65536,"devcore":20,"health":true},
                         {"id":"b","index":1,"count":4,"devmem":65536,"devcore":20,"health":true}]"""), Map.of("huawei.com/Ascend910B3", "8"));
        run(
                "p",
                Map.of("hami.io/Ascend910B3-devices-allocated", "b,Ascend910B3,16384,0:;"),
                Map.of("huawei.com/Ascend910B3", "1", "huawei.com/Ascend910B3-memory", "16384"));
        assertThat(troubles()).isEmpty();
        assertThat(node().isCut(1)).isTrue();
        assertThat(node().isIdle(0)).isTrue();
        assertThat(node().freeMemoryMib(1)).isEqualTo(49_152);
    }

    @Test
    void aProfile_isHeldOfTheDeviceThatTheGrantNames() {
        putNode(Map.of("enflame.com/gcu-drs-capacity", """
                        {"devices":[{"index":"0","minor":"0","capacity":6},{"index":"1","minor":"1","capacity":6}],
                         "profiles":{"1g.6gb":"0","3g.20gb":"1","6g.40gb":"2"}}"""), Map.of("enflame.com/drs-gcu", "12"));
        run(
                "p",
                Map.of("hami.io/enflame-vgpu-devices-allocated", "n1-enflame-drs-1,Enflame,20480,50:;"),
                Map.of("enflame.com/gcu-memory", "16"));
        assertThat(troubles()).isEmpty();
        assertThat(node().isCut(1)).isTrue();
        assertThat(node().freeMemoryMib(1)).isEqualTo(20_480);
    }

    @Test
    void aCore_isHeldByTheMaskOfTheGrant() {
        putNode(Map.of(), Map.of("aws.amazon.com/neuron", "2", "aws.amazon.com/neuroncore", "4"));
        run(
                "p",
                Map.of("hami.io/aws-neuron-devices-allocated", "n1-AWSNeuron-1,AWSNeuron,0,2:;"),
                Map.of("aws.amazon.com/neuroncore", "1"));
        assertThat(troubles()).isEmpty();
        assertThat(node().isWhole(3)).isTrue();
        assertThat(node().idleGpus()).isEqualTo(3);
    }

    @Test
    void aBoardOfKunlun_isHeldInSetsThatThisWouldNotChoose() {
        putNode(Map.of(), Map.of("kunlunxin.com/xpu", "8"));
        run(
                "p",
                Map.of("hami.io/kunlun-allocated", "n1-kunlun-1,kunlun,98304,100:n1-kunlun-6,kunlun,98304,100:;"),
                Map.of("kunlunxin.com/xpu", "2"));
        assertThat(troubles()).isEmpty();
        assertThat(node().isWhole(1)).isTrue();
        assertThat(node().isWhole(6)).isTrue();
    }

    @Test
    void aPodWithoutAGrant_isTrouble_forItMayHoldAnyDevice() {
        putNode(Map.of(), Map.of("kunlunxin.com/xpu", "8"));
        run("p", Map.of(), Map.of("kunlunxin.com/xpu", "2"));
        assertThat(troubles()).isNotEmpty();
    }
}
