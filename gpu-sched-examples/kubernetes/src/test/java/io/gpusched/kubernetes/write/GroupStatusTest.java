package io.gpusched.kubernetes.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.manifests.group.GroupCounts;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupLocality;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.group.GroupVocabulary;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GroupStatusTest {
    private static GroupSpec group(GroupVocabulary vocabulary) {
        GroupKey key = new GroupKey(vocabulary, "ns", "g");
        return new GroupSpec(key, "u", 2, Map.of(), GroupLocality.ANYWHERE, "", Optional.empty(), "");
    }

    private static GroupCounts bound(int count, Map<String, BigDecimal> allocated) {
        return new GroupCounts(2, count, 0, 0, 0, 0, allocated, Map.of("", 2));
    }

    private static Map<?, ?> condition(Map<String, Object> status, String type) {
        return ((List<?>) status.get("conditions"))
                .stream()
                        .map(Map.class::cast)
                        .filter(one -> type.equals(one.get("type")))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void t9k_isToldWhatThePodsOfAGroupHold() {
        Map<String, BigDecimal> holds = Map.of(
                "cpu", new BigDecimal("2.5"),
                "memory", new BigDecimal("2147483648"),
                "tensorstack.dev/nvidia-gpu", new BigDecimal("2"));
        Map<String, Object> status = GroupStatus.of(group(GroupVocabulary.T9K), bound(2, holds), "", Map.of());
        assertThat(status.get("allocated"))
                .isEqualTo(Map.of("cpu", "2500m", "memory", "2147483648", "tensorstack.dev/nvidia-gpu", "2"));
        assertThat(GroupStatus.of(group(GroupVocabulary.VOLCANO), bound(2, holds), "", Map.of()))
                .doesNotContainKey("allocated");
    }

    @ParameterizedTest
    @EnumSource(names = {"T9K", "VOLCANO"})
    void aTransition_hasAnIdOfItsOwn_asLongAsTheConditionHolds(GroupVocabulary vocabulary) {
        String type = vocabulary == GroupVocabulary.T9K ? "GroupScheduled" : "Scheduled";
        Map<String, Object> first = GroupStatus.of(group(vocabulary), bound(2, Map.of()), "", Map.of());
        Object id = condition(first, type).get("transitionID");
        assertThat(String.valueOf(id)).hasSize(36);

        Map<String, Object> same = GroupStatus.of(group(vocabulary), bound(2, Map.of()), "", first);
        assertThat(condition(same, type).get("transitionID")).isEqualTo(id);

        Map<String, Object> refused = GroupStatus.of(group(vocabulary), bound(0, Map.of()), "no room", same);
        assertThat(condition(refused, type).get("transitionID")).isNotEqualTo(id);
    }

    @Test
    void theConditionOfKubernetesItself_hasNoSuchField() {
        Map<String, Object> status =
                GroupStatus.of(group(GroupVocabulary.KUBERNETES), bound(2, Map.of()), "", Map.of());
        assertThat(condition(status, "PodGroupInitiallyScheduled").get("status"))
                .isEqualTo("True");
        assertThat(condition(status, "PodGroupInitiallyScheduled").containsKey("transitionID"))
                .isFalse();
    }
}
