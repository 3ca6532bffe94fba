package io.gpusched.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The tree and its buffer against a TreeMap, at sizes around the borders of chunks and branches. */
class BufferedTreeProperties {
    private static final long KEYS = 3_000;

    @Provide
    Arbitrary<Integer> sizes() {
        return Arbitraries.of(0, 1, 5, 16, 17, 80, 256, 257, 700);
    }

    private static SortedMap<Long, Integer> range(TreeModel model, long from, long to) {
        return from < to ? model.map().subMap(from, to) : new TreeMap<>();
    }

    private static long bound(Random random) {
        return random.nextInt(5) == 0 ? (random.nextBoolean() ? 0 : Long.MAX_VALUE) : random.nextLong(KEYS + 10);
    }

    @Property(tries = 60)
    void randomPutsAndRemovalsHoldWhatATreeMapHolds_andForksOfOlderVersionsStayValid(
            @ForAll("sizes") int size, @ForAll Random random) {
        List<TreeModel> versions = new ArrayList<>(List.of(TreeModel.random(size, KEYS, random)));
        TreeModel model = versions.get(0);
        int puts = random.nextInt(4);
        for (int i = 0; i < 150; i++) {
            model = model.step(KEYS, puts, random);
            model.tree().validate();
            assertThat(model.tree().size()).isEqualTo(model.map().size());
            long key = model.key(KEYS, random);
            assertThat(model.tree().get(key)).isSameAs(model.map().get(key));
            if (random.nextInt(20) == 0) {
                versions.add(model);
                model = versions.get(random.nextInt(versions.size()));
                puts = random.nextInt(5);
            }
        }
        versions.forEach(TreeModel::assertHolds);
    }

    @Property(tries = 60)
    void theFirstMatchOfARangeIsThatOfTheMap_whetherItIsBufferedOrNot(
            @ForAll("sizes") int size, @ForAll Random random) {
        TreeModel model = TreeModel.random(size, KEYS, random);
        for (int i = 0; i < 100; i++) {
            model = model.step(KEYS, 3, random);
            long from = bound(random);
            long to = bound(random);
            int word = random.nextInt(4);
            long mask = random.nextBoolean() ? -1 : random.nextLong();
            long least = Lanes.of(random.nextInt(Lanes.PER_WORD), random.nextInt(Lanes.MAX));
            List<Integer> expected = range(model, from, to).values().stream()
                    .filter(leaf -> TreeModel.isWanted(leaf, word, mask, least))
                    .toList();
            List<Integer> offered = new ArrayList<>();
            assertThat(model.tree().first(word, mask, least, from, to, leaf -> !offered.add(leaf)))
                    .isNull();
            assertThat(offered).isEqualTo(expected);
            assertThat(model.tree().first(word, mask, least, from, to, leaf -> leaf % 3 == 0))
                    .isEqualTo(expected.stream()
                            .filter(leaf -> leaf % 3 == 0)
                            .findFirst()
                            .orElse(null));
        }
    }

    @Property(tries = 60)
    void sumsAndWalksOfARangeAreThoseOfTheMap_whenAskedNowAndThen(@ForAll("sizes") int size, @ForAll Random random) {
        TreeModel model = TreeModel.random(size, KEYS, random);
        for (int i = 0; i < 100; i++) {
            model = model.step(KEYS, 2, random);
            long from = bound(random);
            long to = bound(random);
            if (random.nextInt(3) == 0) {
                assertThat(model.tree().sum(from, to))
                        .isEqualTo(TreeModel.sum(range(model, from, to).values()));
                assertThat(model.tree().sum(0, Long.MAX_VALUE))
                        .isEqualTo(TreeModel.sum(model.map().values()));
                TreeMap<Long, Integer> walked = new TreeMap<>();
                model.tree().forEach(from, to, walked::put);
                assertThat(walked).isEqualTo(range(model, from, to));
                model.tree().validate();
            }
        }
    }

    @Property(tries = 60)
    void theFirstLeavesAreThoseOfTheMap(@ForAll("sizes") int size, @ForAll Random random) {
        TreeModel model = TreeModel.random(size, KEYS, random);
        for (int i = 0; i < 40; i++) {
            model = model.step(KEYS, 2, random);
            int most = random.nextInt(40);
            assertThat(model.tree().first(most))
                    .isEqualTo(model.map().values().stream().limit(most).toList());
        }
    }

    @Property(tries = 60)
    void everyBucketOfALeafIsFound_andWithAnEmptyBufferNoOther(@ForAll("sizes") int size, @ForAll Random random) {
        TreeModel model = TreeModel.random(Math.min(size, 17), KEYS, random);
        for (int i = 0; i < 60; i++) {
            model = model.step(KEYS, 2, random);
            int from = random.nextInt(BucketSummary.BUCKETS);
            int to = from + random.nextInt(BucketSummary.BUCKETS + 1 - from);
            int next = model.tree().nextBucket(from, to);
            assertThat(next).isLessThan(to);
            for (int bucket = from; bucket < (next < 0 ? to : next); bucket++) {
                int empty = bucket;
                assertThat(model.map().values()).noneMatch(leaf -> TreeModel.FORMAT.isIn(leaf, empty));
            }
            long[] keys = model.map().keySet().stream().mapToLong(key -> key).toArray();
            int exact = BufferedTree.of(KeyedTree.of(
                            TreeModel.FORMAT, keys, model.map().values().toArray()))
                    .nextBucket(from, to);
            assertThat(exact < 0 || model.map().values().stream().anyMatch(leaf -> TreeModel.FORMAT.isIn(leaf, exact)))
                    .isTrue();
        }
    }

    @Example
    void aFullBufferIsAppliedOnce_andItsForksDiffer() {
        TreeModel model = TreeModel.random(200, KEYS, new Random(7));
        for (int i = 0; i < UpdateBuffer.MOST; i++) {
            model = model.with(10L * i, 6_400 + i);
        }
        TreeModel one = model.with(155, 1_001);
        TreeModel other = model.without(10);
        model.assertHolds();
        one.assertHolds();
        other.assertHolds();
        List<Long> changed = new ArrayList<>();
        other.tree().forEachChange(one.tree(), (key, before, after) -> changed.add(key));
        assertThat(changed).containsExactly(10L, 155L);
    }

    @Example
    void keysOutOfRangeAreRefused() {
        BufferedTree<Integer> tree = TreeModel.empty().tree();
        assertThatThrownBy(() -> tree.with(-1, 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("key must be in 0..9223372036854775806, got -1");
        assertThatThrownBy(() -> tree.without(Long.MAX_VALUE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> KeyedTree.of(TreeModel.FORMAT, new long[] {4, 4}, new Object[] {1, 2}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("keys must ascend, got 4 after 4");
        assertThatThrownBy(() -> KeyedTree.of(TreeModel.FORMAT, new long[] {4}, new Object[] {1, 2}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("1 keys for 2 leaves");
    }
}
