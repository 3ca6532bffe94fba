package io.gpusched.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tree against a plain list, at sizes around the borders of its chunks and branches (8, 64, 512). */
class SummaryTreeTest {
    private static final NaiveSummary FORMAT = new NaiveSummary();

    private static List<Integer> leaves(int size, Random random) {
        List<Integer> leaves = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            leaves.add(random.nextInt(100_000));
        }
        return leaves;
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
        assertThat(tree.summary()).isEqualTo(NaiveSummary.of(expected));
        List<Long> keys = new ArrayList<>();
        tree.first(
                new SummaryTree.Guide<Integer>() {
                    @Override
                    public boolean enter(long[] summary) {
                        return true;
                    }

                    @Override
                    public boolean acceptKey(long key, long secondKey) {
                        keys.add(key);
                        keys.add(secondKey);
                        return false;
                    }

                    @Override
                    public boolean accept(Integer leaf) {
                        return false;
                    }
                },
                0,
                tree.size());
        assertThat(keys)
                .isEqualTo(expected.stream()
                        .flatMap(leaf -> Stream.of(FORMAT.key(leaf), FORMAT.secondKey(leaf)))
                        .toList());
    }

    @Test
    void edit_ofALeafThatKeepsItsKey_leavesTheKeysOfTheOriginAlone() {
        SummaryTree<Integer> origin = SummaryTree.of(FORMAT, List.of(64, 128));
        SummaryTree.Editor<Integer> editor = origin.edit();
        editor.set(0, 65);
        editor.set(1, 640);
        assertHolds(editor.build(), List.of(65, 640));
        assertHolds(origin, List.of(64, 128));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 63, 64, 65, 511, 512, 513, 3_000})
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
            tree = tree.with(at, value);
            list.set(at, value);
            assertThat(older.get(at)).isEqualTo(before);
            assertThat(tree.get(at)).isEqualTo(value);
            assertThat(tree.summary()).isEqualTo(NaiveSummary.of(list));
        }
        assertHolds(tree, list);
        assertHolds(first, firstList);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 64, 65, 127, 129, 512, 2_048, 3_000})
    void edit_manyReplacements_leavesOriginAndBuiltTreesAlone(int size) {
        Random random = new Random(size);
        List<Integer> list = leaves(size, random);
        SummaryTree<Integer> origin = SummaryTree.of(FORMAT, list);
        List<Integer> originList = List.copyOf(list);
        SummaryTree.Editor<Integer> editor = origin.edit();
        List<SummaryTree<Integer>> built = new ArrayList<>();
        List<List<Integer>> expected = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < 60; i++) {
                int at = random.nextInt(size);
                int value = nextValue(list.get(at), random);
                editor.set(at, value);
                list.set(at, value);
                assertThat(editor.get(at)).isEqualTo(value);
            }
            built.add(editor.build());
            expected.add(List.copyOf(list));
        }
        for (int round = 0; round < built.size(); round++) {
            assertHolds(built.get(round), expected.get(round));
        }
        assertHolds(origin, originList);
    }

    @Test
    void edit_ofALeafWithTheSameKeyBeforeAnother_leavesTheOriginAlone() {
        SummaryTree<Integer> origin = SummaryTree.of(FORMAT, List.of(100, 200, 300));
        SummaryTree.Editor<Integer> editor = origin.edit();
        editor.set(0, 100);
        editor.set(1, 700);
        assertHolds(editor.build(), List.of(100, 700, 300));
        assertHolds(origin, List.of(100, 200, 300));
        assertThat(origin.sum(0, 1, 2)).isEqualTo(200 / 8);
    }

    @Test
    void edit_ofTwoCopies_doesNotMixThem() {
        SummaryTree<Integer> origin = SummaryTree.of(FORMAT, List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
        SummaryTree.Editor<Integer> left = origin.edit();
        SummaryTree.Editor<Integer> right = origin.edit();
        left.set(0, 100);
        right.set(0, 200);
        right.set(9, 300);
        assertHolds(left.build(), List.of(100, 2, 3, 4, 5, 6, 7, 8, 9, 10));
        assertHolds(right.build(), List.of(200, 2, 3, 4, 5, 6, 7, 8, 9, 300));
        assertHolds(origin, List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 63, 64, 65, 511, 512, 513, 3_000})
    void sum_ofARange_isThatOfItsLeaves(int size) {
        Random random = new Random(size);
        List<Integer> list = leaves(size, random);
        SummaryTree<Integer> tree = SummaryTree.of(FORMAT, list);
        for (int i = 0; i < 200; i++) {
            int from = random.nextInt(size + 1);
            int to = random.nextInt(size + 1);
            List<Integer> range = from < to ? list.subList(from, to) : List.of();
            assertThat(tree.sum(0, from, to)).as("%d..%d", from, to).isEqualTo(NaiveSummary.of(range)[2]);
            assertThat(tree.sum(1, from, to)).as("%d..%d", from, to).isEqualTo(NaiveSummary.of(range)[3]);
        }
        assertThat(tree.sum(1, 0, size + 100)).isEqualTo(size);
    }

    /** Looks for a leaf of which a digit is at least something and whose or-word has a bit; counts what it looks at. */
    private static final class Wanted implements SummaryTree.Guide<Integer> {
        private final int least;
        private final int bit;
        private int keys;
        private int offered;

        Wanted(int least, int bit) {
            this.least = least;
            this.bit = bit;
        }

        @Override
        public boolean enter(long[] summary) {
            return Lanes.get(summary[0], 0) >= least && (summary[4] >>> bit & 1) != 0;
        }

        @Override
        public boolean acceptKey(long key, long secondKey) {
            keys++;
            return NaiveSummary.digit(key, 0) >= least;
        }

        @Override
        public boolean accept(Integer leaf) {
            offered++;
            return NaiveSummary.bit(leaf) == bit;
        }

        boolean isIt(int leaf) {
            return NaiveSummary.digit(leaf >> 6, 0) >= least && NaiveSummary.bit(leaf) == bit;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 63, 64, 65, 511, 512, 513, 3_000})
    void first_inARange_isTheFirstOfTheListThatIsWanted(int size) {
        Random random = new Random(size);
        List<Integer> list = leaves(size, random);
        SummaryTree<Integer> tree = SummaryTree.of(FORMAT, list);
        for (int i = 0; i < 300; i++) {
            int from = random.nextInt(size + 1);
            int to = random.nextInt(4) == 0 ? size + random.nextInt(20) : random.nextInt(size + 1);
            Wanted wanted = new Wanted(random.nextInt(Lanes.MAX), random.nextInt(64));
            Integer expected = IntStream.range(from, Math.max(from, Math.min(to, size)))
                    .mapToObj(list::get)
                    .filter(wanted::isIt)
                    .findFirst()
                    .orElse(null);
            assertThat(tree.first(wanted, from, to)).as("%d..%d", from, to).isEqualTo(expected);
        }
    }

    @Test
    void first_whereSummariesAdmitOneChunk_looksThereOnly() {
        List<Integer> list = new ArrayList<>(Collections.nCopies(3_000, 0));
        list.set(2_500, 5);
        SummaryTree<Integer> tree = SummaryTree.of(FORMAT, list);
        Wanted five = new Wanted(0, 5);
        assertThat(tree.first(five, 0, 3_000)).isEqualTo(5);
        assertThat(five.keys).isLessThanOrEqualTo(8);
        assertThat(five.offered).isLessThanOrEqualTo(5);
    }

    @Test
    void first_offersLeavesInOrder() {
        List<Integer> list = IntStream.range(0, 300).boxed().toList();
        List<Integer> offered = new ArrayList<>();
        SummaryTree.Guide<Integer> none = new SummaryTree.Guide<>() {
            @Override
            public boolean enter(long[] summary) {
                return true;
            }

            @Override
            public boolean acceptKey(long key, long secondKey) {
                return true;
            }

            @Override
            public boolean accept(Integer leaf) {
                offered.add(leaf);
                return false;
            }
        };
        assertThat(SummaryTree.of(FORMAT, list).first(none, 5, 290)).isNull();
        assertThat(offered).isEqualTo(list.subList(5, 290));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 64, 65, 127, 129, 512, 2_048, 3_000})
    void forEachChange_reportsWhatIsNotTheSameObject(int size) {
        Random random = new Random(size);
        List<Integer> list = leaves(size, random);
        SummaryTree<Integer> old = SummaryTree.of(FORMAT, list);
        SummaryTree<Integer> tree = old;
        TreeSet<Integer> changed = new TreeSet<>();
        for (int i = 0; i < 20; i++) {
            int at = random.nextInt(size);
            changed.add(at);
            tree = tree.with(at, 1_000_000 + i);
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
            tree.summary()[3]++;
            assertThatThrownBy(tree::validate)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("expected");
        }
    }

    /** Leaves that can be changed behind the tree's back. */
    private static final class Slippery implements SummaryFormat<int[]> {
        @Override
        public int maxWords() {
            return FORMAT.maxWords();
        }

        @Override
        public int sumWords() {
            return FORMAT.sumWords();
        }

        @Override
        public int orWords() {
            return FORMAT.orWords();
        }

        @Override
        public long key(int[] leaf) {
            return FORMAT.key(leaf[0]);
        }

        @Override
        public long secondKey(int[] leaf) {
            return FORMAT.secondKey(leaf[0]);
        }

        @Override
        public void addKey(long key, long secondKey, long[] summary) {
            FORMAT.addKey(key, secondKey, summary);
        }

        @Override
        public long sumOfKey(long key, long secondKey, int word) {
            return FORMAT.sumOfKey(key, secondKey, word);
        }

        @Override
        public long orWord(int[] leaf, int word) {
            return FORMAT.orWord(leaf[0], word);
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
                .hasMessageStartingWith("keys ");
        leaves.get(577)[0] = 577 ^ 1;
        assertThatThrownBy(tree::validate)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("summary ");
    }

    @Test
    void with_anEqualSummary_sharesItWithTheOlderTree() {
        SummaryTree<Integer> old =
                SummaryTree.of(FORMAT, IntStream.range(0, 300).boxed().toList());
        SummaryTree<Integer> tree = old.with(7, Integer.valueOf(7));
        assertThat(tree.summary()).isSameAs(old.summary());
    }
}
