package io.gpusched.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Node;
import io.gpusched.workload.NodePreference;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeRequirement.Operator;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.NodeSelector.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Few keys and values, so that terms overlap; compared with the terms one by one. */
class TermIndexProperties {
    private static final List<String> KEYS = List.of("a", "b", "c", "d", NodeRequirement.NAME);
    private static final List<String> VALUES = List.of("", "x", "y", "1", "07", "7", "-3", "n0", "n1");

    private static <T> T any(SplittableRandom random, List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private static NodeRequirement requirement(SplittableRandom random) {
        Operator operator = any(random, List.of(Operator.values()));
        int values = switch (operator) {
            case IN, NOT_IN -> 1 + random.nextInt(3);
            case EXISTS, DOES_NOT_EXIST -> 0;
            case GT, LT -> 1;
        };
        boolean bound = operator == Operator.GT || operator == Operator.LT;
        List<String> numbers = List.of("-3", "0", "7", "" + Long.MAX_VALUE, "" + Long.MIN_VALUE);
        return new NodeRequirement(
                any(random, KEYS),
                operator,
                IntStream.range(0, values)
                        .mapToObj(i -> any(random, bound ? numbers : VALUES))
                        .toList());
    }

    private static List<Term> terms(SplittableRandom random) {
        List<Term> terms = new ArrayList<>();
        for (int i = random.nextInt(random.nextInt(4) == 0 ? 200 : 25); i >= 0; i--) {
            terms.add(new Term(IntStream.rangeClosed(0, random.nextInt(4))
                    .mapToObj(k -> requirement(random))
                    .toList()));
        }
        return terms;
    }

    private static Node node(SplittableRandom random) {
        Node.Builder node = Node.builder("n" + random.nextInt(3));
        for (String key : List.of("a", "b", "c", "d", "e")) {
            if (random.nextInt(3) > 0) {
                node.label(key, any(random, VALUES));
            }
        }
        return node.build();
    }

    @Property
    void aNodeMeetsTheTermsThatAcceptItOneByOne(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<NodePreference> preferences = terms(random).stream()
                .map(term -> new NodePreference(1 + random.nextInt(100), term))
                .toList();
        List<Term> terms = preferences.stream().map(NodePreference::term).toList();
        TermIndex index = TermIndex.of(preferences);
        for (int i = 0; i < 10; i++) {
            Node node = node(random);
            assertThat(index.weight(node))
                    .as("%s %s of %s", node, node.labels(), preferences)
                    .isEqualTo(preferences.stream()
                            .filter(preference -> preference.term().matches(node))
                            .mapToLong(NodePreference::weight)
                            .sum());
            assertThat(TermIndex.test(new NodeSelector(terms)).test(node))
                    .isEqualTo(terms.stream().anyMatch(term -> term.matches(node)));
        }
    }
}
