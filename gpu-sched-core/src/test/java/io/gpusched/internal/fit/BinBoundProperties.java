package io.gpusched.internal.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BinBoundProperties {
    private static boolean mayFit(List<Integer> items, int bins, long capacity) {
        BinBound bound = new BinBound();
        items.forEach(item -> bound.add(item, 1));
        return bound.mayFit(bins, capacity);
    }

    /** Tries every bin for every item. */
    private static boolean fits(List<Integer> items, int at, long[] free) {
        if (at == items.size()) {
            return true;
        }
        for (int bin = 0; bin < free.length; bin++) {
            if (free[bin] >= items.get(at)) {
                free[bin] -= items.get(at);
                boolean rest = fits(items, at + 1, free);
                free[bin] += items.get(at);
                if (rest) {
                    return true;
                }
            }
        }
        return false;
    }

    @Property(tries = 3000)
    void whatFits_isNeverRuledOut(
            @ForAll @Size(max = 8) List<@IntRange(min = 0, max = 100) Integer> items,
            @ForAll @IntRange(min = 1, max = 4) int bins) {
        List<Integer> sorted = new ArrayList<>(items);
        sorted.sort(Collections.reverseOrder());
        long[] free = new long[bins];
        Arrays.fill(free, 100);

        if (fits(sorted, 0, free)) {
            assertThat(mayFit(items, bins, 100)).isTrue();
        }
    }

    @Test
    void itemsAboveHalf_needABinEach() {
        assertThat(mayFit(List.of(51, 52, 53), 2, 100)).isFalse();
    }

    @Test
    void itemsThatLargeOnesLeaveNoRoomFor_areCounted() {
        assertThat(mayFit(List.of(70, 70, 40, 40, 40), 3, 100)).isFalse();
    }

    @Test
    void binsThatWouldHaveToTakeThree_areFoundTooSmall() {
        assertThat(mayFit(List.of(36, 36, 36, 36, 36, 36, 36), 3, 100)).isFalse();
    }
}
