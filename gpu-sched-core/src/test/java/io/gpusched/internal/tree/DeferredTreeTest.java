package io.gpusched.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;

import it.unimi.dsi.fastutil.ints.Int2ObjectMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tree whose last changes wait against a plain list, before and after they were settled. */
class DeferredTreeTest {
    private static final NaiveSummary FORMAT = new NaiveSummary();
    private static final int[] SIZES = {1, 7, 16, 40, 300, 5_000};

    private static List<Integer> leaves(int size, Random random) {
        List<Integer> leaves = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            leaves.add(random.nextInt(100_000));
        }
        return leaves;
    }

    private static DeferredTree<Integer> tree(List<Integer> leaves) {
        return DeferredTree.of(SummaryTree.of(FORMAT, leaves));
    }

    private static void assertHolds(DeferredTree<Integer> tree, List<Integer> expected) {
        assertThat(IntStream.range(0, tree.size()).mapToObj(tree::get).toList()).isEqualTo(expected);
        tree.settled().validate();
        assertThat(tree.settled()).isSameAs(tree.settled());
        List<Integer> settled = new ArrayList<>();
        tree.settled().forEach(settled::add);
        assertThat(settled).isEqualTo(expected);
    }

    /** Changes to few places, so that some change again while they wait. */
    private static int place(int size, Random random) {
        return random.nextInt(3) == 0 ? random.nextInt(size) : random.nextInt(Math.min(size, 20));
    }

    @Test
    void with_manyReplacements_holdsWhatAListHolds_andOlderTreesStay() {
        for (int size : SIZES) {
            Random random = new Random(size);
            List<Integer> list = leaves(size, random);
            DeferredTree<Integer> tree = tree(list);
            List<DeferredTree<Integer>> older = new ArrayList<>();
            List<List<Integer>> expected = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                if (i % 37 == 0) {
                    older.add(tree);
                    expected.add(List.copyOf(list));
                }
                int at = place(size, random);
                list.set(at, random.nextInt(100_000));
                tree = tree.with(at, list.get(at));
                assertThat(tree.get(at)).isEqualTo(list.get(at));
            }
            assertHolds(tree, list);
            for (int i = 0; i < older.size(); i++) {
                assertHolds(older.get(i), expected.get(i));
            }
        }
    }

    private static boolean isWanted(int leaf, int word, long mask, long least) {
        long entry = FORMAT.entry(FORMAT.digest(leaf));
        return IntStream.range(0, Long.SIZE)
                        .anyMatch(lane -> (mask >>> lane & 1) != 0 && FORMAT.isIn(leaf, 64 * word + lane))
                && Lanes.max(entry, least) == entry;
    }

    private static void assertOffers(DeferredTree<Integer> tree, List<Integer> list) {
        for (int word = 0; word < LaneSummary.WORDS; word++) {
            int lanes = word;
            List<Integer> offered = new ArrayList<>();
            assertThat(tree.first(word, -1, 0, 0, list.size(), leaf -> !offered.add(leaf)))
                    .isNull();
            assertThat(offered)
                    .isEqualTo(list.stream()
                            .filter(leaf -> isWanted(leaf, lanes, -1, 0))
                            .toList());
        }
    }

    @Test
    void first_offersWhatIsWanted_inOrder_whetherItWaitsOrNot() {
        for (int size : SIZES) {
            Random random = new Random(size);
            List<Integer> list = leaves(size, random);
            DeferredTree<Integer> tree = tree(list);
            for (int i = 0; i < 300; i++) {
                int at = place(size, random);
                list.set(at, random.nextInt(100_000));
                tree = tree.with(at, list.get(at));
                int from = random.nextInt(size + 1);
                int to = random.nextInt(3) == 0 ? size + 5 : random.nextInt(size + 1);
                int word = random.nextInt(4);
                long mask = random.nextBoolean() ? -1 : random.nextLong();
                long least = Lanes.of(random.nextInt(Lanes.PER_WORD), random.nextInt(Lanes.MAX));
                List<Integer> expected = IntStream.range(from, Math.max(from, Math.min(to, size)))
                        .mapToObj(list::get)
                        .filter(leaf -> isWanted(leaf, word, mask, least))
                        .toList();
                List<Integer> offered = new ArrayList<>();
                Integer none = tree.first(word, mask, least, from, to, leaf -> !offered.add(leaf));
                assertThat(none).isNull();
                assertThat(offered).isEqualTo(expected);
                Integer first = tree.first(word, mask, least, from, to, leaf -> leaf % 3 == 0);
                assertThat(first)
                        .isEqualTo(expected.stream()
                                .filter(leaf -> leaf % 3 == 0)
                                .findFirst()
                                .orElse(null));
            }
        }
    }

    @Test
    void nextLane_passesByNoLaneThatALeafIsIn() {
        for (int size : new int[] {1, 3, 16}) {
            Random random = new Random(size);
            List<Integer> list = leaves(size, random);
            DeferredTree<Integer> tree = tree(list);
            for (int i = 0; i < 200; i++) {
                int at = random.nextInt(size);
                list.set(at, random.nextInt(100_000));
                tree = tree.with(at, list.get(at));
                int from = random.nextInt(LaneSummary.LANES);
                int to = from + random.nextInt(LaneSummary.LANES + 1 - from);
                int next = tree.nextLane(from, to);
                int end = next < 0 ? to : next;
                assertThat(next).isLessThan(to);
                assertThat(IntStream.range(from, end)
                                .filter(lane -> list.stream().anyMatch(leaf -> FORMAT.isIn(leaf, lane))))
                        .isEmpty();
                DeferredTree<Integer> settled = DeferredTree.of(tree.settled());
                int exact = settled.nextLane(from, to);
                assertThat(exact < 0 || list.stream().anyMatch(leaf -> FORMAT.isIn(leaf, exact)))
                        .isTrue();
            }
        }
    }

    @Test
    void nextLane_ofLeavesThatWait_isTheFirstThatAnyIsIn() {
        Random random = new Random(3);
        List<Integer> list = new ArrayList<>(Collections.nCopies(50, 0));
        DeferredTree<Integer> tree = tree(list);
        for (int i = 0; i < Pending.MOST; i++) {
            list.set(i, random.nextInt(100_000));
            tree = tree.with(i, list.get(i));
            for (int from = 0; from < LaneSummary.LANES; from++) {
                int to = from + random.nextInt(LaneSummary.LANES + 1 - from);
                int expected = IntStream.range(from, to)
                        .filter(lane -> list.stream().anyMatch(leaf -> FORMAT.isIn(leaf, lane)))
                        .findFirst()
                        .orElse(-1);
                assertThat(tree.nextLane(from, to)).isEqualTo(expected);
            }
        }
    }

    private static List<Integer> changes(DeferredTree<Integer> tree, DeferredTree<Integer> other) {
        List<Integer> positions = new ArrayList<>();
        tree.forEachChange(other, positions::add);
        return positions;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 31, 32, 33, 40, 100})
    void forEachChange_betweenVersions_tellsWhereLeavesAreNotTheSame(int steps) {
        Random random = new Random(steps);
        List<Integer> list = leaves(500, random);
        DeferredTree<Integer> tree = tree(list);
        for (int i = 0; i < 10; i++) {
            tree = tree.with(random.nextInt(500), random.nextInt(100_000) + 1_000);
        }
        DeferredTree<Integer> older = tree;
        for (int i = 0; i < steps; i++) {
            int at = place(500, random);
            tree = tree.with(at, i % 7 == 0 ? older.get(at) : Integer.valueOf(random.nextInt(100_000) + 1_000));
        }
        DeferredTree<Integer> newer = tree;
        List<Integer> expected = IntStream.range(0, 500)
                .filter(at -> newer.get(at) != older.get(at))
                .boxed()
                .toList();
        assertThat(changes(newer, older)).isEqualTo(expected);
        assertThat(changes(older, newer)).isEqualTo(expected);
        assertThat(changes(newer, newer)).isEmpty();
    }

    @Test
    void settled_knowsTheSumOfTheBase_andWhatChanged() {
        for (int size : SIZES) {
            Random random = new Random(size);
            List<Integer> list = leaves(size, random);
            DeferredTree<Integer> tree = tree(list);
            for (int i = 0; i < 100; i++) {
                int at = place(size, random);
                list.set(at, random.nextInt(100_000));
                tree = tree.with(at, list.get(at));
                assertThat(tree.settled().sum(0, size))
                        .isEqualTo(list.stream()
                                .mapToLong(leaf -> FORMAT.count(FORMAT.digest(leaf)))
                                .sum());
                if (i % 10 == 0) {
                    tree.settled().validate();
                }
            }
        }
    }

    @Test
    void with_whereNoMoreCanWait_holdsThoseThatWaitedAndTheNewOne() {
        DeferredTree<Integer> tree =
                tree(IntStream.range(0, 200).map(i -> i * 64).boxed().toList());
        for (int i = 0; i < Pending.MOST; i++) {
            tree = tree.with(i, 6_400 + i);
        }
        DeferredTree<Integer> full = tree;
        DeferredTree<Integer> one = full.with(150, 1);
        DeferredTree<Integer> other = full.with(151, 2);
        assertThat(changes(one, full)).containsExactly(150);
        assertThat(changes(one, other)).containsExactly(150, 151);
        assertThat(full.with(3, 7).get(3)).isEqualTo(7);
        assertThat(one.get(3)).isEqualTo(6_403);
        assertThat(one.settled().get(150)).isEqualTo(1);
    }

    @Test
    void withAll_ofFewOrMany_holdsWhatAListHolds_andOlderTreesStay() {
        for (int size : SIZES) {
            Random random = new Random(size);
            List<Integer> list = leaves(size, random);
            DeferredTree<Integer> tree = tree(list);
            for (int i = 0; i < 60; i++) {
                DeferredTree<Integer> older = tree;
                List<Integer> expected = List.copyOf(list);
                Int2ObjectMap<Integer> leaves = new Int2ObjectOpenHashMap<>();
                for (int k = random.nextInt(i % 3 == 0 ? 100 : 6); k >= 0; k--) {
                    leaves.put(place(size, random), Integer.valueOf(random.nextInt(100_000)));
                }
                leaves.forEach(list::set);
                int one = place(size, random);
                list.set(one, random.nextInt(100_000));
                tree = tree.withAll(leaves).with(one, list.get(one));
                assertHolds(tree, list);
                assertOffers(tree, list);
                assertHolds(older, expected);
            }
        }
    }

    @Test
    void withAll_ofNothing_changesNothing() {
        DeferredTree<Integer> tree = tree(List.of(1, 2, 3)).with(1, 7);
        assertHolds(tree.withAll(new Int2ObjectOpenHashMap<>()), List.of(1, 7, 3));
    }
}
