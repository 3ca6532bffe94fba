package io.gpusched.simulator.bound;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.UniqueElements;

/** The ways to cut a GPU, against every combination of pieces that there is. */
class CuttingPatternsProperties {
    private static final int GPU = 1_000;

    private static DemandGroup group(int gpuMillis, long pods) {
        return new DemandGroup(0, 0, gpuMillis, 1, new BitSet(), pods);
    }

    @Property(tries = 200)
    void patterns_areExactlyTheFullCombinations(
            @ForAll @Size(min = 1, max = 3) @UniqueElements List<@IntRange(min = 120, max = 999) Integer> sizes) {
        CuttingPatterns cut =
                CuttingPatterns.of(sizes.stream().map(size -> group(size, 1)).toList());

        assertThat(cut.levels()).containsExactlyElementsOf(new TreeSet<>(sizes).descendingSet());
        Set<List<Integer>> expected = new HashSet<>();
        combinations(cut.levels(), GPU, new ArrayList<>(), expected);
        assertThat(cut.patterns())
                .extracting(pattern -> java.util.Arrays.stream(pattern).boxed().toList())
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    /** Every number of pieces of every size, kept where they fit and no piece of the last size does beside them. */
    private static void combinations(List<Integer> levels, int left, List<Integer> pieces, Set<List<Integer>> found) {
        if (left < 0) {
            return;
        }
        if (pieces.size() == levels.size()) {
            if (left < levels.get(levels.size() - 1)) {
                found.add(List.copyOf(pieces));
            }
            return;
        }
        for (int count = 0; count * levels.get(pieces.size()) <= left; count++) {
            pieces.add(count);
            combinations(levels, left - count * levels.get(pieces.size() - 1), pieces, found);
            pieces.remove(pieces.size() - 1);
        }
    }

    @Property
    void levelOf_isTheLargestSizeThatIsNoMore(
            @ForAll @Size(min = 1, max = 3) @UniqueElements List<@IntRange(min = 120, max = 999) Integer> sizes,
            @ForAll @IntRange(min = 1, max = 1_000) int millis) {
        CuttingPatterns cut =
                CuttingPatterns.of(sizes.stream().map(size -> group(size, 1)).toList());

        int level = cut.levelOf(millis);

        Integer expected = new TreeSet<>(sizes).floor(millis);
        assertThat(level < 0 ? null : cut.levels().get(level)).isEqualTo(expected);
    }

    @Example
    void wholeGpusAndTinyShares_areNotCut() {
        assertThat(CuttingPatterns.of(List.of(group(1_000, 5), group(49, 5))).levels())
                .isEmpty();
        assertThat(CuttingPatterns.of(List.of(group(50, 5))).levels()).containsExactly(50);
        assertThat(CuttingPatterns.of(List.of()).patterns()).isEmpty();
    }

    @Example
    void ofTooManySizes_theMostDemandedAreCut() {
        List<DemandGroup> groups = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            groups.add(group(51 + i, 40 - i));
        }

        CuttingPatterns cut = CuttingPatterns.of(groups);

        assertThat(cut.patterns()).hasSizeBetween(1, 2_000);
        assertThat(cut.levels()).contains(51 + 0).doesNotContain(90);
    }
}
