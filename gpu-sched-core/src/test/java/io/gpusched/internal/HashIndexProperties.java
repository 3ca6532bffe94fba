package io.gpusched.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

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

    private static Set<Integer> valuesOf(HashIndex index, long hash) {
        Set<Integer> values = new TreeSet<>();
        assertThat(index.find(hash, value -> {
                    values.add(value);
                    return false;
                }))
                .isEqualTo(-1);
        return values;
    }

    private static void assertHolds(HashIndex index, List<Entry> entries, long absent) {
        for (Entry entry : entries) {
            assertThat(valuesOf(index, entry.hash())).contains(entry.value());
            assertThat(index.find(entry.hash(), value -> value == entry.value()))
                    .isEqualTo(entry.value());
        }
        Set<Integer> near = new TreeSet<>();
        entries.stream()
                .filter(entry -> entry.hash() >>> 24 == absent >>> 24)
                .forEach(entry -> near.add(entry.value()));
        assertThat(valuesOf(index, absent)).isEqualTo(near);
    }

    @Property(tries = 60)
    void anIndexHoldsWhatWasPutIntoIt_andOlderOnesStay(@ForAll long seed, @ForAll("freeBits") int freeBits) {
        Random random = new Random(seed);
        HashIndex index = HashIndex.EMPTY;
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
                Entry added = new Entry(hash(random, freeBits), random.nextInt(HashIndex.MAX_VALUE + 1));
                entries.add(added);
                index = index.plus(added.hash(), added.value());
            }
        }
        assertHolds(index, entries, hash(random, freeBits));
        assertHolds(middle, middleEntries, hash(random, freeBits));
    }

    @Example
    void find_inTheEmptyIndex_isNothing() {
        assertThat(HashIndex.EMPTY.find(7, value -> true)).isEqualTo(-1);
    }

    @Example
    void find_ofEqualHashes_asksForEachValue() {
        HashIndex index = HashIndex.EMPTY.plus(42L << 40, 1).plus(42L << 40, 2).plus(43L << 40, 3);
        assertThat(index.find(42L << 40, value -> value == 2)).isEqualTo(2);
        assertThat(index.find(42L << 40, value -> value == 3)).isEqualTo(-1);
        assertThat(index.find(43L << 40, value -> true)).isEqualTo(3);
    }

    @Example
    void values_fromZeroToTheGreatest_comeBack() {
        HashIndex index = HashIndex.EMPTY.plus(-1L, 0).plus(0L, HashIndex.MAX_VALUE);
        assertThat(index.find(-1L, value -> true)).isZero();
        assertThat(index.find(0L, value -> true)).isEqualTo((1 << 24) - 1);
    }

    @Example
    void minus_ofOneOfTwoEqualEntries_leavesTheOther() {
        HashIndex index = HashIndex.EMPTY;
        for (int i = 0; i < 40; i++) {
            index = index.plus(5L << 40, 9);
        }
        for (int left = 39; left > 0; left--) {
            index = index.minus(5L << 40, 9);
            assertThat(index.find(5L << 40, value -> value == 9)).isEqualTo(9);
        }
        assertThat(index.minus(5L << 40, 9).find(5L << 40, value -> true)).isEqualTo(-1);
    }

    @Example
    void minus_ofWhatIsNotThere_isFoundOutLater() {
        HashIndex index = HashIndex.EMPTY.plus(5L << 40, 9).minus(5L << 40, 8);
        assertThatThrownBy(() -> {
                    HashIndex changed = index;
                    for (int i = 0; i < 100; i++) {
                        changed = changed.plus(6L << 40, i);
                    }
                })
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no entry 50000000008");
    }
}
