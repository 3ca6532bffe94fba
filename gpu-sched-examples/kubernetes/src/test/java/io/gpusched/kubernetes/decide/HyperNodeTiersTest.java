package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.manifests.group.GroupVocabulary;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Volcano's groups within hyper nodes: a and b under leaf-0, c under leaf-1, both under spine; d alone. */
class HyperNodeTiersTest {
    private final FakeApi api = new FakeApi();
    private final List<Change> untold = api.watch();
    private final SchedulerState state = FakeApi.scheduler("t9k");
    private long now;

    private static GenericKubernetesResource object(String name, Map<String, Object> spec) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace("default")
                .withUid(name)
                .build());
        object.setAdditionalProperty("spec", spec);
        return object;
    }

    private void hyperNode(String name, int tier, List<Map<String, Object>> members) {
        untold.add(new Change.HyperNodePut(object(name, Map.of("tier", tier, "members", members))));
    }

    private static Map<String, Object> member(String type, Map<String, Object> selector) {
        return Map.of("type", type, "selector", selector);
    }

    private void world(int gpusOfA) {
        api.put(Manifests.t9kNode("a", "xgn", gpusOfA));
        api.put(Manifests.t9kNode("b", "xgn", 2));
        api.put(Manifests.t9kNode("c", "xgn", 2, Map.of("rack", "r2")));
        api.put(Manifests.t9kNode("d", "xgn", 2));
        hyperNode("leaf-0", 1, List.of(member("Node", Map.of("regexMatch", Map.of("pattern", "^[ab]$")))));
        hyperNode(
                "leaf-1",
                1,
                List.of(member("Node", Map.of("labelMatch", Map.of("matchLabels", Map.of("rack", "r2"))))));
        hyperNode(
                "spine",
                3,
                List.of(
                        member("HyperNode", Map.of("exactMatch", Map.of("name", "leaf-0"))),
                        member("HyperNode", Map.of("exactMatch", Map.of("name", "leaf-1")))));
    }

    private void group(Map<String, Object> more) {
        Map<String, Object> spec = new java.util.HashMap<>(more);
        spec.put("minMember", 4);
        api.put(GroupVocabulary.VOLCANO.read(object("g", spec)));
        for (int i = 0; i < 4; i++) {
            api.create(new PodBuilder(Manifests.pod("m" + i, T9kDialect.GPU, "1"))
                    .editMetadata()
                    .addToAnnotations("scheduling.k8s.io/group-name", "g")
                    .endMetadata()
                    .build());
        }
    }

    private static Map<String, Object> topology(String mode, int highest) {
        return Map.of("networkTopology", Map.of("mode", mode, "highestTierAllowed", highest));
    }

    private Decisions round() {
        now += 10_000;
        state.apply(List.copyOf(untold), now);
        untold.clear();
        return state.decide(now);
    }

    private List<String> nodes() {
        return round().bindings().stream()
                .map(binding -> binding.placement().node())
                .distinct()
                .sorted()
                .toList();
    }

    @Test
    void theLowestTierWithRoom_isTaken() {
        world(2);
        group(topology("hard", 3));
        assertThat(nodes()).containsExactly("a", "b");
    }

    @ParameterizedTest
    @CsvSource({"3, true", "2, false", "1, false"})
    void aGroup_goesAsHighAsItMay_andNoHigher(int highest, boolean fits) {
        world(1);
        group(topology("hard", highest));
        assertThat(nodes()).isEqualTo(fits ? List.of("a", "b", "c") : List.of());
    }

    @Test
    void aSoftGroup_isNotHeldBack_butStaysLowWhereItCan() {
        world(2);
        group(topology("soft", 1));
        assertThat(nodes()).containsExactly("a", "b");
    }

    @Test
    void aSoftGroup_thatFitsInNoHyperNode_takesAnyNodes() {
        world(1);
        untold.add(new Change.HyperNodeGone("spine"));
        group(topology("soft", 1));
        assertThat(nodes()).hasSizeGreaterThan(1);
    }

    @Test
    void whatIsNotHonoured_isNamed() {
        assertThat(problem(Map.of("networkTopology", Map.of()))).contains("hard needs highestTierAllowed");
        assertThat(problem(topology("hard", 16))).contains("must be in 0..15, got 16");
        assertThat(problem(Map.of("networkTopology", Map.of("highestTierName", "rack"))))
                .startsWith("spec.networkTopology.highestTierName");
        assertThat(problem(Map.of("subGroupPolicy", List.of(Map.of("subGroupSize", 2)))))
                .startsWith("spec.subGroupPolicy");
    }

    private static String problem(Map<String, Object> spec) {
        return GroupVocabulary.VOLCANO.read(object("g", spec)).problem();
    }
}
