package io.gpusched.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TournamentTest {
    private static int firstOfGreatest(long[] elements) {
        int first = -1;
        for (int i = 0; i < elements.length; i++) {
            first = first < 0 || elements[i] > elements[first] ? i : first;
        }
        return first;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 31, 32, 33, 1_023, 1_024, 1_025, 3_000})
    void set_randomValues_keepsTheGreatestAndWhereItStandsFirst(int size) {
        Random random = new Random(size);
        long[] elements = new long[size];
        for (int i = 0; i < size; i++) {
            elements[i] = random.nextInt(5) - 2;
        }
        Tournament tournament = new Tournament(elements.clone());
        for (int i = 0; i < 500; i++) {
            int expected = firstOfGreatest(elements);
            assertThat(tournament.first()).isEqualTo(expected);
            assertThat(tournament.max()).isEqualTo(elements[expected]);
            int at = random.nextInt(3) == 0 ? expected : random.nextInt(size);
            long value = i % 50 == 0 ? Long.MIN_VALUE : i % 77 == 0 ? Long.MAX_VALUE : random.nextInt(5) - 2;
            elements[at] = value;
            tournament.set(at, value);
        }
    }

    @Test
    void ofNothing_hasNoGreatest() {
        Tournament tournament = new Tournament(new long[0]);
        assertThat(tournament.max()).isEqualTo(Long.MIN_VALUE);
        assertThat(tournament.first()).isEqualTo(-1);
    }

    @Test
    void toString_listsTheElements() {
        assertThat(new Tournament(new long[] {3, 1}).toString()).isEqualTo("[3, 1]");
    }
}
