package io.gpusched.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class NamespacesTest {
    @Test
    void anUnknownNamespace_hasNoLabels() {
        assertThat(Namespaces.NONE.labelsOf("a")).isEmpty();
    }

    @Test
    void otherLabels_takeThePlaceOfThoseBefore_andLeaveOtherNamespacesAlone() {
        Namespaces before = Namespaces.NONE.with("a", Map.of("team", "x")).with("b", Map.of("team", "y"));
        Namespaces after = before.with("a", Map.of("tier", "1"));
        assertThat(after.labelsOf("a")).isEqualTo(Map.of("tier", "1"));
        assertThat(after.labelsOf("b")).isEqualTo(Map.of("team", "y"));
        assertThat(before.labelsOf("a")).isEqualTo(Map.of("team", "x"));
    }

    @Test
    void aNamespaceThatLosesItsLabels_isAsIfItHadNeverHadAny() {
        assertThat(Namespaces.NONE.with("a", Map.of("team", "x")).with("a", Map.of()))
                .isEqualTo(Namespaces.NONE);
    }
}
