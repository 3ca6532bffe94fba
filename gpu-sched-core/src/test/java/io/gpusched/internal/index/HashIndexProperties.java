package io.gpusched.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** The index against a list of pairs. */
class HashIndexProperties {
    /** One value under one hash. */
    private record Entry(long hash, int value) {}

    /** Hashes from spread out to hardly different: the last ones differ only where the index does not look any more. */
    @Provide
    Arbitrary<Integer> freeBits() {
        return Arbitraries.of(0, 1, 4, 20, 26, 53, 64);
    }

    private static long hash(Random random, int freeBits) {
        return freeBits == 64
                ? random.nextLong()
                : 0x123456789ABCDEF0L ^ random.nextLong() >>> 1 & (1L << freeBits) - 1;
    }

    private static HashIndex index(int values, List<Entry> entries) {
        LongArrayList hashes = new LongArrayList();
        IntArrayList found = new IntArrayList();
        for (Entry entry : entries) {
            hashes.add(entry.hash());
            found.add(entry.value());
        }
        return HashIndex.of(values, hashes, found);
    }

    private static Set<Integer> valuesOf(HashIndex index, long hash) {
        Set<Integer> values = new TreeSet<>();
        assertThat(index.find(hash, value -> {
                    values.add(value);
                    return false;
                }))
                .isEqualTo(-1);
        return values;
    }

    private static void assertHolds(HashIndex index, List<Entry> entries) {
        for (Entry entry : entries) {
            assertThat(index.find(entry.hash(), value -> value == entry.value()))
                    .isEqualTo(entry.value());
        }
    }

    @Property(tries = 100)
    void anIndexHoldsWhatWasPutIntoIt_andOlderOnesStay_andOffersNothingThatNeverWas(
            @ForAll long seed, @ForAll("freeBits") int freeBits, @ForAll @IntRange(min = 1, max = 1_000) int values) {
        Random random = new Random(seed);
        HashIndex index = index(values, List.of());
        Set<Integer> ever = new HashSet<>();
        List<Entry> entries = new ArrayList<>();
        HashIndex middle = index;
        List<Entry> middleEntries = List.of();
        for (int i = 0; i < 400; i++) {
            if (i == 200) {
                middle = index;
                middleEntries = List.copyOf(entries);
            }
            if (!entries.isEmpty() && random.nextInt(i < 200 ? 4 : 2) == 0) {
                Entry gone = entries.remove(random.nextInt(entries.size()));
                index = index.minus(gone.hash(), gone.value());
            } else {
                Entry added = new Entry(hash(random, freeBits), random.nextInt(values));
                entries.add(added);
                ever.add(added.value());
                index = index.plus(added.hash(), added.value());
            }
        }
        assertHolds(index, entries);
        assertHolds(middle, middleEntries);
        assertThat(ever).containsAll(valuesOf(index, hash(random, freeBits)));
        assertHolds(index(values, entries), entries);
    }

    @Example
    void find_ofWhatIsNotThere_isOfferedNextToNothing() {
        Random random = new Random(7);
        HashIndex index = index(100_000, List.of());
        for (int i = 0; i < 190_000; i++) {
            index = index.plus(random.nextLong(), random.nextInt(100_000));
        }
        int offered = 0;
        for (int i = 0; i < 100_000; i++) {
            offered += valuesOf(index, random.nextLong()).size();
        }
        assertThat(offered).isLessThan(100);
    }

    @Example
    void find_inTheEmptyIndex_isNothing() {
        assertThat(index(1, List.of()).find(7, value -> true)).isEqualTo(-1);
        assertThat(index(0, List.of()).find(-7, value -> true)).isEqualTo(-1);
    }

    @Example
    void find_ofEqualHashes_asksForEachValue() {
        HashIndex index = index(4, List.of()).plus(42, 1).plus(42, 2).plus(43, 3);
        assertThat(index.find(42, value -> value == 2)).isEqualTo(2);
        assertThat(index.find(42, value -> value == 3)).isEqualTo(-1);
        assertThat(index.find(43, value -> true)).isEqualTo(3);
    }

    @Example
    void values_fromZeroToTheGreatest_comeBack() {
        HashIndex index = index(HashIndex.MAX_VALUE + 1, List.of()).plus(-1L, 0).plus(0L, HashIndex.MAX_VALUE);
        assertThat(index.find(-1L, value -> true)).isZero();
        assertThat(index.find(0L, value -> true)).isEqualTo((1 << 24) - 1);
    }

    @Example
    void find_ofAHashUsedAgainAndAgain_isOfferedFewOfItsOldValues() {
        HashIndex index = index(1_000, List.of());
        for (int i = 0; i < 1_000; i++) {
            index = index.plus(5, i);
            int now = i;
            assertThat(index.find(5, value -> value == now)).isEqualTo(i);
            index = index.minus(5, i);
        }
        assertThat(valuesOf(index, 5)).hasSizeLessThan(5);
        assertThat(index.isWorn(0)).isFalse();
    }

    @Example
    void isWorn_onceTheHintsAreFull_untilItIsBuiltAnew() {
        Random random = new Random(3);
        HashIndex index = index(10, List.of());
        List<Entry> entries = new ArrayList<>();
        while (!index.isWorn(entries.size())) {
            Entry added = new Entry(random.nextLong(), random.nextInt(10));
            entries.add(added);
            index = index.plus(added.hash(), added.value());
            assertThat(entries).hasSizeLessThan(200);
        }
        assertHolds(index, entries);
        assertThat(index(10, entries).isWorn(entries.size())).isFalse();
        for (Entry gone : entries) {
            index = index.minus(gone.hash(), gone.value());
        }
        assertThat(index.isWorn(0)).isFalse();
    }

    @Example
    void isWorn_whereHashesAreAllAlike_isNotBuiltAnewForNothing() {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            entries.add(new Entry(11, i));
        }
        HashIndex index = index(500, entries);
        assertHolds(index, entries);
        assertThat(index.isWorn(500)).isFalse();
    }

    /** Versions grow from one index in many threads; each finds what is its own. */
    @Example
    void plus_inManyThreads_losesNothing() throws Exception {
        List<Entry> common = entries(new Random(1), 1_000);
        HashIndex shared = index(20_000, common);
        int threads = 4;
        CountDownLatch start = new CountDownLatch(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                List<Entry> own = entries(new Random(100 + t), 12_000);
                done.add(pool.submit(() -> {
                    start.countDown();
                    start.await();
                    HashIndex mine = shared;
                    for (Entry entry : own) {
                        mine = mine.plus(entry.hash(), entry.value());
                    }
                    assertHolds(mine, own);
                    assertHolds(mine, common);
                    return null;
                }));
            }
            for (Future<?> each : done) {
                each.get();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /** Half of the hashes from a narrow range, for which threads fight. */
    private static List<Entry> entries(Random random, int count) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long hash = random.nextLong();
            entries.add(new Entry(i % 2 == 0 ? hash : hash >>> 4, random.nextInt(20_000)));
        }
        return entries;
    }
}
