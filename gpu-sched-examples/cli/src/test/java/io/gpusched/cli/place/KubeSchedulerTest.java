package io.gpusched.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What kube-scheduler 1.37 answered, node by node, about CPU, memory, GPUs, pod limits, taints and cordons, with sidecars,
 * overhead, pod-level resources and resizes. Some cases stand beside this test; all are run where they are at hand.
 */
class KubeSchedulerTest {
    private static final Path GOLDEN = Path.of("src/test/resources/kube-scheduler");
    private static final Path ALL = Path.of("../../../shared/vectors/kube");

    static List<KubeSchedulerCase> cases() {
        return cases(Files.isDirectory(ALL) ? ALL : GOLDEN);
    }

    private static List<KubeSchedulerCase> cases(Path folder) {
        List<KubeSchedulerCase> cases = new ArrayList<>();
        for (String theme : List.of("resources", "init-sidecar")) {
            cases.addAll(KubeSchedulerCase.read(folder.resolve(theme + ".json")));
        }
        return cases;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aPodGoesToTheNodesThatKubeSchedulerLetsItGoTo(KubeSchedulerCase vector) {
        assertThat(vector.withoutRounding().answers()).isEqualTo(vector.expected());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void whereMemoryIsNoWholeNumberOfMib_roundingLetsItGoNowhereElse(KubeSchedulerCase vector) {
        Map<String, Boolean> expected = vector.expected();
        assertThat(vector.answers())
                .allSatisfy(
                        (node, goes) -> assertThat(goes && !expected.get(node)).isFalse());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aResourceThatKeptItAwayAndIsNotCounted_isNamed(KubeSchedulerCase vector) {
        assertThat(vector.named()).containsAll(vector.uncounted());
    }

    @Test
    void theCasesBesideThisTest_holdSidecarsOverheadPodLevelResourcesAndResizes() {
        Stream<String> tags = Stream.of("sidecar", "overhead", "pod-level-resources", "resize-status", "init");
        assertThat(tags)
                .allSatisfy(tag -> assertThat(cases(GOLDEN))
                        .anyMatch(vector -> vector.json().get("tags").toString().contains("\"" + tag + "\"")));
    }
}
