package io.gpusched.manifests.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.volcano.VolcanoDialect;
import io.gpusched.dialect.volcano.VolcanoPolicy;
import io.gpusched.policy.PlacementPolicy;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DialectPoliciesTest {
    static List<String> dialects() {
        return Dialects.known().stream().filter(name -> !name.equals("hami")).toList();
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void thePolicyOfADialect_isFoundByItsName(String dialect) {
        PlacementPolicy policy = Dialects.find(dialect).orElseThrow().dialect().policy();
        assertThat(DialectPolicies.named(policy.toString())).contains(policy);
    }

    static Stream<Map<String, String>> annotations() {
        return Stream.of(
                Map.of(),
                Map.of("hami.io/gpu-scheduler-policy", "binpack"),
                Map.of("hami.io/gpu-scheduler-policy", "numa,(mutex);spread"),
                Map.of("hami.io/node-scheduler-policy", "spread", "nvidia.com/numa-bind", "true"),
                Map.of("hami.io/device-scoring-weights", "slot=1,core=0,memory=7"));
    }

    @ParameterizedTest
    @MethodSource("annotations")
    void thePolicyThatAnnotationsChooseInHami_isFoundByItsName(Map<String, String> annotations) {
        HamiDialect hami = HamiAnnotations.dialect();
        PlacementPolicy policy = hami.policy(PodManifest.of("p", List.of()).withAnnotations(annotations));
        assertThat(DialectPolicies.named(policy.toString())).contains(policy);
    }

    @Test
    void volcanosNodeScore_isPartOfTheName() {
        PlacementPolicy policy =
                VolcanoDialect.of(VolcanoPolicy.SPREAD).withNodeScore(true).policy();
        assertThat(DialectPolicies.named(policy.toString())).contains(policy);
    }

    /** Of all devices that the dialect knows: what it looks at is in its settings. */
    @Test
    void aPolicyOfHamiThatLooksAtOtherVendors_isNotKnownByItsName() {
        PlacementPolicy policy = HamiAnnotations.dialect().policy();
        assertThat(DialectPolicies.named(policy.toString())).isEmpty();
    }

    @Test
    void aNameOfNoDialect_isNotKnown() {
        assertThat(DialectPolicies.named("mine")).isEmpty();
    }
}
