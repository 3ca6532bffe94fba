package io.gpusched.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.index.NodeLabels;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.LabelSelector.Operator;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What is counted by bits for many rules together, against a look at each pod for each rule. */
class TallyCountProperties {
    private static final List<String> TOPOLOGIES = List.of("zone", "host", NodeRequirement.NAME);

    private static <T> T any(SplittableRandom random, List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private static LabelSelector selector(SplittableRandom random) {
        return new LabelSelector(IntStream.range(0, random.nextInt(3))
                .mapToObj(i -> {
                    Operator operator = any(random, List.of(Operator.values()));
                    boolean compares = operator == Operator.IN || operator == Operator.NOT_IN;
                    List<String> values = IntStream.range(0, compares ? random.nextInt(3) : 0)
                            .mapToObj(v -> "v" + random.nextInt(3))
                            .toList();
                    return new LabelSelector.Requirement(any(random, List.of("a", "b")), operator, values);
                })
                .toList());
    }

    private static PodPattern pattern(SplittableRandom random) {
        Set<String> namespaces = any(random, List.of(Set.of("one"), Set.of("one", "two"), Set.of()));
        Optional<LabelSelector> bySelector = random.nextInt(4) == 0
                ? Optional.of(LabelSelector.label("team", any(random, List.of("x", "y"))))
                : Optional.empty();
        return new PodPattern(namespaces, bySelector, selector(random));
    }

    private static List<TallyKey.Matching> keys(SplittableRandom random) {
        List<TallyKey.Matching> keys = new ArrayList<>();
        for (int i = random.nextInt(random.nextInt(4) == 0 ? 150 : 6); i >= 0; i--) {
            keys.add(new TallyKey.Matching(
                    random.nextInt(3) == 0 ? List.of(pattern(random), pattern(random)) : List.of(pattern(random)),
                    random.nextBoolean(),
                    any(random, TOPOLOGIES)));
        }
        return keys;
    }

    private static Cluster cluster(SplittableRandom random) {
        List<Node> nodes = new ArrayList<>();
        List<Placement> placements = new ArrayList<>();
        for (int n = 0; n < 5; n++) {
            Node.Builder node = Node.builder("n" + n).capacity(1, 1);
            for (String key : List.of("zone", "host")) {
                if (random.nextInt(4) > 0) {
                    node.label(key, "d" + random.nextInt(3));
                }
            }
            nodes.add(node.build());
            for (int p = random.nextInt(4); p > 0; p--) {
                placements.add(placement(random, "n" + n, placements.size()));
            }
        }
        return Cluster.of(nodes, placements);
    }

    private static Placement placement(SplittableRandom random, String node, int number) {
        Map<String, String> labels = new TreeMap<>();
        for (String key : List.of("a", "b", "c")) {
            if (random.nextInt(3) > 0) {
                labels.put(key, "v" + random.nextInt(3));
            }
        }
        PodRules rules = PodRules.NONE.withLabels(labels).withTerminating(random.nextInt(4) == 0);
        Pod pod = Pod.of("p" + number, Resources.NONE, GpuRequest.none()).withRules(rules);
        PodId id = new PodId(any(random, List.of("one", "two", "three")), "p" + number);
        return new Placement(id, node, Resources.NONE, List.of(ContainerGrant.of("main", GpuGrant.none())))
                .withSpec(pod.spec());
    }

    private static Map<String, Integer> oneByOne(TallyKey.Matching key, List<NodeState> nodes, Namespaces known) {
        Map<String, Integer> counts = new TreeMap<>();
        for (NodeState node : nodes) {
            String domain = NodeLabels.value(key.topology(), node.node());
            for (Placement placement : node.placements()) {
                PodRules rules = RuleTerms.rules(placement);
                boolean isMeant = !(key.lasting() && rules.terminating())
                        && key.patterns().stream()
                                .allMatch(pattern ->
                                        pattern.matches(placement.pod().namespace(), rules.labels(), known));
                if (isMeant && domain != null) {
                    counts.merge(domain, 1, Integer::sum);
                }
            }
        }
        return counts;
    }

    @Property(tries = 300)
    void countsOfManyRulesTogether_areThoseOfEach(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<NodeState> nodes = cluster(random).nodes();
        Namespaces known = Namespaces.NONE.with("two", Map.of("team", "x")).with("three", Map.of("team", "y"));
        List<TallyKey.Matching> keys = keys(random);

        Map<TallyKey, CountedDomains> counted = TallyCount.of(keys, nodes, known);

        List<String> asked = List.of("d2", "n3", "d0", "nowhere", "d1");
        CountedDomains.Reader reader = new CountedDomains.Reader(asked);
        for (TallyKey.Matching key : keys) {
            Map<String, Integer> expected = oneByOne(key, nodes, known);
            CountedDomains counts = counted.get(key);
            assertThat(counts).isNotNull();
            assertThat(counts.toMap()).as("%s", key).isEqualTo(expected);
            assertThat(counts.size()).isEqualTo(expected.size());
            assertThat(counts.sum())
                    .isEqualTo(
                            expected.values().stream().mapToLong(count -> count).sum());
            assertThat(reader.read(counts))
                    .containsExactly(asked.stream()
                            .mapToInt(domain -> expected.getOrDefault(domain, 0))
                            .toArray())
                    .containsExactly(reader.read(DomainCounts.of(expected)));
        }
    }

    @Property(tries = 200)
    void wishesAddUpByDomain(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<NodeState> nodes = cluster(random).nodes();
        List<TallyKey.Matching> keys = keys(random);
        Map<TallyKey, CountedDomains> counted = TallyCount.of(keys, nodes, Namespaces.NONE);
        WishSums wishes = new WishSums();
        long[] expected = new long[nodes.size()];
        for (TallyKey.Matching key : keys) {
            int weight = random.nextInt(-100, 101);
            Map<String, Integer> byDomain = oneByOne(key, nodes, Namespaces.NONE);
            CountedDomains together = counted.get(key);
            assertThat(together).isNotNull();
            wishes.add(key.topology(), random.nextInt(3) > 0 ? together : DomainCounts.of(byDomain), weight);
            for (int n = 0; n < expected.length; n++) {
                String domain =
                        NodeLabels.value(key.topology(), nodes.get(n).node());
                expected[n] += domain == null ? 0 : (long) weight * byDomain.getOrDefault(domain, 0);
            }
        }
        for (int n = 0; n < expected.length; n++) {
            assertThat(wishes.of(nodes.get(n).node())).isEqualTo(expected[n]);
        }
    }
}
