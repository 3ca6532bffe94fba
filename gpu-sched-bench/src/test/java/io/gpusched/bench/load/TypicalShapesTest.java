package io.gpusched.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Node;
import java.util.List;
import org.junit.jupiter.api.Test;

class TypicalShapesTest {
    @Test
    void openbShapes_areThe35ThatMakeUp95PercentOf8152Pods() {
        assertThat(TypicalShapes.OPENB).hasSize(35);
        assertThat(TypicalShapes.OPENB.stream().mapToInt(Shape::weight).sum()).isEqualTo(7_766);
    }

    @Test
    void openbNodes_1213_areTheTracesCluster() {
        List<Node> nodes = Clusters.openb(1_213);

        assertThat(nodes.stream().mapToInt(node -> node.gpus().size()).sum()).isEqualTo(6_212);
        assertThat(nodes.stream().mapToLong(node -> node.capacity().cpuMillis()).sum())
                .isEqualTo(107_018_000L);
        assertThat(nodes.stream().mapToLong(node -> node.capacity().memoryMib()).sum())
                .isEqualTo(503_828_480L);
    }
}
