package io.gpusched.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SparseTournamentTest {
    private static final long NONE = Long.MIN_VALUE;

    @Test
    void max_ofNothing_isTheLeastNumberAndStandsNowhere() {
        for (int size : new int[] {0, 1, 100}) {
            SparseTournament empty = new SparseTournament(size);
            assertThat(empty.max()).isEqualTo(NONE);
            assertThat(empty.first()).isEqualTo(-1);
        }
    }

    @Test
    void set_manyTimes_knowsTheMaximumAndItsFirstPlaceAsAnArrayDoes() {
        for (int size : new int[] {1, 31, 32, 33, 1_000, 3_000}) {
            Random random = new Random(size);
            long[] plain = new long[size];
            Arrays.fill(plain, NONE);
            SparseTournament sparse = new SparseTournament(size);
            for (int i = 0; i < 3_000; i++) {
                int at = random.nextInt(size);
                long value = random.nextInt(3) == 0 ? random.nextInt(5) : NONE;
                plain[at] = value;
                sparse.set(at, value);
                long max = Arrays.stream(plain).max().orElse(NONE);
                assertThat(sparse.max()).isEqualTo(max);
                assertThat(sparse.first()).isEqualTo(max == NONE ? -1 : indexOf(plain, max));
            }
        }
    }

    private static int indexOf(long[] plain, long wanted) {
        int at = 0;
        while (plain[at] != wanted) {
            at++;
        }
        return at;
    }
}
