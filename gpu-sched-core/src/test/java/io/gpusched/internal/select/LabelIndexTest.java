package io.gpusched.internal.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LabelIndexTest {
    private static final int LABELS = 70;

    private final NodeTable nodes = new NodeTable();
    private final LabelIndex labels = new LabelIndex(nodes);

    private void addNodes(int count) {
        Cluster cluster = Cluster.of(IntStream.range(0, count)
                .mapToObj(i -> {
                    Node.Builder builder = Node.builder("n" + i).capacity(1, 1);
                    IntStream.range(0, LABELS).forEach(key -> builder.label("k" + key, "v" + (i + key) % 7));
                    return builder.build();
                })
                .toList());
        for (NodeState node : cluster.nodes()) {
            labels.add(nodes.add(new NodeSpot(node, node.nodeClass())), node.node());
        }
    }

    private static NodeSelector selector(String key, String value) {
        return NodeSelector.labels(Map.of(key, value));
    }

    @Test
    void test_withMoreLabelsInUseThanAreFollowed_keepsThoseItFollows() {
        addNodes(100);
        for (int round = 0; round < 10; round++) {
            for (int key = 0; key < LABELS; key++) {
                var test = labels.test(selector("k" + key, "v0"));
                for (int node = 0; node < 100; node++) {
                    int value = Integer.parseInt(
                            nodes.get(node).machine().labels().get("k" + key).substring(1));
                    assertThat(test.test(node)).isEqualTo(value == 0);
                }
            }
        }
        assertThat(labels.follows("k0")).isTrue();
        assertThat(labels.follows("k69")).isFalse();
    }

    @Test
    void test_ofALabelThatComesIntoUse_followsItInsteadOfOneThatNobodyAskedForLately() {
        addNodes(10);
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
        addNodes(3);
        NodeSelector first = selector("k0", "v0");
        assertThat(labels.test(first).test(0)).isTrue();
        KnownNode node = nodes.get(0);
        labels.remove(node, node.machine());
        nodes.remove(node);
        NodeState other = Cluster.of(List.of(
                        Node.builder("other").capacity(1, 1).label("k0", "9").build()))
                .node(0);
        KnownNode added = nodes.add(new NodeSpot(other, other.nodeClass()));
        labels.add(added, other.node());
        assertThat(added.id()).isZero();
        assertThat(labels.test(first).test(0)).isFalse();
        NodeRequirement above = new NodeRequirement("k0", NodeRequirement.Operator.GT, List.of("8"));
        assertThat(labels.test(NodeSelector.all(above)).test(0)).isTrue();
        assertThat(labels.test(NodeSelector.all(above)).test(1)).isFalse();
    }
}
