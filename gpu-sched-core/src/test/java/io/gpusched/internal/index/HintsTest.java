package io.gpusched.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class HintsTest {
    @Test
    void add_ofWhatIsThere_takesNoRoom() {
        Hints hints = Hints.of(10, 0);
        for (int i = 0; i < 1_000; i++) {
            assertThat(hints.add(77, 3)).isTrue();
        }
        assertThat(hints.add(78, 4)).isTrue();
    }

    @Test
    void add_toATableThreeQuartersFull_isRefusedForGood_butWhatIsThereStays() {
        Hints hints = Hints.of(10, 0);
        Random random = new Random(1);
        int added = 0;
        long refused = 0;
        for (int i = 0; i < 100; i++) {
            long hash = random.nextLong();
            if (hints.add(hash, i % 10)) {
                int value = i % 10;
                assertThat(hints.find(hash, found -> found == value)).isEqualTo(value);
                added++;
            } else {
                refused = hash;
            }
        }
        assertThat(added).isEqualTo(48);
        assertThat(hints.add(refused, 0)).isFalse();
    }

    @Test
    void add_ofAFifthValueUnderAHash_isRefused() {
        Hints hints = Hints.of(10, 100);
        for (int value = 0; value < 4; value++) {
            assertThat(hints.add(9, value)).isTrue();
        }
        assertThat(hints.add(9, 4)).isFalse();
        assertThat(hints.add(9, 3)).isTrue();
        assertThat(hints.add(10, 4)).isTrue();
    }

    @Test
    void add_whereAllStandInOnePlace_isRefusedBeforeLookUpsGetLong() {
        Hints hints = Hints.of(1, 1_000);
        int added = 0;
        for (int hash = 0; hash < 1_000; hash++) {
            added += hints.add(hash, 0) ? 1 : 0;
        }
        assertThat(added).isEqualTo(64);
    }

    @Test
    void addFirst_takesAndRefusesWhatAddDoes() {
        Hints one = Hints.of(10, 0);
        Hints other = Hints.of(10, 0);
        Random random = new Random(5);
        int added = 0;
        for (int i = 0; i < 200; i++) {
            long hash = i % 5 == 0 ? 9 : random.nextLong();
            int value = random.nextInt(10);
            boolean taken = one.addFirst(hash, value);
            added += taken ? 1 : 0;
            assertThat(other.add(hash, value)).isEqualTo(taken);
            assertThat(one.has(hash, value)).isEqualTo(taken);
            assertThat(other.has(hash, value)).isEqualTo(taken);
        }
        assertThat(added).isBetween(48, 80);
    }
}
