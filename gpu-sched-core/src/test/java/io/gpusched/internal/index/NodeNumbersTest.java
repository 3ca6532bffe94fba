package io.gpusched.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Topology;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NodeNumbersTest {
    private static NodeLocation location(String name, int number) {
        return new NodeLocation(name, number, Topology.NONE, 1, 0, 0);
    }

    @Test
    void numbersAreNeverGivenToTwoNodesAtOnce_andThoseOfNodesThatLeftAreGivenAgain() {
        Random random = new Random(3);
        Map<Integer, NodeLocation> expected = new HashMap<>();
        NodeNumbers numbers = NodeNumbers.EMPTY;
        int most = 0;
        for (int i = 0; i < 2_000; i++) {
            if (expected.isEmpty() || random.nextInt(5) < 3) {
                NodeLocation joined = location("n" + i, numbers.unused());
                assertThat(expected.put(joined.number(), joined)).isNull();
                numbers = numbers.with(joined);
            } else {
                NodeLocation left = expected.remove(expected.keySet().stream()
                        .skip(random.nextInt(expected.size()))
                        .findFirst()
                        .orElseThrow());
                numbers = numbers.without(left);
            }
            most = Math.max(most, expected.size());
        }
        for (int number = 0; number < most + 40; number++) {
            assertThat(numbers.at(number)).isSameAs(expected.get(number));
        }
        assertThat(expected.keySet()).allMatch(number -> number < 2_000);
        assertThat(numbers.unused()).isLessThanOrEqualTo(most);
    }

    @Test
    void aNodeThatChanges_keepsItsNumber_andOlderVersionsKeepTheNodeAsItWas() {
        NodeNumbers before = NodeNumbers.of(new NodeLocation[] {location("a", 0), location("b", 1)});
        NodeLocation changed = location("b", 1).withOrder(9);
        NodeNumbers after = before.with(changed);
        assertThat(after.at(1)).isSameAs(changed);
        assertThat(before.at(1)).isEqualTo(location("b", 1));
        assertThat(after.unused()).isEqualTo(2);
    }

    @Test
    void ofMany_eachHasItsIndex() {
        NodeLocation[] many = new NodeLocation[40_000];
        for (int i = 0; i < many.length; i++) {
            many[i] = location("n" + i, i);
        }
        NodeNumbers numbers = NodeNumbers.of(many);
        for (int i = 0; i < many.length; i++) {
            assertThat(numbers.at(i)).isSameAs(many[i]);
        }
        assertThat(numbers.at(many.length)).isNull();
        assertThat(numbers.unused()).isEqualTo(many.length);
    }
}
