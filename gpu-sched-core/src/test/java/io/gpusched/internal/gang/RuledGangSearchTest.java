package io.gpusched.internal.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.fit.SharedValues;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RuledGangSearchTest {
    private static final int NODES = 10;
    private static final int TERMS = 100;
    private static final long STEPS = 1_000_000;

    private static Pod member(String name, int terms) {
        List<PodAffinity.Term> away = IntStream.range(0, terms)
                .mapToObj(i -> PodAffinity.Term.of(LabelSelector.label("app", "x" + i), "kubernetes.io/hostname"))
                .toList();
        return Pod.of(name, Resources.of(1_000, 1_024), GpuRequest.exclusive(1))
                .withRules(PodRules.NONE.withAntiAffinity(new PodAffinity(away, List.of())));
    }

    /** What it takes to find out that no node has room. */
    private static long stepsToRefuse(int terms) {
        Cluster cluster = Cluster.of(IntStream.range(0, NODES)
                .mapToObj(i -> Node.builder("n" + i).capacity(64_000, 65_536).build())
                .toList());
        Gang gang = new Gang(PodGroup.of("g", List.of(member("a", terms), member("b", terms))), new SharedValues());
        SearchSteps steps = SearchSteps.of(STEPS);
        assertThat(new RuledGangSearch(cluster, gang, steps).find(NodeRange.EVERYWHERE))
                .isNull();
        return STEPS - steps.left();
    }

    @Test
    void theMoreRulesMembersHave_theMoreStepsEachNodeTakes() {
        assertThat(stepsToRefuse(1 + TERMS)).isGreaterThanOrEqualTo(stepsToRefuse(1) + (long) NODES * TERMS);
    }
}
