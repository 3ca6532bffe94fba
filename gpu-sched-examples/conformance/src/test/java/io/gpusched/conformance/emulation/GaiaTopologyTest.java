package io.gpusched.conformance.emulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GaiaTopologyTest {
    @Test
    void gaiaTopology_linksTheClosest_andFragmentsTheMostBroken() {
        GaiaTopology topology = GaiaTopology.parse(List.of(
                List.of("X", "PIX", "PHB", "PHB", "SOC", "SOC"),
                List.of("PIX", "X", "PHB", "PHB", "SOC", "SOC"),
                List.of("PHB", "PHB", "X", "PIX", "SOC", "SOC"),
                List.of("PHB", "PHB", "PIX", "X", "SOC", "SOC"),
                List.of("SOC", "SOC", "SOC", "SOC", "X", "PIX"),
                List.of("SOC", "SOC", "SOC", "SOC", "PIX", "X")));
        Set<Integer> all = Set.of(0, 1, 2, 3, 4, 5);
        assertThat(topology.link(all, 3)).containsExactly(0, 1, 2);
        assertThat(topology.link(Set.of(0, 2, 3, 4), 2)).containsExactly(2, 3);
        assertThat(topology.fragment(all, 2)).containsExactly(4, 5);
        assertThat(topology.fragment(Set.of(0, 1, 2, 3, 5), 1)).containsExactly(5);
        assertThat(topology.fragment(all, 5)).containsExactly(0, 1, 2, 3, 4);
        assertThat(topology.fragment(all, 7)).isEmpty();
        assertThatThrownBy(() -> GaiaTopology.parse(List.of(List.of("X", "TEA"), List.of("TEA", "X"))))
                .hasMessageContaining("\"TEA\"");
    }
}
