package io.gpusched.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;

import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** What two versions tell of each other, and what it costs. */
class TreeDiffProperties {
    private static final long KEYS = 5_000;
    private static final SummaryFormat<Integer> COUNTING = SummaryFormat.counting();

    private record Change(
            long key, @Nullable Integer before, @Nullable Integer after) {}

    private static List<Change> expected(TreeMap<Long, Integer> older, TreeMap<Long, Integer> newer) {
        TreeSet<Long> keys = new TreeSet<>(older.keySet());
        keys.addAll(newer.keySet());
        return keys.stream()
                .filter(key -> older.get(key) != newer.get(key))
                .map(key -> new Change(key, older.get(key), newer.get(key)))
                .toList();
    }

    private static List<Change> told(TreeModel older, TreeModel newer) {
        List<Change> changes = new ArrayList<>();
        newer.tree().forEachChange(older.tree(), (key, before, after) -> changes.add(new Change(key, before, after)));
        return changes;
    }

    @Property(tries = 100)
    void anyTwoVersionsOfAHistoryTellWhatIsNotTheSameObject(@ForAll Random random) {
        TreeModel model = TreeModel.random(random.nextInt(600), KEYS, random);
        List<TreeModel> versions = new ArrayList<>(List.of(model, TreeModel.empty()));
        int puts = random.nextInt(5);
        for (int i = 0; i < 120; i++) {
            model = model.step(KEYS, puts, random);
            if (random.nextInt(15) == 0) {
                versions.add(model);
                model = versions.get(random.nextInt(versions.size()));
                puts = random.nextInt(5);
            }
        }
        for (TreeModel older : versions) {
            for (TreeModel newer : versions) {
                assertThat(told(older, newer)).isEqualTo(expected(older.map(), newer.map()));
            }
        }
    }

    private static KeyedTree<Integer> tree(int size) {
        long[] keys = new long[size];
        Integer[] leaves = new Integer[size];
        Arrays.setAll(keys, i -> 1_000L * i);
        Arrays.setAll(leaves, i -> i + 1_000);
        return KeyedTree.of(COUNTING, keys, leaves);
    }

    private static KeyedTree<Integer> with(KeyedTree<Integer> tree, Long2ObjectMap<@Nullable Integer> updates) {
        return tree.with(UpdateBuffer.<Integer>none().with(LeafUpdate.all(COUNTING, updates)));
    }

    /** A tree that other leaves have entered and left so often that its parts stand elsewhere. */
    private static KeyedTree<Integer> shaken(KeyedTree<Integer> tree, Random random) {
        KeyedTree<Integer> shaken = tree;
        for (int i = 0; i < 3_000; i++) {
            Long2ObjectMap<@Nullable Integer> updates = new Long2ObjectOpenHashMap<>();
            long key = random.nextLong(1_000L * tree.size());
            updates.put(key, shaken.get(key) == null ? Integer.valueOf(i + 5_000) : null);
            shaken = with(shaken, updates);
        }
        return shaken;
    }

    @Property(tries = 30)
    void aDiffTakesStepsForChangedLeavesOnly_whereverSplitsAndJoinsPutTheirNeighbours(@ForAll Random random) {
        KeyedTree<Integer> older = shaken(tree(20_000), random);
        Long2ObjectMap<@Nullable Integer> updates = new Long2ObjectOpenHashMap<>();
        int changes = 1 + random.nextInt(20);
        long start = random.nextLong(15_000_000);
        boolean isDense = random.nextBoolean();
        while (updates.size() < changes) {
            long at = isDense ? start + random.nextInt(20_000) : random.nextLong(20_000_000);
            boolean put = random.nextBoolean();
            updates.put(put ? at : older.keyAt(older.rank(at)), put ? Integer.valueOf(7) : null);
        }
        KeyedTree<Integer> newer = with(older, updates);
        newer.validate();
        List<Long> told = new ArrayList<>();
        int steps = new TreeDiff<Integer>(older.cursor(), newer.cursor(), (key, before, after) -> told.add(key)).run();
        List<Long> keys = updates.keySet()
                .longStream()
                .filter(key -> !Objects.equals(older.get(key), newer.get(key)))
                .sorted()
                .boxed()
                .toList();
        assertThat(told).isEqualTo(keys);
        // for each change a path of 4 levels, at each of which a few parts of 16 are looked into
        assertThat(steps).isLessThan(changes * 4 * 3 * TreeLayout.FAN);
        assertThat(new TreeDiff<Integer>(newer.cursor(), newer.cursor(), (key, before, after) -> told.add(key)).run())
                .isEqualTo(1);
    }

    @Example
    void aVersionWithoutALongRunOfLeavesTellsOfThemAndTakesFewMoreSteps() {
        KeyedTree<Integer> older = tree(50_000);
        Long2ObjectMap<@Nullable Integer> updates = new Long2ObjectOpenHashMap<>();
        for (int i = 0; i < 2_000; i++) {
            updates.put(1_000L * (20_003 + i), null);
        }
        KeyedTree<Integer> newer = with(older, updates);
        newer.validate();
        List<Long> told = new ArrayList<>();
        int steps = new TreeDiff<Integer>(older.cursor(), newer.cursor(), (key, before, after) -> told.add(key)).run();
        assertThat(told).hasSize(2_000);
        assertThat(steps).isLessThan(2_000 * 5 / 4 + 500);
        int back = new TreeDiff<Integer>(newer.cursor(), older.cursor(), (key, before, after) -> told.add(key)).run();
        assertThat(told).hasSize(4_000);
        assertThat(back).isLessThan(2_000 * 5 / 4 + 500);
    }
}
