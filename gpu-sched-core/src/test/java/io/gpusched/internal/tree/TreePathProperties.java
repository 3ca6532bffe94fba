package io.gpusched.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TreePathProperties {
    private static KeyedTree<Integer> tree(int size) {
        long[] keys = LongStream.range(0, size).map(i -> 100 + 10 * i).toArray();
        Object[] leaves = IntStream.range(0, size).boxed().toArray();
        return KeyedTree.of(SummaryFormat.counting(), keys, leaves);
    }

    @Property(tries = 200)
    void path_ofEachLeaf_leadsToItInATreeThatWasBuiltOfSoMany(@ForAll @IntRange(min = 1, max = 5_000) int size) {
        KeyedTree<Integer> tree = tree(size);
        for (int i = 0; i < size; i++) {
            assertThat(tree.at(KeyedTree.path(i, size))).isEqualTo(i);
        }
    }

    @Test
    void path_ofTheLastOfAMillion_leadsToIt() {
        int size = 1_000_003;
        assertThat(tree(size).at(KeyedTree.path(size - 1, size))).isEqualTo(size - 1);
    }

    @Test
    void likely_prefersWhatIsBuffered_andTellsOfRemovedLeavesNothing() {
        BufferedTree<Integer> tree = BufferedTree.of(tree(40));
        int path = KeyedTree.path(7, 40);
        assertThat(tree.likely(170, path)).isEqualTo(7);
        assertThat(tree.with(170, 99).likely(170, path)).isEqualTo(99);
        assertThat(tree.without(170).likely(170, path)).isNull();
    }

    @Property(tries = 200)
    void at_anyPathWhatever_isALeafOrNothing(
            @ForAll @IntRange(min = 0) int path, @ForAll @IntRange(max = 300) int size) {
        Integer leaf = tree(size).at(path);
        assertThat(leaf == null || leaf >= 0 && leaf < size).isTrue();
    }
}
