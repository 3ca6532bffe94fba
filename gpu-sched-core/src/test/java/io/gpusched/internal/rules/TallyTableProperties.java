package io.gpusched.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.workload.HostPort;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.LabelSelector.Operator;
import io.gpusched.workload.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The table of counts against a map in which every key is looked at. */
class TallyTableProperties {
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final Namespaces NAMESPACES =
            Namespaces.NONE.with("a", Map.of("team", "x")).with("b", Map.of("team", "y"));

    private static <T> T any(List<T> all, Random random) {
        return all.get(random.nextInt(all.size()));
    }

    private static Requirement requirement(Random random) {
        Operator operator = any(List.of(Operator.values()), random);
        boolean valued = operator == Operator.IN || operator == Operator.NOT_IN;
        List<String> values = random.nextBoolean() ? List.of(any(NAMES, random)) : List.of("a", "b");
        return new Requirement("label-" + any(NAMES, random), operator, valued ? values : List.of());
    }

    private static LabelSelector selector(Random random) {
        List<Requirement> requirements = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            requirements.add(requirement(random));
        }
        return new LabelSelector(requirements);
    }

    private static PodPattern pattern(Random random) {
        Set<String> namespaces = random.nextInt(4) == 0 ? Set.of("a", "b") : Set.of(any(NAMES, random));
        Optional<LabelSelector> chosen =
                random.nextInt(4) == 0 ? Optional.of(LabelSelector.label("team", "x")) : Optional.empty();
        return new PodPattern(namespaces, chosen, selector(random));
    }

    private static TallyKey key(Random random) {
        String topology = any(NAMES, random);
        return switch (random.nextInt(5)) {
            case 0 -> new TallyKey.Port(80 + random.nextInt(3), HostPort.Protocol.TCP, TallyKey.Port.ON_ALL);
            case 1, 2 ->
                new TallyKey.Holding(
                        any(List.of(TallyKey.Kind.values()), random), pattern(random), random.nextInt(3), topology);
            case 3 -> new TallyKey.Matching(List.of(pattern(random)), random.nextBoolean(), topology);
            default -> new TallyKey.Matching(List.of(pattern(random), pattern(random)), random.nextBoolean(), topology);
        };
    }

    private static Map<String, String> labels(Random random) {
        Map<String, String> labels = new HashMap<>();
        for (String name : NAMES) {
            if (random.nextBoolean()) {
                labels.put("label-" + name, any(NAMES, random));
            }
        }
        return labels;
    }

    @Property(tries = 300)
    void aPod_findsEveryCountThatMeansIt_onceAndNoOther(@ForAll Random random) {
        Map<TallyKey, Tally> expected = new HashMap<>();
        TallyTable table = TallyTable.EMPTY;
        List<TallyKey> keys = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            TallyKey key = keys.isEmpty() || random.nextInt(3) > 0 ? key(random) : any(keys, random);
            keys.add(key);
            Tally tally = new Tally(key, random.nextInt(3), DomainCounts.of(Map.of("d", 1 + random.nextInt(9))));
            table = table.with(tally);
            if (tally.users() == 0) {
                expected.remove(key);
            } else {
                expected.put(key, tally);
            }
        }
        assertThat(table.toMap()).isEqualTo(expected);
        assertThat(table.size()).isEqualTo(expected.size());
        assertThat(table.isEmpty()).isEqualTo(expected.isEmpty());
        for (TallyKey key : keys) {
            assertThat(table.get(key)).isEqualTo(expected.get(key));
        }
        for (int i = 0; i < 10; i++) {
            assertFinds(table, expected, any(NAMES, random), labels(random));
        }
    }

    private static void assertFinds(
            TallyTable table, Map<TallyKey, Tally> all, String namespace, Map<String, String> labels) {
        List<Tally> found = new ArrayList<>();
        table.forEachOf(namespace, labels, NAMESPACES, found::add);
        assertThat(found)
                .containsExactlyInAnyOrderElementsOf(all.values().stream()
                        .filter(tally -> means(tally.key(), namespace, labels))
                        .toList());
    }

    private static boolean means(TallyKey key, String namespace, Map<String, String> labels) {
        if (key instanceof TallyKey.Holding holding) {
            return means(holding.pattern(), namespace, labels);
        }
        return key instanceof TallyKey.Matching matching
                && matching.patterns().stream().allMatch(pattern -> means(pattern, namespace, labels));
    }

    private static boolean means(PodPattern pattern, String namespace, Map<String, String> labels) {
        boolean inTeam = pattern.namespaceSelector().isPresent() && namespace.equals("a");
        return (inTeam || pattern.namespaces().contains(namespace))
                && pattern.pods().requirements().stream().allMatch(one -> holds(one, labels.get(one.key())));
    }

    private static boolean holds(Requirement requirement, String value) {
        return switch (requirement.operator()) {
            case IN -> value != null && requirement.values().contains(value);
            case NOT_IN -> value == null || !requirement.values().contains(value);
            case EXISTS -> value != null;
            case DOES_NOT_EXIST -> value == null;
        };
    }

    /** Texts of one hash can be written by anyone: "Aa" and "BB", and all that consist of these. */
    @Example
    void keysOfTextsWithOneHash_haveHashesOfTheirOwn() {
        Set<Long> hashes = new HashSet<>();
        for (int i = 0; i < 1 << 10; i++) {
            StringBuilder text = new StringBuilder();
            for (int bit = 0; bit < 10; bit++) {
                text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            assertThat(text.toString()).hasSameHashCodeAs("Aa".repeat(10));
            for (PodPattern pattern : List.of(
                    PodPattern.within("default", LabelSelector.label("app", text.toString())),
                    PodPattern.within("default", LabelSelector.label(text.toString(), "app")),
                    PodPattern.within(text.toString(), LabelSelector.label("app", "app")))) {
                hashes.add(TallyHash.of(new TallyKey.Matching(List.of(pattern), false, "zone")));
                hashes.add(TallyHash.of(new TallyKey.Holding(TallyKey.Kind.APART, pattern, 0, "zone")));
            }
        }

        assertThat(hashes).hasSize(6 << 10);
    }
}
