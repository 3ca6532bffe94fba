package io.gpusched.dialect.hami.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Unschedulable;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies and classes of pods that share MetaX devices. */
class MetaxSharingTest {
    private static final String POLICY = "metax-tech.com/sgpu-qos-policy";
    private static final String CLASS = "metax-tech.com/sgpu-app-class";

    private static VendorFixture node(int devices) {
        List<Map<String, Object>> registered = new ArrayList<>();
        for (int i = 0; i < devices; i++) {
            registered.add(Map.of(
                    "uuid", "m" + i, "totalDevCount", 16, "totalCompute", 100, "totalVRam", 65_536, "healthy", true));
        }
        return VendorFixture.of(
                VendorFixture.dialect().withJson(text -> registered),
                VendorFixture.manifest(Map.of(), Map.of("metax-tech.com/node-gpu-devices", "json"), Map.of()));
    }

    private static Map<String, String> sgpu(String count, String memory, String cores) {
        Map<String, String> limits =
                new HashMap<>(Map.of("metax-tech.com/sgpu", count, "metax-tech.com/vmemory", memory));
        if (!cores.isEmpty()) {
            limits.put("metax-tech.com/vcore", cores);
        }
        return limits;
    }

    private static PodManifest pod(String id, Map<String, String> annotations, Map<String, String> limits) {
        return VendorFixture.pod(id, annotations, List.of(limits));
    }

    private static PodManifest shared(String id, String policy) {
        return pod(id, Map.of(POLICY, policy), sgpu("1", "4", "20"));
    }

    private static PodManifest online(String id) {
        return pod(id, Map.of(CLASS, "online"), sgpu("1", "4", "50"));
    }

    private static PodManifest offline(String id, String cores) {
        return pod(id, Map.of(CLASS, "offline"), sgpu("1", "4", cores));
    }

    @Test
    void pods_shareOnlyWithPodsOfTheirPolicy_andBestEffortIsTheDefault() {
        VendorFixture node = node(2);
        Map<String, String> packed = Map.of("hami.io/gpu-scheduler-policy", "binpack");
        assertThat(node.placement(pod("a", packed, sgpu("1", "4", "20"))).gpus())
                .containsExactly(1);
        assertThat(node.placement(shared("b", "fixed-share")).gpus()).containsExactly(0);
        assertThat(node.decide(shared("c", "burst-share"))).isInstanceOf(Unschedulable.class);
        assertThat(node.placement(shared("d", "best-effort")).gpus()).containsExactly(1);
        node.remove("b");
        assertThat(node.placement(shared("e", "burst-share")).gpus()).containsExactly(0);
    }

    @Test
    void podsWithAClass_shareWithTheirLikeAlone() {
        VendorFixture node = node(1);
        node.placement(shared("a", "best-effort"));
        assertThat(node.decide(online("b"))).isInstanceOf(Unschedulable.class);
        assertThat(node.decide(offline("b", "20"))).isInstanceOf(Unschedulable.class);
        node.remove("a");
        node.placement(offline("c", "20"));
        assertThat(node.decide(shared("d", "best-effort"))).isInstanceOf(Unschedulable.class);
        assertThat(node.decide(offline("d", "20")).isPlaced()).isTrue();
    }

    @Test
    void onlinePods_takeMemoryAlone_besideOfflinePodsToo_butKeepNewOnesAway() {
        VendorFixture node = node(1);
        node.placement(offline("a", "100"));
        assertThat(node.written(online("b")))
                .containsEntry("hami.io/metax-sgpu-devices-allocated", "m0,Metax-SGPU,4096,0:;");
        assertThat(node.decide(offline("c", "0"))).isInstanceOf(Unschedulable.class);
        node.remove("a");
        assertThat(node.decide(offline("c", "20"))).isInstanceOf(Unschedulable.class);
        assertThat(node.decide(online("c")).isPlaced()).isTrue();
    }

    @Test
    void anOfflinePodWithAllCompute_wantsAnIdleDevice() {
        VendorFixture node = node(1);
        node.placement(offline("a", "0"));
        assertThat(node.decide(offline("b", "100"))).isInstanceOf(Unschedulable.class);
    }

    @Test
    void onlinePods_goWhereFewestAre_andWhereOnlyOfflinePodsAre_last() {
        VendorFixture node = node(3);
        node.placement(offline("a", "20"));
        assertThat(node.placement(online("b")).gpus()).containsExactly(1);
        assertThat(node.placement(online("c")).gpus()).containsExactly(0);
        assertThat(node.placement(online("d")).gpus()).containsExactly(1);
        assertThat(node.placement(online("e")).gpus()).containsExactly(0);
    }

    @Test
    void twoContainersOfAClass_doNotOpenADeviceForEachOther() {
        PodManifest two =
                VendorFixture.pod("a", Map.of(CLASS, "online"), List.of(sgpu("1", "4", "20"), sgpu("1", "4", "20")));
        assertThat(node(1).decide(two)).isInstanceOf(Unschedulable.class);
        assertThat(node(2).placement(two).gpus()).containsExactly(0, 1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            metax-tech.com/sgpu-app-class  | batch | 1 | metax-tech.com/sgpu-app-class: must be online or offline, got "batch"
            metax-tech.com/sgpu-app-class  | online | 2 | metax-tech.com/sgpu: must be 1 in a pod with metax-tech.com/sgpu-app-class, got 2
            metax-tech.com/sgpu-qos-policy | fair  | 1 | metax-tech.com/sgpu-qos-policy: must be one of [best-effort, fixed-share, burst-share], got "fair"
            """)
    void illegalTerms_areRefusedByName(String annotation, String value, String count, String message) {
        PodManifest pod = pod("p", Map.of(annotation, value), sgpu(count, "4", ""));
        assertThatThrownBy(() -> VendorFixture.dialect().pod(pod))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("pod \"p\", container \"c0\": " + message);
    }

    @Test
    void anOnlinePod_mayNameAnyPolicy() {
        PodManifest pod = pod("p", Map.of(CLASS, "online", POLICY, "fair"), sgpu("1", "4", ""));
        assertThat(node(1).placement(pod).gpus()).containsExactly(0);
    }
}
