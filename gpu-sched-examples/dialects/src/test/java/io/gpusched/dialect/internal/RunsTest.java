package io.gpusched.dialect.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RunsTest {
    private static final int CORES = 32;

    private static BitSet open(int... cores) {
        BitSet open = new BitSet();
        IntStream.of(cores).forEach(open::set);
        return open;
    }

    /** By trying every place at which a run may begin. */
    private static boolean isThereARun(BitSet open, boolean ring, int count) {
        if (count == 1) {
            return !open.isEmpty();
        }
        int devices = count / 2;
        if (!ring && !List.of(1, 4, 8, 16).contains(devices)) {
            return false;
        }
        return IntStream.rangeClosed(0, (CORES - count) / 2)
                .filter(at -> ring || at % devices == 0)
                .anyMatch(at -> IntStream.range(2 * at, 2 * at + count).allMatch(open::get));
    }

    @Test
    void everyState_getsALegalRun_ifThereIsOne() {
        Random random = new Random(7);
        for (int round = 0; round < 4_000; round++) {
            BitSet open = new BitSet();
            double density = random.nextDouble();
            IntStream.range(0, CORES)
                    .filter(at -> random.nextDouble() < density)
                    .forEach(open::set);
            boolean ring = random.nextBoolean();
            int count = random.nextInt(4) == 0 ? 1 : 2 * (1 + random.nextInt(16));
            List<Integer> chosen = new Runs(3, CORES, open, ring).choose(count);

            assertThat(!chosen.isEmpty())
                    .as("%d cores of %s, ring %s", count, open, ring)
                    .isEqualTo(isThereARun(open, ring, count));
            if (!chosen.isEmpty()) {
                int first = chosen.get(0) - 3;
                assertThat(chosen)
                        .isEqualTo(IntStream.range(first + 3, first + 3 + count)
                                .boxed()
                                .toList());
                assertThat(chosen).allMatch(at -> open.get(at - 3));
                assertThat(count == 1 || first % (ring ? 2 : count) == 0).isTrue();
            }
        }
    }

    @Test
    void oneCore_isOfTheLastDeviceThatHasOne_theFirstThatIsFree() {
        assertThat(new Runs(0, 8, open(0, 1, 3, 6, 7), false).choose(1)).containsExactly(6);
        assertThat(new Runs(0, 8, open(0, 1, 5), false).choose(1)).containsExactly(5);
        assertThat(new Runs(0, 8, open(), false).choose(1)).isEmpty();
    }

    @Test
    void oneDevice_isTheLast_aRunTheFirst() {
        BitSet all = new BitSet();
        all.set(0, CORES);
        assertThat(new Runs(0, CORES, all, false).choose(2)).containsExactly(30, 31);
        assertThat(new Runs(0, CORES, all, false).choose(8)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(new Runs(0, CORES, all, true).choose(6)).containsExactly(0, 1, 2, 3, 4, 5);
    }
}
