package io.gpusched.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Counts by domain against a map. */
class DomainCountsProperties {
    private static final int DOMAINS = 12;

    private static String domain(int number) {
        return "zone-" + number;
    }

    @Property
    void anyHistoryOfChanges_isCountedAsAMapCountsIt(@ForAll Random random) {
        Map<String, Integer> expected = new TreeMap<>();
        DomainCounts counts = DomainCounts.NONE;
        for (int i = 0; i < 80; i++) {
            String domain = domain(random.nextInt(DOMAINS));
            int change = random.nextInt(5) - 2;
            expected.merge(domain, change, Integer::sum);
            expected.values().removeIf(count -> count == 0);
            DomainCounts before = counts;
            Map<String, Integer> wasBefore = before.toMap();
            counts = counts.plus(domain, change);
            assertThat(before.toMap()).as("a change leaves what was there").isEqualTo(wasBefore);
            assertHolds(counts, expected);
        }
    }

    private static void assertHolds(DomainCounts counts, Map<String, Integer> expected) {
        assertThat(counts.toMap()).isEqualTo(expected);
        assertThat(counts.size()).isEqualTo(expected.size());
        assertThat(counts.sum())
                .isEqualTo(expected.values().stream().mapToLong(count -> count).sum());
        for (int number = 0; number < DOMAINS; number++) {
            assertThat(counts.get(domain(number))).isEqualTo(expected.getOrDefault(domain(number), 0));
        }
        int[] visited = {0, 0};
        counts.forEachCount(count -> {
            visited[0]++;
            visited[1] += count;
        });
        assertThat(visited[0]).isEqualTo(counts.size());
        assertThat(visited[1]).isEqualTo((int) counts.sum());
    }

    @Property
    void equalCounts_areEqual_whateverTheirHistory(@ForAll Random random) {
        Map<String, Integer> wanted = new HashMap<>();
        for (int number = 0; number < DOMAINS; number++) {
            wanted.put(domain(number), random.nextInt(4));
        }
        DomainCounts byDetours = DomainCounts.NONE;
        for (int number = DOMAINS - 1; number >= 0; number--) {
            byDetours = byDetours.plus(domain(number), 7);
        }
        for (Map.Entry<String, Integer> entry : wanted.entrySet()) {
            byDetours = byDetours.plus(entry.getKey(), entry.getValue() - 7);
        }
        DomainCounts straight = DomainCounts.of(wanted);
        assertThat(byDetours).isEqualTo(straight).hasSameHashCodeAs(straight).hasToString(straight.toString());
        assertThat(straight.plus(domain(0), 1)).isNotEqualTo(straight);
        assertThat(straight.plus(domain(0), 1).plus(domain(1), -1))
                .as("the same sum in other domains")
                .isNotEqualTo(straight);
    }

    @Example
    void noDomain_hasNone() {
        assertThat(DomainCounts.of(Map.of("a", 3)).get(null)).isZero();
        assertThat(DomainCounts.NONE.get("a")).isZero();
    }
}
