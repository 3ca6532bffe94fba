package io.gpusched.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.PodId;
import io.gpusched.workload.NodeSelector;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodManifestTest {
    private static final PodManifest POD = new PodManifest(
            PodId.of("p"),
            Map.of("app", "a"),
            Map.of("note", "n"),
            List.of(ContainerManifest.limits("main", Map.of("cpu", "1"))),
            NodeSelector.labels(Map.of("zone", "z1")),
            List.of());

    @Test
    void onNodes_acceptsOnlyNodesThatBothSelectorsAccept() {
        NodeSelector selector =
                POD.onNodes(NodeSelector.labels(Map.of("disk", "ssd"))).nodeSelector();
        assertThat(selector.matches(Map.of("zone", "z1", "disk", "ssd"))).isTrue();
        assertThat(selector.matches(Map.of("zone", "z1"))).isFalse();
        assertThat(selector.matches(Map.of("disk", "ssd"))).isFalse();
    }

    @Test
    void withAnnotations_replacesThemAndNothingElse() {
        PodManifest other = POD.withAnnotations(Map.of("other", "o"));
        assertThat(other.annotations()).containsExactly(Map.entry("other", "o"));
        assertThat(other.withAnnotations(POD.annotations())).isEqualTo(POD);
    }

    @Test
    void onNodes_changesNothingElse() {
        assertThat(POD.onNodes(NodeSelector.ANY)).isEqualTo(POD);
    }
}
