package io.gpusched.internal.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;

class TextHashTest {
    @Example
    void textsOfOneStringHashCodeHaveHashesOfTheirOwn() {
        Set<Long> hashes = new HashSet<>();
        Set<Integer> ordinary = new HashSet<>();
        for (int i = 0; i < 1 << 14; i++) {
            String name = CollidingNames.name(i, 14);
            ordinary.add(name.hashCode());
            hashes.add(TextHash.of(name));
        }
        assertThat(ordinary).hasSize(1);
        assertThat(hashes).hasSize(1 << 14);
    }

    @Property
    void equalTextsHaveEqualHashes_andShortOnesOfOneLengthDifferentOnes(
            @ForAll @StringLength(max = 4) String one, @ForAll @StringLength(max = 4) String other) {
        boolean equal = TextHash.of(one) == TextHash.of(other);
        assertThat(TextHash.of(new String(one.toCharArray()))).isEqualTo(TextHash.of(one));
        if (one.length() == other.length()) {
            assertThat(equal).isEqualTo(one.equals(other));
        }
    }

    @Example
    void aTextAfterAnotherIsHashedUnlikeBothInOne() {
        List<Long> hashes = List.of(
                TextHash.of(TextHash.of("team"), "pod"),
                TextHash.of(TextHash.of("tea"), "mpod"),
                TextHash.of("teampod"),
                TextHash.of(TextHash.of("pod"), "team"));
        assertThat(hashes).doesNotHaveDuplicates();
    }

    @Example
    void consecutiveNamesSpreadEvenlyOverTheFirstBits() {
        int[] buckets = new int[256];
        for (int i = 0; i < 256 * 100; i++) {
            buckets[(int) (TextHash.of("trainer-" + i) >>> 56)]++;
        }
        for (int count : buckets) {
            assertThat(count).as("of 100 expected").isBetween(50, 160);
        }
    }
}
