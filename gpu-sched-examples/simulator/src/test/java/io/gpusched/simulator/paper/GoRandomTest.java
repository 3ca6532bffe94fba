package io.gpusched.simulator.paper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GoRandomTest {
    @Test
    void seed1_givesTheNumbersThatEveryGoTutorialPrints() {
        GoRandom random = GoRandom.of(1);
        assertThat(IntStream.range(0, 10).map(i -> random.below(100)))
                .containsExactly(81, 87, 47, 59, 81, 18, 25, 40, 56, 0);
        assertThat(GoRandom.of(1).int63()).isEqualTo(5_577_006_791_947_779_410L);
    }

    @Test
    void seed42_givesTheNumbersOfGo() {
        GoRandom random = GoRandom.of(42);
        assertThat(IntStream.range(0, 3).map(i -> random.below(100))).containsExactly(5, 87, 68);
    }

    @Test
    void seedsThatAreEqualModulo2To31Minus1_giveTheSame() {
        assertThat(GoRandom.of(7).int63())
                .isEqualTo(GoRandom.of(7L + Integer.MAX_VALUE).int63());
        assertThat(GoRandom.of(0).int63()).isEqualTo(GoRandom.of(89_482_311).int63());
        assertThat(GoRandom.of(-1).int63())
                .isEqualTo(GoRandom.of(Integer.MAX_VALUE - 1L).int63());
    }

    @Test
    void bounds_areKept() {
        GoRandom random = GoRandom.of(3);
        for (int bound : new int[] {1, 2, 3, 64, 1_000, Integer.MAX_VALUE}) {
            for (int i = 0; i < 1_000; i++) {
                assertThat(random.below(bound)).isBetween(0, bound - 1);
                assertThat(random.belowForShuffle(bound)).isBetween(0, bound - 1);
            }
        }
    }
}
