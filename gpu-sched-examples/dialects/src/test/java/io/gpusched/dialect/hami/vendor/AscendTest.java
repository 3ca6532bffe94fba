package io.gpusched.dialect.hami.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Unschedulable;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.model.Gpu;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ascend chips: templates, whole chips, modules of two, networks, soft shares. */
class AscendTest {
    private static final Map<String, String> SOFT = Map.of(ChipTemplates.MODE, "hami-core");

    /** What a device plugin registers; a JSON reader would make this of its text. */
    private static Object chips(String word, int count, long memoryMib, int... networks) {
        List<Map<String, Object>> chips = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Map<String, Object> chip = new LinkedHashMap<>(Map.of(
                    "ID",
                    "npu-" + i,
                    "Index",
                    i,
                    "Count",
                    8,
                    "Devmem",
                    memoryMib,
                    "Devcore",
                    20,
                    "Type",
                    word,
                    "Health",
                    true));
            if (networks.length > 0) {
                chip.put("CustomInfo", Map.of("NetworkID", networks[i]));
            }
            chips.add(chip);
        }
        return chips;
    }

    private static VendorFixture node(String word, Object chips, Map<String, String> more) {
        Map<String, String> annotations = new LinkedHashMap<>(more);
        annotations.put("hami.io/node-register-" + word, "[json]");
        HamiDialect hami = VendorFixture.dialect().withJson(text -> chips);
        return VendorFixture.of(hami, VendorFixture.manifest(Map.of(), annotations, Map.of()));
    }

    private static VendorFixture b3(int count) {
        return node("Ascend910B3", chips("Ascend910B3", count, 65_536), Map.of());
    }

    private static Map<String, String> ask(String word, String count, String memory) {
        return memory.isEmpty()
                ? Map.of("huawei.com/" + word, count)
                : Map.of("huawei.com/" + word, count, "huawei.com/" + word + "-memory", memory);
    }

    private static PodManifest pod(String id, Map<String, String> limits) {
        return VendorFixture.pod(id, Map.of(), List.of(limits));
    }

    @Test
    void memory_isRoundedUpToATemplate_thatTheGrantNames() {
        assertThat(b3(1).written(pod("a", ask("Ascend910B3", "1", "10000"))))
                .containsEntry("hami.io/Ascend910B3-devices-allocated", "npu-0,Ascend910B3,16384,0:;")
                .containsEntry(
                        "huawei.com/Ascend910B3", "[{\"UUID\":\"npu-0\",\"temp\":\"vir05_1c_16g\",\"memory\":16384}]");
        assertThat(b3(1).written(pod("a", ask("Ascend910B3", "1", "32769"))))
                .containsEntry("huawei.com/Ascend910B3", "[{\"UUID\":\"npu-0\",\"memory\":65536}]");
    }

    @Test
    void aChip_isWholeOrCut_neverBoth() {
        VendorFixture node = b3(1);
        node.place("a", ask("Ascend910B3", "1", "16384"));
        assertThat(node.fits(ask("Ascend910B3", "1", ""))).isFalse();
        node.place("b", ask("Ascend910B3", "1", "32768"));
        node.place("c", ask("Ascend910B3", "1", "16384"));
        assertThat(node.fits(ask("Ascend910B3", "1", "1"))).isFalse();
        List.of("a", "b", "c").forEach(node::remove);
        assertThat(node.place("d", ask("Ascend910B3", "1", ""))).containsExactly(0);
        assertThat(node.fits(ask("Ascend910B3", "1", "1"))).isFalse();
    }

    @Test
    void templates_areCountedByAiCpusToo() {
        VendorFixture node = node("Ascend910B2", chips("Ascend910B2", 1, 65_536), Map.of());
        for (int i = 0; i < 6; i++) {
            node.place("p" + i, ask("Ascend910B2", "1", "8192"));
        }
        assertThat(node.fits(ask("Ascend910B2", "1", "8192"))).isFalse();
    }

    @Test
    void binpack_fillsAChipThatIsCut_spreadTakesAnIdleOne() {
        VendorFixture node = b3(2);
        List<Map<String, String>> small = List.of(ask("Ascend910B3", "1", "16384"));
        node.placement(VendorFixture.pod("a", Map.of(), small));
        Map<String, String> binpack = Map.of("hami.io/gpu-scheduler-policy", "binpack");
        assertThat(node.placement(VendorFixture.pod("b", binpack, small)).gpus())
                .containsExactly(1);
        assertThat(node.placement(VendorFixture.pod("c", Map.of(), small)).gpus())
                .containsExactly(0);
    }

    @Test
    void severalChips_comeFromTheNetworkWithMostFree() {
        VendorFixture node = node("Ascend910B3", chips("Ascend910B3", 5, 65_536, 0, 0, 1, 1, 1), Map.of());
        assertThat(node.place("a", ask("Ascend910B3", "2", ""))).containsExactly(3, 4);
        assertThat(node.place("b", ask("Ascend910B3", "2", ""))).containsExactly(0, 1);
    }

    @Test
    void chipsOf910C_areGivenInWholeModules() {
        VendorFixture node = node("Ascend910C", chips("Ascend910C", 8, 65_536), Map.of());
        assertThat(node.place("a", ask("Ascend910C", "1", ""))).hasSize(2).isEqualTo(List.of(6, 7));
        assertThat(node.place("b", ask("Ascend910C", "4", ""))).containsExactly(2, 3, 4, 5);
        assertThat(node.place("c", ask("Ascend910C", "2", ""))).containsExactly(0, 1);
        assertThat(node.decide(pod("d", ask("Ascend910C", "2", "")))).isInstanceOf(Unschedulable.class);
    }

    @Test
    void chipsOf910C_thatAreNotOfOneModule_areNoPair() {
        List<Map<String, Object>> odd = List.of(
                Map.of("id", "a", "index", 0, "count", 1, "devmem", 65_536, "devcore", 20, "health", true),
                Map.of("id", "b", "index", 3, "count", 1, "devmem", 65_536, "devcore", 20, "health", true));
        VendorFixture node = node("Ascend910C", odd, Map.of());
        assertThat(node.fits(ask("Ascend910C", "2", ""))).isFalse();
        assertThat(node.decide(pod("d", ask("Ascend910C", "2", ""))))
                .isInstanceOfSatisfying(
                        Unschedulable.class,
                        refused -> assertThat(refused.diagnosis().toString()).contains("whole modules of two"));
    }

    @Test
    void softShares_goToNodesThatAreSetUpForThem() {
        Map<String, String> limits = Map.of(
                "huawei.com/Ascend910B3",
                "2",
                "huawei.com/Ascend910B3-memory",
                "10000",
                "huawei.com/Ascend910B3-core",
                "30");
        PodManifest soft = VendorFixture.pod("a", SOFT, List.of(limits));
        assertThat(b3(2).decide(soft)).isInstanceOf(Unschedulable.class);
        VendorFixture node = node("Ascend910B3", chips("Ascend910B3", 2, 65_536), Map.of(ChipTemplates.SOFT, "true"));
        assertThat(node.written(soft))
                .containsEntry(
                        "hami.io/Ascend910B3-devices-allocated",
                        "npu-0,Ascend910B3,10000,30:npu-1,Ascend910B3,10000,30:;")
                .containsEntry(
                        "huawei.com/Ascend910B3",
                        "[{\"UUID\":\"npu-0\",\"memory\":10000,\"core\":30},{\"UUID\":\"npu-1\",\"memory\":10000,\"core\":30}]");
        assertThat(node.fits(ask("Ascend910B3", "1", "1"))).isFalse();
        assertThat(node.node().labels()).containsEntry(ChipTemplates.SOFT, "true");
    }

    @Test
    void chipsThatAreNotHealthy_takeNothing() {
        VendorFixture node = node(
                "Ascend310P",
                List.of(Map.of("id", "a", "count", 4, "devmem", 21_527, "devcore", 8, "type", "Ascend310P")),
                Map.of());
        assertThat(node.node().gpus()).extracting(Gpu::healthy).containsExactly(false);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Ascend910B3 | 1 | 65537 | | huawei.com/Ascend910B3-memory: must be in 0..65536, got 65537
            Ascend910B3 | 2 | 100   | | huawei.com/Ascend910B3-memory: a part of a chip goes one to a container, got 100 MiB of 2 chips
            Ascend910B3 | 1 |       | 50 | huawei.com/Ascend910B3-core: goes with the annotation huawei.com/vnpu-mode: hami-core, got 50 without it
            Ascend910C  | 3 |       | | huawei.com/Ascend910C: must be 1 or even, got 3
            Ascend910C  | 2 | 16384 | | huawei.com/Ascend910C-memory: a part of a chip goes one to a container, got 16384 MiB of 2 chips
            Ascend910A  | 65 |      | | huawei.com/Ascend910A: must be in 1..64, got 65
            """)
    void badAmounts_nameContainerResourceValueAndRange(
            String word, String count, String memory, String cores, String message) {
        Map<String, String> limits = new LinkedHashMap<>(ask(word, count, memory == null ? "" : memory));
        if (cores != null) {
            limits.put("huawei.com/" + word + "-core", cores);
        }
        assertThatThrownBy(() -> VendorFixture.dialect().pod(pod("p", limits)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("pod \"p\", container \"c0\": ")
                .hasMessageContaining(message);
    }

    @Test
    void memoryOfNothing_isTheSmallestTemplate() {
        VendorFixture node = b3(1);
        assertThat(node.written(pod("a", ask("Ascend910B3", "1", "0"))))
                .containsEntry("hami.io/Ascend910B3-devices-allocated", "npu-0,Ascend910B3,16384,0:;");
    }

    @Test
    void mutex_takesPartsOfIdleChipsAlone_oneForEachContainer() {
        Map<String, String> mutex = Map.of("hami.io/gpu-scheduler-policy", "mutex");
        Map<String, String> part = ask("Ascend910B3", "1", "100");
        VendorFixture node = b3(3);
        node.placement(pod("a", part));
        assertThat(node.placement(VendorFixture.pod("b", mutex, List.of(part, part)))
                        .gpus())
                .containsExactly(0, 1);
        assertThat(node.decide(VendorFixture.pod("c", mutex, List.of(part)))).isInstanceOf(Unschedulable.class);
        assertThat(node.fits(part)).isTrue();
    }

    @Test
    void mutex_takesPartsAndWholeChipsInOnePod() {
        Map<String, String> mutex = Map.of("hami.io/gpu-scheduler-policy", "mutex");
        VendorFixture node = b3(4);
        Map<String, String> written = node.written(
                VendorFixture.pod("a", mutex, List.of(ask("Ascend910B3", "1", "100"), ask("Ascend910B3", "2", ""))));
        assertThat(written)
                .containsEntry(
                        "hami.io/Ascend910B3-devices-allocated",
                        "npu-3,Ascend910B3,16384,0:;npu-1,Ascend910B3,65536,0:npu-2,Ascend910B3,65536,0:;");
    }

    @Test
    void aPartOf910C_isOfBothChipsOfAModule() {
        VendorFixture node = node("Ascend910C", chips("Ascend910C", 4, 65_536), Map.of());
        Map<String, String> part = ask("Ascend910C", "1", "16384");
        assertThat(node.written(pod("a", part)))
                .containsEntry(
                        "hami.io/Ascend910C-devices-allocated", "npu-2,Ascend910C,16384,0:npu-3,Ascend910C,16384,0:;")
                .hasEntrySatisfying(
                        "huawei.com/Ascend910C",
                        text -> assertThat(text).contains("\"UUID\":\"npu-2\",\"temp\":\"vir05_1c_16g\""));
        assertThat(node.place("b", ask("Ascend910C", "2", ""))).containsExactly(0, 1);
        assertThat(node.place("c", part)).containsExactly(2, 3);
        assertThat(node.fits(ask("Ascend910C", "2", ""))).isFalse();
    }

    @Test
    void aPartOf910C_isReadBackFromWhatTheWebhookLeftOfIt() {
        VendorFixture node = node("Ascend910C", chips("Ascend910C", 4, 65_536), Map.of());
        String allocated = "hami.io/Ascend910C-devices-allocated";
        PodManifest running = VendorFixture.pod(
                "a",
                Map.of(allocated, "npu-0,Ascend910C,16384,0:npu-1,Ascend910C,16384,0:;"),
                List.of(ask("Ascend910C", "2", "16384")));
        assertThat(VendorFixture.dialect().heldGpus(running, 0, node.node())).containsExactly(0, 1);
    }

    @Test
    void aRegistrationThatIsNoList_isAnErrorThatNamesTheAnnotation() {
        assertThatThrownBy(() -> node("Ascend910A", Map.of(), Map.of()))
                .hasMessageContaining("hami.io/node-register-Ascend910A: must be a JSON list");
        assertThatThrownBy(() -> node("Ascend910A", List.of(Map.of("devmem", "much")), Map.of()))
                .hasMessageContaining("devmem must be a whole number from 0, got \"much\"");
    }
}
