package io.gpusched.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A tree in which every leaf counts 1, as a list that can be searched; and orders of insertion meant to harm it. */
class OrderedTreeProperties {
    private static final SummaryFormat<Long> COUNTING = SummaryFormat.counting();

    /** Which key comes next. */
    private enum Insertion {
        ASCENDING,
        DESCENDING,
        FROM_BOTH_ENDS,
        TOWARDS_THE_MIDDLE,
        RANDOM;

        long key(int i, Random random) {
            return switch (this) {
                case ASCENDING -> i;
                case DESCENDING -> 1_000_000 - i;
                case FROM_BOTH_ENDS -> i % 2 == 0 ? i : 1_000_000 - i;
                case TOWARDS_THE_MIDDLE -> i % 2 == 0 ? 500_000 + i : 500_000 - i;
                case RANDOM -> random.nextInt(1_000_000);
            };
        }
    }

    @Provide
    Arbitrary<Insertion> insertions() {
        return Arbitraries.of(Insertion.class);
    }

    @Property(tries = 40)
    void ranksAndSelectionsAreThoseOfASortedList(@ForAll("insertions") Insertion insertion, @ForAll Random random) {
        BufferedTree<Long> tree = BufferedTree.empty(COUNTING);
        TreeMap<Long, Long> map = new TreeMap<>();
        int n = random.nextInt(2_000);
        for (int i = 0; i < n; i++) {
            long key = insertion.key(i, random);
            tree = tree.with(key, key);
            map.put(key, key);
        }
        for (int i = random.nextInt(n + 1); i > 0 && !map.isEmpty(); i--) {
            long key = map.firstKey() + random.nextInt(1_000_000);
            Long found = random.nextBoolean() ? map.ceilingKey(key) : map.firstKey();
            if (found != null) {
                tree = tree.without(found);
                map.remove(found);
            }
        }
        tree.validate();
        List<Long> list = new ArrayList<>(map.keySet());
        assertThat(tree.size()).isEqualTo(list.size());
        for (int i = 0; i < list.size(); i++) {
            assertThat(tree.select(i)).isEqualTo(list.get(i));
            assertThat(tree.keyAt(i)).isEqualTo(list.get(i));
            assertThat(tree.rank(list.get(i))).isEqualTo(i);
        }
        for (int i = 0; i < 50; i++) {
            long key = random.nextInt(1_000_100);
            assertThat(tree.rank(key)).isEqualTo(map.headMap(key).size());
            Long lower = map.lowerKey(key);
            assertThat(tree.keyBefore(key)).isEqualTo(lower == null ? -1 : lower);
            AtomicInteger tests = new AtomicInteger();
            Long ceiling = map.ceilingKey(key);
            assertThat(tree.lowerBound(leaf -> tests.getAndIncrement() >= 0 && leaf >= key)
                            .orElse(-1))
                    .isEqualTo(ceiling == null ? -1 : ceiling);
            assertThat(tests).hasValueLessThan(25);
        }
    }

    @Property(tries = 20)
    void theHeightIsLogarithmic_whateverTheOrderOfInsertionsAndRemovals(
            @ForAll("insertions") Insertion insertion, @ForAll Random random) {
        BufferedTree<Long> tree = BufferedTree.empty(COUNTING);
        List<Long> keys = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            long key = insertion.key(i, random);
            tree = tree.with(key, key);
            keys.add(key);
        }
        tree.validate();
        int keep = random.nextInt(100);
        while (keys.size() > keep) {
            int at = random.nextBoolean() ? keys.size() - 1 : random.nextInt(keys.size());
            long key = keys.get(at);
            keys.set(at, keys.get(keys.size() - 1));
            keys.remove(keys.size() - 1);
            tree = tree.without(key);
            if (keys.size() % 500 == 0) {
                // which demands five parts at least everywhere but at the root
                tree.validate();
            }
        }
        tree.validate();
        assertThat(tree.size()).isLessThanOrEqualTo(keep);
    }

    @Example
    void anIndexOutOfRangeIsRefused() {
        BufferedTree<Long> tree = BufferedTree.<Long>empty(COUNTING).with(8, 8L);
        assertThat(tree.select(0)).isEqualTo(8);
        assertThatThrownBy(() -> tree.select(1))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("index 1 must be in 0..0");
        assertThatThrownBy(() -> tree.keyAt(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(tree.without(8).lowerBound(leaf -> true)).isEmpty();
    }
}
