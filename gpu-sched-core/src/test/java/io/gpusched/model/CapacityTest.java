package io.gpusched.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.model.amount.NamedAmounts;
import org.junit.jupiter.api.Test;

class CapacityTest {
    private static final Node LARGEST =
            Node.builder("n").capacity(Resources.MAX, Resources.MAX).build();

    @Test
    void sumsReach2To62_andNotBeyond() {
        Capacity most = new Capacity(4_611_685, 0, 0, Resources.MAX_SUM - Resources.MAX, 0, 0, NamedAmounts.NONE);
        assertThat(most.plus(LARGEST).memoryMib()).isEqualTo(Resources.MAX_SUM);
        assertThat(most.plus(LARGEST).totals(0, Usage.NOTHING).capacity().memoryMib())
                .isEqualTo(Resources.MAX_SUM);
        assertThat(most.plus(LARGEST).minus(LARGEST)).isEqualTo(most);
        Capacity more = new Capacity(4_611_685, 0, 0, Resources.MAX_SUM - Resources.MAX + 1, 0, 0, NamedAmounts.NONE);
        assertThatThrownBy(() -> more.plus(LARGEST))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cluster: sum of memoryMib must be in 0..4611686018427387904, got 4611685018427387905 and"
                        + " 1000000000000 more of node \"n\"");
    }

    @Test
    void sumsByNameReach2To62_andNotBeyond() {
        Node all = Node.builder("n").resource("a", Resources.MAX_SUM).build();
        Capacity most = Capacity.NOTHING.plus(all);
        assertThat(most.totals(0, Usage.NOTHING).capacity().named().amount("a")).isEqualTo(Resources.MAX_SUM);
        assertThat(most.minus(all)).isEqualTo(Capacity.NOTHING);
        assertThatThrownBy(() -> most.plus(Node.builder("m").resource("a", 1).build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cluster: sum of a must be in 0..4611686018427387904, got 4611686018427387904 and 1 more of"
                        + " node \"m\"");
    }

    @Test
    void aMillionNodesOfTwoTiB_areLegal() {
        Node node = Node.builder("n").capacity(256_000, 2 << 20).build();
        Capacity sum = Capacity.NOTHING;
        for (int i = 0; i < 1_000_000; i++) {
            sum = sum.plus(node);
        }
        assertThat(sum.memoryMib()).isEqualTo(2_097_152_000_000L);
    }
}
