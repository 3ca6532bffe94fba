package io.gpusched.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChecksTest {
    @Test
    void aNullElementIsNamedByItsIndex() {
        List<String> nodes = Arrays.asList("a", null, "c", null);
        assertThatNullPointerException()
                .isThrownBy(() -> Checks.list("nodes", nodes))
                .withMessage("nodes[1]");
        assertThatNullPointerException()
                .isThrownBy(() -> Checks.noNulls("nodes", nodes))
                .withMessage("nodes[1]");
        assertThatNullPointerException()
                .isThrownBy(() -> Checks.noNulls("nodes", nodes.toArray()))
                .withMessage("nodes[1]");
    }

    @Test
    void aNullKeyOrValueIsNamedByItsKey() {
        Map<String, String> labels = new HashMap<>(Map.of("app", "x"));
        labels.put("zone", null);
        assertThatNullPointerException()
                .isThrownBy(() -> Checks.ascending("labels", labels))
                .withMessage("labels[zone]");
        labels.remove("zone");
        labels.put(null, "x");
        assertThatNullPointerException()
                .isThrownBy(() -> Checks.noNulls("labels", labels))
                .withMessage("labels[null]");
    }

    @Test
    void whatHoldsNoNullIsCopied_andAnImmutableListIsKeptAsItIs() {
        List<String> nodes = new ArrayList<>(List.of("b", "a"));
        List<String> copy = Checks.list("nodes", nodes);
        nodes.clear();
        assertThat(copy).containsExactly("b", "a").isUnmodifiable();
        assertThat(Checks.list("nodes", copy)).isSameAs(copy);
        assertThat(Checks.ascending("labels", Map.of("b", 1, "a", 2)).keySet()).containsExactly("a", "b");
    }
}
