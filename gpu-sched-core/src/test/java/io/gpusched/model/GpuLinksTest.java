package io.gpusched.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.model.GpuLinks.Link;
import io.gpusched.model.GpuLinks.Nic;
import io.gpusched.model.GpuLinks.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class GpuLinksTest {
    private static final Link FAR = Link.of(Path.SYS, 0);
    private static final Link NEAR = Link.of(Path.PIX, 2);

    private static GpuLinks pairOfTwo() {
        return GpuLinks.of(
                List.of(List.of(Link.NONE, NEAR, FAR), List.of(NEAR, Link.NONE, FAR), List.of(FAR, FAR, Link.NONE)),
                List.of(new Nic("mlx5_0", 0, List.of(Path.PIX, Path.PXB, Path.SYS))));
    }

    @Test
    void link_addsTheWayOverPcieAndItsNvlinks() {
        assertThat(NEAR.score()).isEqualTo(250);
        assertThat(pairOfTwo().link(0, 1)).isEqualTo(NEAR);
        assertThat(pairOfTwo().link(2, 0).nvlinks()).isZero();
        assertThat(pairOfTwo().nvlinkMask(1)).isEqualTo(0b001);
        assertThat(pairOfTwo().nvlinkMask(2)).isZero();
        assertThat(pairOfTwo().nicScore(1)).isEqualTo(40);
    }

    @Test
    void links_thatDifferByDirection_areRefusedWithBothValues() {
        assertThatThrownBy(() -> GpuLinks.of(List.of(List.of(Link.NONE, NEAR), List.of(FAR, Link.NONE)), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("from gpu 0 to gpu 1 there is NV2 (250), but back there is 10")
                .hasMessageContaining("Maybe");
    }

    @Test
    void matrix_thatIsNotSquare_isRefusedWithItsRow() {
        assertThatThrownBy(() -> GpuLinks.of(List.of(List.of(Link.NONE, NEAR), List.of(NEAR)), List.of()))
                .hasMessageContaining("the row of gpu 1 must have 2 links, got 1");
        assertThatThrownBy(() -> GpuLinks.of(
                        List.of(List.of(Link.NONE)), List.of(new Nic("nic", -1, List.of(Path.PIX, Path.PIX)))))
                .hasMessageContaining("network card \"nic\" must have 1 paths, got 2");
        assertThatThrownBy(() -> pairOfTwo().link(0, 3)).hasMessageContaining("0..2, got 3");
    }

    @Test
    void node_refusesLinksOfAnotherNumberOfGpus() {
        Node.Builder node =
                Node.builder("n").gpus(2, GpuModel.of("NVIDIA", "A100", 40_960)).links(pairOfTwo());
        assertThatThrownBy(node::build).hasMessageContaining("node \"n\"").hasMessageContaining("got 3");
    }

    @Test
    void gpus_areAlikeOnlyIfTheyCouldChangePlaces() {
        assertThat(pairOfTwo().areAlike(0, 1))
                .as("their ways to the card differ")
                .isFalse();
        GpuLinks uniform = GpuLinks.uniform(4, Link.of(Path.UNKNOWN, 18));
        assertThat(uniform.areAlike(0, 3)).isTrue();
        GpuLinks twoPairs = GpuLinks.of(
                List.of(
                        List.of(Link.NONE, NEAR, FAR, FAR),
                        List.of(NEAR, Link.NONE, FAR, FAR),
                        List.of(FAR, FAR, Link.NONE, NEAR),
                        List.of(FAR, FAR, NEAR, Link.NONE)),
                List.of());
        assertThat(twoPairs.areAlike(0, 1)).isTrue();
        assertThat(twoPairs.areAlike(0, 2)).isFalse();
    }

    @Test
    void equalLinks_makeNodesOfOneClass_otherLinksDoNot() {
        Node.Builder node = Node.builder("n").gpus(3, GpuModel.of("NVIDIA", "A100", 40_960));
        NodeClass linked = NodeClass.of(node.links(pairOfTwo()).build());
        assertThat(NodeClass.of(node.links(pairOfTwo()).build()))
                .isEqualTo(linked)
                .hasSameHashCodeAs(linked);
        assertThat(NodeClass.of(node.links(GpuLinks.uniform(3, FAR)).build())).isNotEqualTo(linked);
        assertThat(linked.links()).isEqualTo(pairOfTwo());
        assertThat(GpuLinks.of(pairOfTwo().matrix(), pairOfTwo().nics())).isEqualTo(pairOfTwo());
        assertThat(pairOfTwo()).hasToString("links of 3 gpus and 1 network cards");
        assertThat(GpuLinks.uniform(0, FAR).isNone()).isTrue();
    }
}
