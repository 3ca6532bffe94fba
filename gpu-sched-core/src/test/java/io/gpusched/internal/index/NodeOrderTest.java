package io.gpusched.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that enter the order at the worst places. */
class NodeOrderTest {
    /** Names that each come right before, right after, or right between those before. */
    private static List<String> names(String kind, int count) {
        List<String> names = new ArrayList<>(List.of("a", "z"));
        for (int i = 0; i < count; i++) {
            names.add(
                    switch (kind) {
                        case "falling" -> "m%06d".formatted(count - i);
                        case "rising" -> "m%06d".formatted(i);
                        default -> i % 2 == 0 ? "m%06d".formatted(i) : "m%06d".formatted(2 * count - i);
                    });
        }
        return names;
    }

    @ParameterizedTest
    @ValueSource(strings = {"falling", "rising", "inwards"})
    void nodesThatEnterAtOnePlaceAgainAndAgain_keepTheOrder_andMoveFewOthers(String kind) {
        int count = 3_000;
        NodeOrder order = NodeOrder.EMPTY;
        Map<String, Long> keys = new HashMap<>();
        long moved = 0;
        for (String name : names(kind, count)) {
            NodeOrder.Insertion insertion = order.plus(Topology.NONE, name, order.size(), 3);
            order = insertion.order();
            keys.put(name, insertion.added().order());
            for (NodeDirectory.Move move : insertion.moved()) {
                assertThat(keys.put(move.to().name(), move.to().order()))
                        .isEqualTo(move.from().order());
                assertThat(move.to().tree()).isEqualTo(3);
                moved++;
            }
        }
        order.validate();
        List<String> found = new ArrayList<>();
        order.forEach(location -> {
            found.add(location.name());
            assertThat(location.order()).isEqualTo(keys.get(location.name()));
        });
        assertThat(found).isSorted().hasSize(count + 2);
        assertThat(moved).as("of %d insertions", count).isBetween(1L, 30L * count);
    }

    @Test
    void rank_andAt_areEachOthersOpposite() {
        NodeOrder order = NodeOrder.EMPTY;
        for (int i = 0; i < 500; i++) {
            order = order.plus(Topology.of("zone", "z" + i % 7), "n" + i * 37 % 500, i, 0)
                    .order();
        }
        for (int i = 0; i < 500; i++) {
            assertThat(order.rank(order.at(i).order())).isEqualTo(i);
        }
        assertThat(order.rank(Long.MIN_VALUE)).isZero();
        assertThat(order.rank(Long.MAX_VALUE)).isEqualTo(500);
        NodeLocation gone = order.at(100);
        NodeOrder fewer = order.minus(gone);
        fewer.validate();
        assertThat(fewer.size()).isEqualTo(499);
        assertThat(fewer.at(100)).isEqualTo(order.at(101));
    }
}
