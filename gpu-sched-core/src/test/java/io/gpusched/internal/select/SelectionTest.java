package io.gpusched.internal.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SelectionTest {
    /** At most ten nodes; beyond two buckets, at most four. */
    private static final Selection.Limits LIMITS = new Selection.Limits(10, 2, 4);

    private static NodeBucket bucket(int nodes) {
        NodeBucket bucket = new NodeBucket(new TreeCount(), LabelColumn.ABSENT);
        NodeTable table = new NodeTable();
        Cluster.of(IntStream.range(0, nodes)
                        .mapToObj(i -> Node.builder("n" + i).build())
                        .toList())
                .nodes()
                .forEach(node -> bucket.add(table.add(new NodeSpot(node, node.nodeClass()))));
        return bucket;
    }

    private static Selection of(int... sizes) {
        Selection selection = new Selection(LIMITS);
        for (int size : sizes) {
            selection.add(bucket(size));
        }
        return selection;
    }

    @Test
    void fewBuckets_mayHoldUpToTheMostNodes() {
        assertThat(of(6, 4).isTooMany()).isFalse();
        assertThat(of(6, 4).size()).isEqualTo(10);
        assertThat(of(6, 5).isTooMany()).isTrue();
    }

    @Test
    void manyBuckets_mayHoldFewNodes() {
        assertThat(of(1, 1, 2).isTooMany()).isFalse();
        assertThat(of(1, 1, 3).isTooMany()).isTrue();
        assertThat(of(5, 0).isTooMany()).isFalse();
    }

    @Test
    void add_tellsWhetherItIsStillWorthIt_andTakesNoMoreOnceItIsNot() {
        Selection selection = new Selection(LIMITS);
        NodeBucket large = bucket(8);
        assertThat(selection.add(large)).isTrue();
        assertThat(selection.add(bucket(3))).isFalse();
        assertThat(selection.add(bucket(1))).isFalse();
        assertThat(selection.buckets()).hasSize(2).startsWith(large);
    }

    @Test
    void addAll_takesTheOthersBuckets_andItsGivingUp() {
        Selection both = of(3);
        assertThat(both.addAll(of(4))).isTrue();
        assertThat(both.size()).isEqualTo(7);
        assertThat(both.addAll(new Selection(LIMITS).withTooMany())).isFalse();
        assertThat(both.isTooMany()).isTrue();
    }

    @Test
    void theSmaller_isBetter_andAnyIsBetterThanOneThatGaveUp() {
        assertThat(of(2).isBetterThan(of(3))).isTrue();
        assertThat(of(3).isBetterThan(of(3))).isFalse();
        assertThat(of(9).isBetterThan(of(1).withTooMany())).isTrue();
        assertThat(of(1).withTooMany().isBetterThan(of(9).withTooMany())).isFalse();
    }

    @Test
    void noBucket_isASelectionOfNoNode() {
        assertThat(new Selection(LIMITS).isTooMany()).isFalse();
        assertThat(new Selection(LIMITS).buckets()).isEqualTo(List.of());
    }
}
