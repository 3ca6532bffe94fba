package io.gpusched.schedule.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodePreference;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.TopologySpread;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a pod asks may be long: the time grows with its length, not with the square of it. */
class ManyConstraintsTest {
    private static final int FEW = 60;
    private static final int TIMES = 6;

    private final GpuScheduler scheduler = GpuScheduler.create();
    private final Cluster cluster = Cluster.of(IntStream.range(0, 1_000)
            .mapToObj(i -> Node.builder("n" + i)
                    .capacity(64_000, 64_000)
                    .gpus(1, Nodes.BIG)
                    .label("zone", "z" + i % 5)
                    .label("rack", "r" + i % 100)
                    .build())
            .toList());

    private static Pod pod(NodeSelector selector, PodRules rules) {
        return Pod.builder("pod")
                .container("main", Resources.of(1, 1), GpuRequest.exclusive(1))
                .nodeSelector(selector)
                .rules(rules)
                .build();
    }

    /** The least CPU time of some decisions, in nanoseconds. */
    private long nanos(Pod pod) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 7; i++) {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            assertThat(scheduler.schedule(cluster, pod).isPlaced()).isTrue();
            best = Math.min(best, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start);
        }
        return best;
    }

    private static Pod spread(int constraints, boolean required) {
        return pod(
                NodeSelector.ANY,
                PodRules.NONE.withSpread(IntStream.range(0, constraints)
                        .mapToObj(i -> new TopologySpread(
                                i % 2 == 0 ? "zone" : "rack",
                                1,
                                1,
                                required,
                                LabelSelector.label("app", "a" + i),
                                true,
                                true))
                        .toArray(TopologySpread[]::new)));
    }

    @Test
    void constraintsOfSpread_areLookedAtOnce() {
        for (boolean required : new boolean[] {true, false}) {
            nanos(spread(TIMES * FEW, required));

            // by the square it would be 36 times, and on each node it would be millions of nanoseconds for each
            // constraint
            assertThat(nanos(spread(TIMES * FEW, required)))
                    .isLessThan(2 * TIMES * nanos(spread(FEW, required)) + 5_000_000);
        }
    }

    private static Pod preferring(int terms) {
        NodeSelector selector = new NodeSelector(IntStream.range(0, terms)
                .mapToObj(i -> new NodeSelector.Term(List.of(NodeRequirement.in("rack", "r" + i % 100))))
                .toList());
        NodePreference[] preferences = IntStream.range(0, 5)
                .mapToObj(i -> new NodePreference(
                        1 + 7 * i, new NodeSelector.Term(List.of(NodeRequirement.in("zone", "z" + i)))))
                .toArray(NodePreference[]::new);
        return pod(selector, PodRules.NONE.withPreferredNodes(preferences));
    }

    @Test
    void termsOfASelector_areNotMultipliedByPreferences() {
        int terms = 1_000;
        long plain = nanos(pod(preferring(terms).nodeSelector(), PodRules.NONE));

        assertThat(nanos(preferring(terms))).isLessThan(10 * plain + 30_000_000);
    }

    /** Of a refusal and of its diagnosis, on 4,000 nodes. */
    private static long nanosOfRefusal(NodeSelector selector) {
        Cluster large = Cluster.of(IntStream.range(0, 4_000)
                .mapToObj(i -> Node.builder("n" + i)
                        .capacity(64_000, 64_000)
                        .label("num", "" + i)
                        .label("zone", "z" + i % 5)
                        .build())
                .toList());
        Pod pod = pod(selector, PodRules.NONE);
        GpuScheduler scheduler = GpuScheduler.create();
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 7; i++) {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            Decision decision = scheduler.schedule(large, pod);
            assertThat(((Unschedulable) decision).diagnosis().nodes()).isEqualTo(4_000);
            best = Math.min(best, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start);
        }
        return best;
    }

    @Test
    void termsAndRequirementsOfASelector_areNotMultipliedByNodes() {
        IntFunction<NodeSelector> terms = count -> new NodeSelector(IntStream.range(0, count)
                .mapToObj(i -> new NodeSelector.Term(
                        List.of(NodeRequirement.in("num", "" + i), NodeRequirement.in("zone", "z" + (i + 1) % 5))))
                .toList());
        IntFunction<NodeSelector> requirements = count -> NodeSelector.all(IntStream.rangeClosed(0, count)
                .mapToObj(i -> i == count
                        ? NodeRequirement.exists("nowhere")
                        : new NodeRequirement("no" + i, NodeRequirement.Operator.DOES_NOT_EXIST, List.of()))
                .toArray(NodeRequirement[]::new));
        for (IntFunction<NodeSelector> selector : List.of(terms, requirements)) {
            nanosOfRefusal(selector.apply(2_000));

            // a hundred times as long; looked at on each node it would take fifty times the time
            assertThat(nanosOfRefusal(selector.apply(2_000)))
                    .isLessThan(12 * nanosOfRefusal(selector.apply(20)) + 5_000_000);
        }
    }
}
