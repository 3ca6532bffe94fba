package io.gpusched.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Words of three lanes against arrays of three numbers. */
class LanesProperties {
    @Provide
    Arbitrary<int[]> lanes() {
        Arbitrary<Integer> any = Arbitraries.integers().between(0, Lanes.MAX);
        return Arbitraries.frequencyOf(Tuple.of(1, Arbitraries.of(0, 1, Lanes.MAX - 1, Lanes.MAX)), Tuple.of(1, any))
                .array(int[].class)
                .ofSize(Lanes.PER_WORD);
    }

    private static long word(int[] lanes) {
        long word = 0;
        for (int lane = 0; lane < lanes.length; lane++) {
            word |= Lanes.of(lane, lanes[lane]);
        }
        return word;
    }

    @Property(tries = 500)
    void aWordKeepsItsNumbers(@ForAll("lanes") int[] lanes) {
        for (int lane = 0; lane < lanes.length; lane++) {
            assertThat(Lanes.get(word(lanes), lane)).isEqualTo(lanes[lane]);
        }
    }

    @Property(tries = 1000)
    void maxTakesTheGreaterOfEachLane(@ForAll("lanes") int[] a, @ForAll("lanes") int[] b) {
        int[] expected = new int[a.length];
        for (int lane = 0; lane < a.length; lane++) {
            expected[lane] = Math.max(a[lane], b[lane]);
        }
        assertThat(Lanes.max(word(a), word(b))).isEqualTo(word(expected));
    }

    @Property(tries = 1000)
    void theMaximumMayFallInTheLanesThatShrinkAndHeldIt(
            @ForAll("lanes") int[] other, @ForAll("lanes") int[] before, @ForAll("lanes") int[] after) {
        long merged = Lanes.max(word(other), word(before));
        long expected = 0;
        for (int lane = 0; lane < other.length; lane++) {
            boolean falls = after[lane] < before[lane] && before[lane] >= other[lane];
            expected |= falls ? 0xFFFFL << 16 * lane : 0;
        }
        assertThat(Lanes.mayFall(merged, word(before), word(after))).isEqualTo(expected);
        long result = Lanes.max(word(other), word(after));
        assertThat(Lanes.max(merged, word(after)) & ~expected).isEqualTo(result & ~expected);
    }

    @Example
    void theNumbersOfNeighboursDoNotMix() {
        long word = Lanes.of(0, Lanes.MAX) | Lanes.of(2, 1);
        assertThat(word).isEqualTo(0x0000_0001_0000_7FFFL);
        assertThat(Lanes.max(word, Lanes.of(1, Lanes.MAX))).isEqualTo(0x0000_0001_7FFF_7FFFL);
    }
}
