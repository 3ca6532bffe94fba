package io.gpusched.dialect.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LinkedHalvesTest {
    private static List<Integer> choose(int open, int count) {
        return new LinkedHalves(0, 8, open).choose(count);
    }

    private static boolean isLegal(int set) {
        int left = set & 0xF;
        int right = set >>> 4;
        return left == 0 || right == 0 || left == right;
    }

    /** By trying all sets of a size: those on one wing, mirrored ones, and the board. */
    private static boolean isThereASet(int open, int count) {
        return IntStream.range(1, 256)
                .anyMatch(set -> (set & ~open) == 0 && Integer.bitCount(set) == count && isLegal(set));
    }

    @Test
    void everyState_getsALegalSet_ifThereIsOne() {
        for (int open = 0; open < 256; open++) {
            for (int count : new int[] {1, 2, 4, 8}) {
                List<Integer> chosen = choose(open, count);
                int set = chosen.stream().mapToInt(at -> 1 << at).sum();

                assertThat(!chosen.isEmpty())
                        .as("%d of the free devices %s", count, Integer.toBinaryString(open))
                        .isEqualTo(isThereASet(open, count));
                if (!chosen.isEmpty()) {
                    assertThat(chosen).hasSize(count);
                    assertThat(set & ~open).isZero();
                    assertThat(isLegal(set)).isTrue();
                }
            }
        }
    }

    @Test
    void oneDevice_comesFromTheWingThatIsWorthLeast_sparingPairsAndFullWings() {
        assertThat(choose(0b0001_1111, 1)).containsExactly(4);
        assertThat(choose(0b0111_0011, 1)).containsExactly(4);
        assertThat(choose(0b0011_1111, 1)).containsExactly(4);
        assertThat(choose(0b1111_1111, 1)).containsExactly(0);
    }

    @Test
    void severalDevices_comeFromTheWingWithTheFewestThatSuffice() {
        assertThat(choose(0b0110_1111, 2)).containsExactly(5, 6);
        assertThat(choose(0b1111_0111, 2)).containsExactly(0, 1);
        assertThat(choose(0b1111_0111, 4)).containsExactly(4, 5, 6, 7);
    }

    @Test
    void devicesAcrossWings_areLinked() {
        assertThat(choose(0b0010_0010, 2)).containsExactly(1, 5);
        assertThat(choose(0b0010_0001, 2)).isEmpty();
        assertThat(choose(0b0011_0011, 4)).containsExactly(0, 1, 4, 5);
        assertThat(choose(0b0110_0011, 4)).isEmpty();
    }

    @Test
    void fourOfSixAcrossWings_leaveTwoThatAreLinked() {
        assertThat(choose(0b0111_0111, 4)).containsExactly(0, 1, 4, 5);
        assertThat(choose(0b1011_0111, 4)).containsExactly(0, 1, 4, 5);
    }

    @Test
    void boardsOfAnotherSize_haveNoSetsOfEight() {
        assertThat(new LinkedHalves(0, 4, 0xF).choose(8)).isEmpty();
        assertThat(new LinkedHalves(2, 4, 0xF).choose(2)).containsExactly(2, 3);
        assertThat(new LinkedHalves(0, 16, 0xFF).choose(1)).isEmpty();
    }
}
