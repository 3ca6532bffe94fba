package io.gpusched.manifests.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LevelOrderTest {
    private static Map<String, String> at(String zone, String rack) {
        return Map.of("zone", zone, "rack", rack);
    }

    @Test
    void levels_stand_fromWideToNarrow_whateverTheOrderInWhichTheyAreNamed() {
        List<Map<String, String>> nodes = List.of(at("z1", "r1"), at("z1", "r2"), at("z2", "r3"));
        assertThat(LevelOrder.of(nodes, List.of("rack", "zone"))).contains(List.of("zone", "rack"));
        assertThat(LevelOrder.of(nodes, List.of("zone", "rack"))).contains(List.of("zone", "rack"));
    }

    @Test
    void aLevelThatFewNodesHave_isNarrow_thoughItHasFewerDomains() {
        List<Map<String, String>> nodes =
                List.of(Map.of("zone", "z1", "clique", "c"), Map.of("zone", "z1"), Map.of("zone", "z2"));
        assertThat(LevelOrder.of(nodes, List.of("clique", "zone"))).contains(List.of("zone", "clique"));
    }

    @Test
    void aRackInTwoZones_isOne_aboveTheZones_orThereIsNoOrder() {
        List<Map<String, String>> spanning = List.of(at("z1", "r1"), at("z2", "r1"));
        assertThat(LevelOrder.of(spanning, List.of("zone", "rack"))).contains(List.of("rack", "zone"));
        List<Map<String, String>> crossing = List.of(at("z1", "r1"), at("z2", "r1"), at("z1", "r2"));
        assertThat(LevelOrder.of(crossing, List.of("zone", "rack"))).isEmpty();
        assertThat(LevelOrder.split(crossing, "zone", "rack"))
                .hasValueSatisfying(
                        split -> assertThat(split).hasToString("rack \"r1\" lies in zone \"z1\" and in \"z2\""));
    }

    @Test
    void aRackOfWhichOnlyAPartHasAZone_isSplitByZones() {
        List<Map<String, String>> nodes = List.of(Map.of("rack", "r1"), at("z1", "r1"), at("z1", "r2"));
        assertThat(LevelOrder.split(nodes, "zone", "rack"))
                .hasValueSatisfying(
                        split -> assertThat(split).hasToString("rack \"r1\" lies in zone \"z1\" and in none"));
        assertThat(LevelOrder.of(nodes, List.of("zone", "rack"))).isEmpty();
    }

    @Test
    void anOrder_keepsEveryDomainInOnePlace_andIsFoundWhereverThereIsOne() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            List<Map<String, String>> nodes = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(6); i++) {
                nodes.add(Map.of(
                        "a", "a" + random.nextInt(2), "b", "b" + random.nextInt(3), "c", "c" + random.nextInt(4)));
            }
            List<List<String>> whole =
                    orders().stream().filter(order -> isWhole(nodes, order)).toList();
            List<String> found = LevelOrder.of(nodes, List.of("a", "b", "c")).orElse(List.of());
            assertThat(whole.isEmpty() ? found.isEmpty() : whole.contains(found))
                    .as("seed %d: %s of %s", seed, found, whole)
                    .isTrue();
        }
    }

    private static List<List<String>> orders() {
        List<List<String>> orders = new ArrayList<>();
        for (String order : List.of("abc", "acb", "bac", "bca", "cab", "cba")) {
            orders.add(List.of(order.split("")));
        }
        return orders;
    }

    /** Whether each level has as many paths as names. */
    private static boolean isWhole(List<Map<String, String>> nodes, List<String> order) {
        for (int depth = 1; depth <= order.size(); depth++) {
            List<String> path = order.subList(0, depth);
            long paths = nodes.stream()
                    .map(node -> path.stream().map(node::get).toList())
                    .distinct()
                    .count();
            String level = order.get(depth - 1);
            if (paths != nodes.stream().map(node -> node.get(level)).distinct().count()) {
                return false;
            }
        }
        return true;
    }
}
