package io.gpusched.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;

import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A buffered tree and what it must hold, changed together. */
record TreeModel(BufferedTree<Integer> tree, TreeMap<Long, Integer> map) {
    static final NaiveSummary FORMAT = new NaiveSummary();

    static TreeModel empty() {
        return new TreeModel(BufferedTree.empty(FORMAT), new TreeMap<>());
    }

    /** Random leaves under random keys. */
    static TreeModel random(int size, long keys, Random random) {
        TreeMap<Long, Integer> map = new TreeMap<>();
        for (int i = 0; i < size; i++) {
            map.put(random.nextLong(keys), leaf(random));
        }
        long[] sorted = map.keySet().stream().mapToLong(Long::longValue).toArray();
        return new TreeModel(
                BufferedTree.of(KeyedTree.of(FORMAT, sorted, map.values().toArray())), map);
    }

    /** A leaf that is an object of its own, one time in four in no bucket. */
    static Integer leaf(Random random) {
        return Integer.valueOf(
                random.nextInt(4) == 0 ? 1_000 + random.nextInt(64) & 63 : 1_000 + random.nextInt(100_000));
    }

    TreeModel with(long key, Integer leaf) {
        TreeMap<Long, Integer> changed = new TreeMap<>(map);
        changed.put(key, leaf);
        return new TreeModel(tree.with(key, leaf), changed);
    }

    TreeModel without(long key) {
        TreeMap<Long, Integer> changed = new TreeMap<>(map);
        changed.remove(key);
        return new TreeModel(tree.without(key), changed);
    }

    /** Puts and removes up to so many leaves at once. */
    TreeModel withMany(int most, long keys, int puts, Random random) {
        TreeMap<Long, Integer> changed = new TreeMap<>(map);
        Long2ObjectMap<@Nullable Integer> updates = new Long2ObjectOpenHashMap<>();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            long key = key(keys, random);
            updates.put(key, random.nextInt(4) < puts ? leaf(random) : null);
        }
        updates.forEach((key, leaf) -> {
            if (leaf == null) {
                changed.remove(key);
            } else {
                changed.put(key, leaf);
            }
        });
        return new TreeModel(tree.withAll(updates), changed);
    }

    /** A key that is in use, or any other. */
    long key(long keys, Random random) {
        Long near = map.ceilingKey(random.nextLong(keys));
        return near == null || random.nextInt(3) == 0 ? random.nextLong(keys) : near;
    }

    /** Some operation. */
    TreeModel step(long keys, int puts, Random random) {
        if (random.nextInt(10) == 0) {
            return withMany(random.nextBoolean() ? 10 : 200, keys, puts, random);
        }
        long key = key(keys, random);
        if (random.nextInt(4) >= puts) {
            return without(key);
        }
        return random.nextBoolean() ? with(key, leaf(random)) : replaced(key, leaf(random));
    }

    /** Puts a leaf in place of one that is known, if there is one which stands nowhere else: small numbers may be one object. */
    private TreeModel replaced(long key, Integer leaf) {
        Integer before = map.get(key);
        if (before == null || before < 1_000) {
            return with(key, leaf);
        }
        TreeMap<Long, Integer> changed = new TreeMap<>(map);
        changed.put(key, leaf);
        return new TreeModel(tree.with(key, leaf, before, 0), changed);
    }

    /** Whether a leaf is in one of these buckets and has at least these numbers. */
    static boolean isWanted(int leaf, int word, long mask, long least) {
        long entry = FORMAT.entry(FORMAT.digest(leaf));
        return IntStream.range(0, Long.SIZE)
                        .anyMatch(bucket -> (mask >>> bucket & 1) != 0 && FORMAT.isIn(leaf, 64 * word + bucket))
                && Lanes.max(entry, least) == entry;
    }

    static long sum(Iterable<Integer> leaves) {
        long sum = 0;
        for (Integer leaf : leaves) {
            sum += FORMAT.count(FORMAT.digest(leaf));
        }
        return sum;
    }

    void assertHolds() {
        tree.validate();
        assertThat(tree.size()).isEqualTo(map.size());
        List<Integer> visited = new ArrayList<>();
        tree.forEach(visited::add);
        assertThat(visited).isEqualTo(List.copyOf(map.values()));
        map.forEach((key, leaf) -> assertThat(tree.get(key)).isSameAs(leaf));
    }
}
