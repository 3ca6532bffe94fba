package io.gpusched.internal.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class StateSetProperties {
    @Property(tries = 300)
    void add_tellsOnceOfEachState(@ForAll @Size(max = 300) List<@LongRange(min = 0, max = 15) Long> hashes) {
        StateSet states = new StateSet();
        Set<List<Long>> expected = new HashSet<>();
        for (int i = 1; i < hashes.size(); i++) {
            long first = hashes.get(i - 1) << 60;
            long second = hashes.get(i) + 1;
            assertThat(states.add(first, second)).isEqualTo(expected.add(List.of(first, second)));
        }
    }

    @Property(tries = 20)
    void add_manyStates_growsAndForgetsNone(@ForAll long seed) {
        StateSet states = new StateSet();
        java.util.Random random = new java.util.Random(seed);
        long[] added = random.longs(5_000).toArray();
        for (long state : added) {
            states.add(state, 1);
        }
        for (long state : added) {
            assertThat(states.add(state, 1)).isFalse();
        }
    }
}
