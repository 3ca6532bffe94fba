package io.gpusched.internal.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Example;
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

    @Example
    void aStateOfTwoZeros_isOneLikeOthers() {
        StateSet states = new StateSet();
        assertThat(states.add(0, 0)).isTrue();
        assertThat(states.add(0, 0)).isFalse();
        assertThat(states.add(0, 7)).isTrue();
        assertThat(states.add(7, 0)).isTrue();
        assertThat(states.add(0, 7)).isFalse();
    }

    @Example
    void aFullSet_forgetsNothing_andTakesUpNothingNew() {
        StateSet states = new StateSet();
        int most = 1 << 17;
        for (int state = 1; state <= most; state++) {
            assertThat(states.add(StateSet.mix(state), state)).isTrue();
        }
        assertThat(states.add(StateSet.mix(-1), 0)).isTrue();
        assertThat(states.add(StateSet.mix(-1), 0)).isTrue();
        for (int state = 1; state <= most; state++) {
            assertThat(states.add(StateSet.mix(state), state)).isFalse();
        }
    }

    /** The first outputs of SplitMix64 from the seed 1234567, as its reference implementation gives them. */
    @Example
    void mix_isTheFinaliserOfSplitMix64() {
        long gamma = 0x9E3779B97F4A7C15L;
        assertThat(StateSet.mix(1_234_567 + gamma)).isEqualTo(6_457_827_717_110_365_317L);
        assertThat(StateSet.mix(1_234_567 + 2 * gamma)).isEqualTo(3_203_168_211_198_807_973L);
        assertThat(StateSet.mix(1, 1_234_567)).isEqualTo(6_457_827_717_110_365_317L);
    }
}
