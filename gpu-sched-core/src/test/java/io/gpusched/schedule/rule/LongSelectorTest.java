package io.gpusched.schedule.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeRequirement.Operator;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A selector may be as long as it likes. */
class LongSelectorTest {
    private static final int MANY = 50_000;

    private final Cluster cluster = Cluster.of(IntStream.range(0, 100)
            .mapToObj(i -> Node.builder("n" + i)
                    .capacity(64_000, 64_000)
                    .gpus(1, Nodes.BIG)
                    .label("last", "v" + i)
                    .build())
            .toList());

    private String nodeOf(NodeSelector selector) {
        Pod pod = Pod.builder("pod")
                .container("main", Resources.of(1, 1), GpuRequest.exclusive(1))
                .nodeSelector(selector)
                .build();
        return GpuScheduler.create().schedule(cluster, pod) instanceof Placed placed
                ? placed.placement().node()
                : "none";
    }

    private static Stream<NodeRequirement> absent() {
        return IntStream.range(0, MANY)
                .mapToObj(i -> new NodeRequirement("label-" + i, Operator.DOES_NOT_EXIST, List.of()));
    }

    @Test
    void requirementsThatMustAllBeMet_areAllLookedAt() {
        NodeRequirement last = NodeRequirement.in("last", "v42");

        assertThat(nodeOf(NodeSelector.all(
                        Stream.concat(absent(), Stream.of(last)).toArray(NodeRequirement[]::new))))
                .isEqualTo("n42");
        assertThat(nodeOf(NodeSelector.all(Stream.concat(absent(), Stream.of(NodeRequirement.exists("nowhere")))
                        .toArray(NodeRequirement[]::new))))
                .isEqualTo("none");
    }

    @Test
    void termsOfWhichOneMustBeMet_areAllLookedAt() {
        List<NodeSelector.Term> terms = Stream.concat(
                        IntStream.range(0, MANY).mapToObj(i -> NodeRequirement.exists("label-" + i)),
                        Stream.of(NodeRequirement.in("last", "v42")))
                .map(one -> new NodeSelector.Term(List.of(one)))
                .toList();

        assertThat(nodeOf(new NodeSelector(terms))).isEqualTo("n42");
    }
}
