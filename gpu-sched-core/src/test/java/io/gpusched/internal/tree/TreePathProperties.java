package io.gpusched.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
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

    @Property(tries = 100)
    void updatesThatKnowWhatTheyReplace_doWhatOthersDo_whetherTheirPathsAreTrueOrNot(
            @ForAll @IntRange(min = 1, max = 700) int size, @ForAll Random random) {
        BufferedTree<Object> known = BufferedTree.of(objects(size));
        BufferedTree<Object> plain = known;
        for (int i = 0; i < 200; i++) {
            long key = 100 + 10L * random.nextInt(size);
            Object before = known.get(key);
            Object after = new Object();
            if (random.nextInt(8) == 0) {
                // what comes and goes moves others, so that their paths no longer lead to them
                long other = key + random.nextInt(10);
                known = before == null || other > key ? known.with(other, after) : known.without(key);
                plain = before == null || other > key ? plain.with(other, after) : plain.without(key);
            } else if (before != null) {
                int path =
                        random.nextBoolean() ? KeyedTree.path((int) (key - 100) / 10, size) : random.nextInt(1 << 16);
                known = known.with(key, after, before, path);
                plain = plain.with(key, after);
            }
        }
        known.validate();
        plain.validate();
        known.forEachChange(plain, (key, before, after) -> {
            throw new AssertionError("key " + key);
        });
        assertThat(known.sum(0, Long.MAX_VALUE)).isEqualTo(plain.sum(0, Long.MAX_VALUE));
    }

    private static KeyedTree<Object> objects(int size) {
        long[] keys = LongStream.range(0, size).map(i -> 100 + 10 * i).toArray();
        Object[] leaves = IntStream.range(0, size).mapToObj(i -> new Object()).toArray();
        return KeyedTree.of(SummaryFormat.counting(), keys, leaves);
    }
}
