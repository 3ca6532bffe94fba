package io.gpusched.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tree against a plain list, at sizes around the borders of its chunks and branches (16, 256, 4,096). */
class SummaryTreeTest {
    private static final NaiveSummary FORMAT = new NaiveSummary();

    private static List<Integer> leaves(int size, Random random) {
        List<Integer> leaves = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            leaves.add(random.nextInt(100_000));
        }
        return leaves;
    }

    private static SummaryTree<Integer> with(SummaryTree<Integer> tree, int at, Integer leaf) {
        return with(tree, Map.of(at, leaf));
    }

    private static SummaryTree<Integer> with(SummaryTree<Integer> tree, Map<Integer, Integer> leaves) {
        return tree.with(Pending.of(FORMAT, new Int2ObjectOpenHashMap<>(leaves)));
    }

    private static Integer first(
            SummaryTree<Integer> tree, int word, long mask, long least, int from, int to, Predicate<Integer> wanted) {
        AtomicReference<Integer> found = new AtomicReference<>();
        boolean stopped = tree.visit(word, mask, least, from, to, (position, leaf) -> {
            assertThat(leaf).isSameAs(tree.get(position));
            if (wanted.test(leaf)) {
                found.set(leaf);
            }
            return found.get() != null;
        });
        assertThat(stopped).isEqualTo(found.get() != null);
        return found.get();
    }

    private static long sum(List<Integer> leaves) {
        return leaves.stream()
                .mapToLong(leaf -> FORMAT.count(FORMAT.digest(leaf)))
                .sum();
    }

    /** Nothing, a leaf of the same key, or any. */
    private static int nextValue(int before, Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> before ^ random.nextInt(64);
            default -> random.nextInt(100_000);
        };
    }

    private static void assertHolds(SummaryTree<Integer> tree, List<Integer> expected) {
        tree.validate();
        assertThat(tree.size()).isEqualTo(expected.size());
        assertThat(IntStream.range(0, tree.size()).mapToObj(tree::get).toList()).isEqualTo(expected);
        assertThat(NaiveSummary.read(tree.summary())).isEqualTo(NaiveSummary.of(expected));
    }

    @Test
    void with_aLeafThatKeepsItsKey_leavesTheKeysOfTheOriginAlone() {
        SummaryTree<Integer> origin = SummaryTree.of(FORMAT, List.of(64, 128));
        assertHolds(with(origin, Map.of(0, 65, 1, 640)), List.of(65, 640));
        assertHolds(origin, List.of(64, 128));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 17, 255, 256, 257, 4_095, 4_097})
    void with_randomReplacements_holdsWhatAListHolds_andOlderTreesStay(int size) {
        Random random = new Random(size);
        List<Integer> list = leaves(size, random);
        SummaryTree<Integer> tree = SummaryTree.of(FORMAT, list);
        assertHolds(tree, list);
        SummaryTree<Integer> first = tree;
        List<Integer> firstList = List.copyOf(list);
        for (int i = 0; i < (size == 0 ? 0 : 200); i++) {
            int at = random.nextInt(size);
            int value = nextValue(list.get(at), random);
            SummaryTree<Integer> older = tree;
            Integer before = list.get(at);
            tree = with(tree, at, value);
            list.set(at, value);
            assertThat(older.get(at)).isEqualTo(before);
            assertThat(tree.get(at)).isEqualTo(value);
            assertThat(tree.sum(0, size)).isEqualTo(sum(list));
            assertThat(NaiveSummary.read(tree.summary())).isEqualTo(NaiveSummary.of(list));
        }
        assertHolds(tree, list);
        assertHolds(first, firstList);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 15, 16, 17, 256, 257, 511, 4_096, 4_097})
    void with_manyReplacementsAtOnce_holdsWhatAListHolds_andOlderTreesStay(int size) {
        Random random = new Random(size);
        List<Integer> list = leaves(size, random);
        SummaryTree<Integer> tree = SummaryTree.of(FORMAT, list);
        List<SummaryTree<Integer>> built = new ArrayList<>(List.of(tree));
        List<List<Integer>> expected = new ArrayList<>(List.of(List.copyOf(list)));
        for (int round = 0; round < 6; round++) {
            Map<Integer, Integer> leaves = new HashMap<>();
            for (int i = 0; i < 15 << round; i++) {
                int at = random.nextInt(size);
                leaves.put(at, nextValue(list.get(at), random));
            }
            leaves.forEach(list::set);
            if (round % 2 == 0) {
                assertThat(tree.sum(0, size)).isEqualTo(sum(expected.get(round)));
            }
            tree = with(tree, leaves);
            assertThat(tree.sum(0, size)).isEqualTo(sum(list));
            built.add(tree);
            expected.add(List.copyOf(list));
        }
        for (int round = 0; round < built.size(); round++) {
            assertHolds(built.get(round), expected.get(round));
        }
    }

    @Test
    void with_noReplacement_isTheSameTree() {
        for (int size : new int[] {0, 5, 500}) {
            SummaryTree<Integer> tree = SummaryTree.of(FORMAT, leaves(size, new Random(size)));
            assertThat(with(tree, Map.of())).isSameAs(tree);
        }
    }

    @Test
    void with_aLeafOfTheSameKeyBeforeAnother_leavesTheOriginAlone() {
        SummaryTree<Integer> origin = SummaryTree.of(FORMAT, List.of(100, 200, 300));
        assertHolds(with(origin, Map.of(0, 100, 1, 700)), List.of(100, 700, 300));
        assertHolds(origin, List.of(100, 200, 300));
        assertThat(origin.sum(1, 2)).isEqualTo(FORMAT.count(200 / 64));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 17, 255, 256, 257, 4_095, 4_097})
    void sum_ofARange_isThatOfItsLeaves(int size) {
        Random random = new Random(size);
        List<Integer> list = leaves(size, random);
        SummaryTree<Integer> tree = SummaryTree.of(FORMAT, list);
        for (int i = 0; i < 200; i++) {
            int from = random.nextInt(size + 1);
            int to = random.nextInt(size + 1);
            List<Integer> range = from < to ? list.subList(from, to) : List.of();
            assertThat(tree.sum(from, to))
                    .as("%d..%d", from, to)
                    .isEqualTo(range.stream()
                            .mapToLong(leaf -> FORMAT.count(FORMAT.digest(leaf)))
                            .sum());
        }
        assertThat(tree.sum(0, size + 100)).isEqualTo(tree.sum(0, size));
    }

    private static boolean isWanted(int leaf, int word, long mask, long least) {
        for (int lane = 0; lane < Long.SIZE; lane++) {
            if ((mask >>> lane & 1) != 0 && FORMAT.isIn(leaf, 64 * word + lane)) {
                return Lanes.max(FORMAT.entry(FORMAT.digest(leaf)), least) == FORMAT.entry(FORMAT.digest(leaf));
            }
        }
        return false;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 17, 255, 256, 257, 4_095, 4_097})
    void first_inARange_isTheFirstOfTheListThatIsWanted(int size) {
        Random random = new Random(size);
        List<Integer> list = leaves(size, random);
        SummaryTree<Integer> tree = SummaryTree.of(FORMAT, list);
        for (int i = 0; i < 400; i++) {
            int from = random.nextInt(size + 1);
            int to = random.nextInt(4) == 0 ? size + random.nextInt(20) : random.nextInt(size + 1);
            int word = random.nextInt(4);
            long mask = random.nextBoolean() ? 1L << random.nextInt(64) : random.nextLong();
            long least = Lanes.of(random.nextInt(Lanes.PER_WORD), random.nextInt(Lanes.MAX))
                    | Lanes.of(random.nextInt(Lanes.PER_WORD), random.nextInt(Lanes.MAX) / 4);
            int odd = random.nextInt(2);
            Integer expected = IntStream.range(from, Math.max(from, Math.min(to, size)))
                    .mapToObj(list::get)
                    .filter(leaf -> isWanted(leaf, word, mask, least & Lanes.ALL) && leaf % 2 == odd)
                    .findFirst()
                    .orElse(null);
            assertThat(first(tree, word, mask, least & Lanes.ALL, from, to, leaf -> leaf % 2 == odd))
                    .as("%d..%d", from, to)
                    .isEqualTo(expected);
        }
    }

    @Test
    void first_whereSummariesAdmitOneLeaf_offersNoOther() {
        List<Integer> list = new ArrayList<>(Collections.nCopies(3_000, 64));
        list.set(2_500, 64 | 33);
        SummaryTree<Integer> tree = SummaryTree.of(FORMAT, list);
        List<Integer> offered = new ArrayList<>();
        assertThat(first(tree, 1, 1L << 6, 0, 0, 3_000, offered::add)).isEqualTo(64 | 33);
        assertThat(offered).containsExactly(64 | 33);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 17, 255, 256, 257, 4_095, 4_097})
    void forEach_visitsEveryLeafInOrder(int size) {
        List<Integer> list = leaves(size, new Random(size));
        List<Integer> visited = new ArrayList<>();
        SummaryTree.of(FORMAT, list).forEach(visited::add);
        assertThat(visited).isEqualTo(list);
    }

    @Test
    void first_offersLeavesInOrder() {
        List<Integer> list =
                IntStream.range(0, 300).mapToObj(i -> 64 + (i & 31)).toList();
        List<Integer> offered = new ArrayList<>();
        assertThat(first(SummaryTree.of(FORMAT, list), 0, -1, 0, 5, 290, leaf -> {
                    offered.add(leaf);
                    return false;
                }))
                .isNull();
        assertThat(offered).isEqualTo(list.subList(5, 290));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 15, 16, 17, 256, 257, 511, 4_096, 4_097})
    void forEachChange_reportsWhatIsNotTheSameObject(int size) {
        Random random = new Random(size);
        List<Integer> list = leaves(size, random);
        SummaryTree<Integer> old = SummaryTree.of(FORMAT, list);
        SummaryTree<Integer> tree = old;
        TreeSet<Integer> changed = new TreeSet<>();
        for (int i = 0; i < 20; i++) {
            int at = random.nextInt(size);
            changed.add(at);
            tree = with(tree, at, 1_000_000 + i);
        }
        assertThat(changes(tree, old)).isEqualTo(new ArrayList<>(changed));
        assertThat(changes(old, tree)).isEqualTo(new ArrayList<>(changed));
        assertThat(changes(tree, tree)).isEmpty();
    }

    private static List<Integer> changes(SummaryTree<Integer> tree, SummaryTree<Integer> other) {
        List<Integer> positions = new ArrayList<>();
        tree.forEachChange(other, positions::add);
        return positions;
    }

    @Test
    void forEachChange_betweenTreesOfDifferentSize_isRefused() {
        SummaryTree<Integer> two = SummaryTree.of(FORMAT, List.of(1, 2));
        SummaryTree<Integer> three = SummaryTree.of(FORMAT, List.of(1, 2, 3));
        assertThatThrownBy(() -> two.forEachChange(three, at -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("trees of 2 and 3 leaves");
    }

    @Test
    void validate_findsAWrongSummaryAtTheRootAndBelow() {
        for (int size : new int[] {5, 500}) {
            SummaryTree<Integer> tree =
                    SummaryTree.of(FORMAT, IntStream.range(0, size).boxed().toList());
            tree.validate();
            tree.summary()[tree.summary().length - 1]++;
            assertThatThrownBy(tree::validate)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("expected");
        }
    }

    /** Leaves that can be changed behind the tree's back. */
    private static final class Slippery implements SummaryFormat<int[]> {
        @Override
        public long digest(int[] leaf) {
            return FORMAT.digest(leaf[0]);
        }

        @Override
        public long entry(long digest) {
            return FORMAT.entry(digest);
        }

        @Override
        public long count(long key) {
            return FORMAT.count(key);
        }

        @Override
        public long lanes(long key) {
            return FORMAT.lanes(key);
        }

        @Override
        public long @Nullable [] moreLanes(int[] leaf) {
            return FORMAT.moreLanes(leaf[0]);
        }
    }

    @Test
    void validate_findsALeafThatChanged_howeverDeep() {
        List<int[]> leaves =
                IntStream.range(0, 600).mapToObj(i -> new int[] {i}).toList();
        SummaryTree<int[]> tree = SummaryTree.of(new Slippery(), leaves);
        tree.validate();
        leaves.get(577)[0] = 64_000;
        assertThatThrownBy(tree::validate)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("summary ");
        leaves.get(577)[0] = 577 ^ 32;
        assertThatThrownBy(tree::validate)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("summary ");
    }

    @Test
    void with_anEqualSummary_sharesItWithTheOlderTree() {
        SummaryTree<Integer> old =
                SummaryTree.of(FORMAT, IntStream.range(0, 300).boxed().toList());
        SummaryTree<Integer> tree = with(old, 7, Integer.valueOf(7));
        assertThat(tree.summary()).isSameAs(old.summary());
    }
}
