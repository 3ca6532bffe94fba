package io.gpusched.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The multiset against a list. */
class StraysProperties {
    private static long entry(Random random, int freeBits) {
        long hash = freeBits == 64 ? random.nextLong() : random.nextLong() >>> 1 & (1L << freeBits) - 1;
        return HashIndex.entry(hash << 24 | hash >>> 40, random.nextInt(5));
    }

    private static void assertHolds(Strays strays, List<Long> entries) {
        assertThat(strays.size()).isEqualTo(entries.size());
        for (long entry : entries) {
            int value = HashIndex.value(entry);
            assertThat(strays.find(entry, found -> found == value)).isEqualTo(value);
        }
    }

    @Property(tries = 60)
    void strays_holdWhatWasPutIntoThem_andOlderOnesStay(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 64) int freeBits) {
        Random random = new Random(seed);
        Strays strays = Strays.NONE;
        List<Long> entries = new ArrayList<>();
        Strays middle = strays;
        List<Long> middleEntries = List.of();
        for (int i = 0; i < 300; i++) {
            if (i == 150) {
                middle = strays;
                middleEntries = List.copyOf(entries);
            }
            if (!entries.isEmpty() && random.nextInt(3) == 0) {
                strays = strays.minus(entries.remove(random.nextInt(entries.size())));
            } else {
                long added = entry(random, freeBits);
                entries.add(added);
                strays = strays.plus(added);
            }
        }
        assertHolds(strays, entries);
        assertHolds(middle, middleEntries);
        long other = entry(random, freeBits);
        List<Integer> offered = new ArrayList<>();
        strays.find(other, value -> {
            offered.add(value);
            return false;
        });
        assertThat(offered)
                .containsExactlyInAnyOrderElementsOf(entries.stream()
                        .filter(entry -> HashIndex.entry(entry, 0) == HashIndex.entry(other, 0))
                        .map(HashIndex::value)
                        .toList());
    }

    @Example
    void minus_ofWhatIsNotThere_changesNothing() {
        Strays one = Strays.NONE.plus(5L << 24 | 1);
        assertThat(one.minus(5L << 24 | 2)).isSameAs(one);
        assertThat(Strays.NONE.minus(7)).isSameAs(Strays.NONE);
    }

    @Example
    void minus_ofOneOfTwoEqualEntries_leavesTheOther() {
        Strays two = Strays.NONE.plus(9).plus(9);
        assertThat(two.minus(9).find(0, value -> value == 9)).isEqualTo(9);
        assertThat(two.minus(9).minus(9).find(0, value -> true)).isEqualTo(-1);
    }
}
