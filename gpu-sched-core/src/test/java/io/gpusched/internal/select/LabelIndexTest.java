package io.gpusched.internal.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeRequirement.Operator;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.NodeSelector.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LabelIndexTest {
    private static final int LABELS = 70;

    private static SlotTable nodes(int count) {
        return new SlotTable(Cluster.of(IntStream.range(0, count)
                .mapToObj(i -> {
                    Node.Builder builder = Node.builder("n%02d".formatted(i)).capacity(1, 1);
                    IntStream.range(0, LABELS).forEach(key -> builder.label("k" + key, "v" + (i + key) % 7));
                    return builder.build();
                })
                .toList()));
    }

    private static NodeSelector selector(String key, String value) {
        return NodeSelector.labels(Map.of(key, value));
    }

    @Test
    void test_withMoreLabelsInUseThanAreFollowed_keepsThoseItFollows() {
        SlotTable nodes = nodes(100);
        LabelIndex labels = new LabelIndex(nodes);
        for (int round = 0; round < 10; round++) {
            for (int key = 0; key < LABELS; key++) {
                var test = labels.test(selector("k" + key, "v0"));
                for (int node = 0; node < 100; node++) {
                    int value = Integer.parseInt(
                            nodes.state(node).node().labels().get("k" + key).substring(1));
                    assertThat(test.test(node)).isEqualTo(value == 0);
                }
            }
        }
        assertThat(labels.follows("k0")).isTrue();
        assertThat(labels.follows("k69")).isFalse();
    }

    @Test
    void test_ofALabelThatComesIntoUse_followsItInsteadOfOneThatNobodyAskedForLately() {
        LabelIndex labels = new LabelIndex(nodes(10));
        for (int key = 0; key < 64; key++) {
            labels.test(selector("k" + key, "v0"));
        }
        for (int i = 0; i < 2_000; i++) {
            labels.test(selector("k" + (1 + i % 63), "v0"));
        }
        labels.test(selector("k69", "v0"));
        assertThat(labels.follows("k69")).isTrue();
        assertThat(labels.follows("k0")).isFalse();
    }

    @Test
    void test_ofAValueThatAllNodesLost_matchesNoneOfThem_andItsCodeServesAnother() {
        SlotTable nodes = nodes(3);
        LabelIndex labels = new LabelIndex(nodes);
        NodeSelector first = selector("k0", "v0");
        assertThat(labels.test(first).test(0)).isTrue();
        labels.remove(0, nodes.state(0).node());
        labels.add(0, Node.builder("other").capacity(1, 1).label("k0", "9").build());
        assertThat(labels.test(first).test(0)).isFalse();
        NodeRequirement above = new NodeRequirement("k0", NodeRequirement.Operator.GT, List.of("8"));
        assertThat(labels.test(NodeSelector.all(above)).test(0)).isTrue();
        assertThat(labels.test(NodeSelector.all(above)).test(1)).isFalse();
    }

    private static Set<Integer> slots(@Nullable Lead lead) {
        Set<Integer> slots = new TreeSet<>();
        Objects.requireNonNull(lead).any().forEach(set -> set.forEach(slots::add));
        return slots;
    }

    @Test
    void lead_isTheMostSelectiveRequirementOfATerm_andAllTermsTogether() {
        LabelIndex labels = new LabelIndex(nodes(70));
        Term narrow = new Term(List.of(
                NodeRequirement.in("k0", "v1", "v2", "v3"),
                NodeRequirement.in("k1", "v0"),
                NodeRequirement.exists("k2")));
        assertThat(slots(labels.lead(new NodeSelector(List.of(narrow)))))
                .isEqualTo(slotsWhere(70, slot -> (slot + 1) % 7 == 0));
        Term other = new Term(List.of(new NodeRequirement("k3", Operator.DOES_NOT_EXIST, List.of())));
        assertThat(slots(labels.lead(new NodeSelector(List.of(narrow, other)))))
                .isEqualTo(slotsWhere(70, slot -> (slot + 1) % 7 == 0));
    }

    private static Set<Integer> slotsWhere(int slots, IntPredicate test) {
        return IntStream.range(0, slots).filter(test).boxed().collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void lead_ofARequirementThatLeavesMostNodes_isNone() {
        LabelIndex labels = new LabelIndex(nodes(70));
        assertThat(labels.lead(NodeSelector.all(NodeRequirement.in("k0", "v0", "v1", "v2"))))
                .isNull();
        assertThat(labels.lead(NodeSelector.all(new NodeRequirement("k0", Operator.NOT_IN, List.of("v1")))))
                .isNull();
        Term narrow = new Term(List.of(NodeRequirement.in("k0", "v0")));
        Term broad = new Term(List.of(NodeRequirement.exists("k0")));
        assertThat(labels.lead(new NodeSelector(List.of(narrow, broad)))).isNull();
    }

    @Test
    void lead_ofASelectorOfThousandsOfLabels_followsNoMoreThanAreFollowedAtATime() {
        LabelIndex labels = new LabelIndex(nodes(10));
        labels.lead(selector("k0", "v0"));
        List<Term> terms = IntStream.range(0, 3_000)
                .mapToObj(i -> new Term(List.of(
                        NodeRequirement.in("k0", "v0"), new NodeRequirement("x" + i, Operator.EXISTS, List.of()))))
                .toList();

        labels.lead(new NodeSelector(terms));

        assertThat(labels.follows("x1")).isTrue();
        assertThat(IntStream.range(64, 3_000).filter(i -> labels.follows("x" + i)))
                .as("followed once 64 were")
                .hasSizeLessThanOrEqualTo(1);
    }

    private static NodeRequirement bound(Operator operator, long value) {
        return new NodeRequirement("size", operator, List.of(Long.toString(value)));
    }

    private static SlotTable sized() {
        return new SlotTable(Cluster.of(IntStream.range(0, 100)
                .mapToObj(i -> Node.builder("n%02d".formatted(i))
                        .capacity(1, 1)
                        .label("size", i == 99 ? "large" : Integer.toString(i))
                        .build())
                .toList()));
    }

    @Test
    void lead_ofTwoBoundsOfOneLabel_isTheNodesBetweenThem_whicheverComesFirst() {
        LabelIndex labels = new LabelIndex(sized());
        NodeRequirement above = bound(Operator.GT, 40);
        NodeRequirement below = bound(Operator.LT, 45);
        Set<Integer> between = Set.of(41, 42, 43, 44);
        assertThat(slots(labels.lead(NodeSelector.all(above, below)))).isEqualTo(between);
        assertThat(slots(labels.lead(NodeSelector.all(below, above)))).isEqualTo(between);
        assertThat(slots(labels.lead(NodeSelector.all(bound(Operator.GT, 2), above, bound(Operator.LT, 90), below))))
                .isEqualTo(between);
        assertThat(slots(labels.lead(NodeSelector.all(bound(Operator.LT, 3))))).isEqualTo(Set.of(0, 1, 2));
        assertThat(slots(labels.lead(NodeSelector.all(bound(Operator.GT, 96))))).isEqualTo(Set.of(97, 98));
    }

    @Test
    void lead_ofABoundBeyondAllNumbers_isNoNode() {
        LabelIndex labels = new LabelIndex(sized());
        assertThat(slots(labels.lead(NodeSelector.all(bound(Operator.GT, Long.MAX_VALUE)))))
                .isEmpty();
        assertThat(slots(labels.lead(NodeSelector.all(bound(Operator.LT, Long.MIN_VALUE)))))
                .isEmpty();
        assertThat(slots(labels.lead(NodeSelector.all(bound(Operator.GT, Long.MAX_VALUE - 1)))))
                .isEmpty();
    }

    @Test
    void lead_ofMoreRequirementsThanAreFollowed_isThatOfThoseThatDemandALabel() {
        LabelIndex labels = new LabelIndex(sized());
        List<NodeRequirement> many = new ArrayList<>();
        IntStream.range(0, 100).forEach(i -> many.add(new NodeRequirement("x" + i, Operator.NOT_IN, List.of("v"))));
        many.add(NodeRequirement.in("size", "7"));
        assertThat(slots(labels.lead(new NodeSelector(List.of(new Term(many))))))
                .isEqualTo(Set.of(7));
        assertThat(labels.follows("x0")).isFalse();
    }

    @Test
    void replace_movesANodeFromItsOldValueToItsNewOne() {
        SlotTable nodes = sized();
        LabelIndex labels = new LabelIndex(nodes);
        NodeSelector seven = selector("size", "7");
        assertThat(slots(labels.lead(seven))).isEqualTo(Set.of(7));
        Node changed = Node.builder("n07").capacity(1, 1).label("size", "8").build();
        labels.replace(7, nodes.state(7).node(), changed);
        assertThat(slots(labels.lead(seven))).isEmpty();
        assertThat(slots(labels.lead(selector("size", "8")))).isEqualTo(Set.of(7, 8));
    }

    private static boolean isExact(LabelIndex labels, NodeRequirement... all) {
        return Objects.requireNonNull(labels.lead(NodeSelector.all(all))).isExact();
    }

    @Test
    void isExact_whereBitmapsTellOfEachRequirement() {
        LabelIndex many = new LabelIndex(nodes(500));
        assertThat(isExact(many, NodeRequirement.in("k0", "v0"))).isTrue();
        assertThat(isExact(many, NodeRequirement.in("k0", "v0"), NodeRequirement.in("k1", "v1")))
                .as("71 nodes each, as bitmaps")
                .isTrue();
        NodeRequirement broad = NodeRequirement.in("k1", "v0", "v1", "v2");
        assertThat(isExact(many, NodeRequirement.in("k0", "v0"), broad)).isFalse();
        LabelIndex few = new LabelIndex(nodes(70));
        assertThat(isExact(few, NodeRequirement.in("k0", "v0"), NodeRequirement.in("k1", "v1")))
                .as("lists of 10, of which one leads")
                .isFalse();
    }

    @Test
    void isExact_ofBoundsAndTerms() {
        LabelIndex labels = new LabelIndex(sized());
        assertThat(isExact(labels, bound(Operator.GT, 40), bound(Operator.LT, 45)))
                .isTrue();
        assertThat(isExact(labels, bound(Operator.GT, 40), bound(Operator.LT, 45), bound(Operator.GT, 41)))
                .isTrue();
        assertThat(isExact(labels, bound(Operator.GT, 40), bound(Operator.LT, 45), NodeRequirement.exists("size")))
                .as("all nodes have it, as a bitmap")
                .isTrue();
        Term low = new Term(List.of(bound(Operator.LT, 3)));
        Term high = new Term(List.of(bound(Operator.GT, 96), NodeRequirement.exists("size")));
        assertThat(Objects.requireNonNull(labels.lead(new NodeSelector(List.of(low, low))))
                        .isExact())
                .isTrue();
        assertThat(Objects.requireNonNull(labels.lead(new NodeSelector(List.of(low, high))))
                        .isExact())
                .as("a union does not keep what a term demands besides")
                .isFalse();
    }

    @Test
    void lead_ofABoundThatLeavesManyNumbers_isNone_untilTheyAreFew() {
        SlotTable nodes = sized();
        LabelIndex labels = new LabelIndex(nodes);
        NodeSelector wide = NodeSelector.all(bound(Operator.GT, 9), bound(Operator.LT, 90));
        assertThat(labels.lead(wide)).isNull();
        assertThat(labels.lead(wide)).isNull();
        assertThat(slots(labels.lead(NodeSelector.all(bound(Operator.GT, 9), bound(Operator.LT, 12)))))
                .isEqualTo(Set.of(10, 11));
        IntStream.range(10, 80)
                .forEach(slot -> labels.remove(slot, nodes.state(slot).node()));
        assertThat(slots(labels.lead(wide))).isEqualTo(slotsWhere(90, slot -> slot >= 80));
    }
}
