package io.gpusched.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.TopologySpread;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RuleSetTest {
    private final Cluster cluster = Cluster.of(IntStream.range(0, 20)
            .mapToObj(i -> Node.builder("n" + i)
                    .capacity(1_000, 1_000)
                    .label("zone", "z" + i % 3)
                    .build())
            .toList());

    private int walks;

    private static LabelSelector app(int number) {
        return LabelSelector.label("app", "a" + number);
    }

    private static PodRules spread(int constraints, boolean required, boolean byNode) {
        return PodRules.NONE.withSpread(IntStream.range(0, constraints)
                .mapToObj(i -> new TopologySpread("zone", 1, 1, required, app(i), true, byNode))
                .toArray(TopologySpread[]::new));
    }

    private static PodRules affinity(int terms) {
        return PodRules.NONE.withAntiAffinity(new PodAffinity(
                IntStream.range(0, terms)
                        .mapToObj(i -> PodAffinity.Term.of(app(i), "zone"))
                        .toList(),
                IntStream.range(0, terms)
                        .mapToObj(i -> new PodAffinity.Weighted(1, PodAffinity.Term.of(app(terms + i), "zone")))
                        .toList()));
    }

    /** How often all nodes are looked at to work out these rules, which no running pod has. */
    private int walks(PodRules rules) {
        List<NodeState> nodes = cluster.nodes();
        Iterable<NodeState> counting = () -> {
            walks++;
            return nodes.iterator();
        };
        Pod pod = Pod.of("new", Resources.of(1, 1), GpuRequest.none()).withRules(rules);
        RuleIndex index = RuleIndex.of(nodes, Namespaces.NONE);
        walks = 0;
        RuleSet set = RuleSet.of(pod, index, nodes.size(), () -> counting);
        Preferences preferences = set == null ? null : set.preferences();
        if (preferences != null) {
            Objects.requireNonNull(preferences.scores(nodes));
        }
        return walks;
    }

    @Test
    void rulesThatNobodyCountedYet_areCountedTogether() {
        List<IntFunction<PodRules>> kinds = List.of(
                count -> spread(count, true, true),
                count -> spread(count, true, false),
                count -> spread(count, false, true),
                RuleSetTest::affinity);
        for (IntFunction<PodRules> rules : kinds) {
            assertThat(walks(rules.apply(1))).isBetween(1, 3);
            assertThat(walks(rules.apply(50))).isEqualTo(walks(rules.apply(1)));
        }
    }
}
