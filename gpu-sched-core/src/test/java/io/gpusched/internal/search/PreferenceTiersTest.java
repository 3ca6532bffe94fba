package io.gpusched.internal.search;

import static io.gpusched.testkit.GpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.rules.Preferences;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodePreference;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The terms of a selector are multiplied by preferences only as long as that makes few. */
class PreferenceTiersTest {
    private static final Cluster CLUSTER =
            Cluster.of(List.of(Node.builder("n").capacity(1, 1).build()));

    private static NodeSelector.Term term(String key, int value) {
        return new NodeSelector.Term(List.of(NodeRequirement.in(key, "v" + value)));
    }

    private static @Nullable List<PodDemand> tiers(int terms, int preferences) {
        Pod pod = Pod.builder("pod")
                .container("main", Resources.of(1, 1), GpuRequest.none())
                .nodeSelector(new NodeSelector(
                        IntStream.range(0, terms).mapToObj(i -> term("rack", i)).toList()))
                .rules(PodRules.NONE.withPreferredNodes(IntStream.range(0, preferences)
                        .mapToObj(i -> new NodePreference(1 + 7 * i, term("zone", i)))
                        .toArray(NodePreference[]::new)))
                .build();
        RuleSet rules = Objects.requireNonNull(
                RuledDemand.of(CLUSTER, new PodDemand(pod)).rules());
        Preferences liked = Objects.requireNonNull(rules.preferences());
        return PreferenceTiers.byNodes(new PodDemand(pod), liked);
    }

    private static int terms(List<PodDemand> tiers) {
        return tiers.stream()
                .mapToInt(tier -> tier.nodeSelector().terms().size())
                .sum();
    }

    @Test
    void fewTerms_areAskedForOnceForEachCombinationOfPreferences() {
        List<PodDemand> tiers = tiers(1, 3);

        assertThat(tiers).isNotNull().hasSize(8);
        assertThat(terms(tiers)).isEqualTo(8);
    }

    private static Node.Builder node(String name, int taints) {
        Node.Builder node = Node.builder(name).capacity(1_000, 1_000).label("kubernetes.io/hostname", name);
        for (int i = 0; i < taints; i++) {
            node.taint(new Taint("soft" + i, "", Taint.Effect.PREFER_NO_SCHEDULE));
        }
        return node;
    }

    @Test
    void taintsToBeAvoided_areWeighedAgainstPodsToBeApartFrom() {
        PodRules apart = PodRules.NONE
                .withLabels(Map.of("app", "x"))
                .withAntiAffinity(PodAffinity.preferred(new PodAffinity.Weighted(
                        10, PodAffinity.Term.of(LabelSelector.label("app", "x"), "kubernetes.io/hostname"))));
        Pod pod = Pod.of("new", Resources.of(1, 1), GpuRequest.none()).withRules(apart);
        GpuScheduler scheduler = GpuScheduler.create();
        Cluster cluster = Cluster.of(List.of(
                node("full", 0).build(),
                node("shared", 0).build(),
                node("avoided", 1).build(),
                node("twice", 2).build()));
        Pod large = Pod.of("large", Resources.of(1_000, 1), GpuRequest.none());
        Pod other = Pod.of("other", Resources.of(1, 1), GpuRequest.none()).withRules(apart);
        cluster = cluster.with(
                scheduler.place(cluster.node("full").orElseThrow(), large).orElseThrow());
        cluster = cluster.with(
                scheduler.place(cluster.node("shared").orElseThrow(), other).orElseThrow());

        // shared: 3 · 100 + 2 · 0; avoided: 3 · 50 + 2 · 100; twice: 3 · 0 + 2 · 100
        assertThat(scheduler.schedule(cluster, pod)).isPlacedOn("avoided");
    }

    @Test
    void manyTerms_areNotMultipliedByPreferences() {
        assertThat(tiers(1_000, 5)).isNull();
        assertThat(tiers(9, 5)).isNull();
        assertThat(tiers(1, 6)).isNull();
        for (int terms = 1; terms <= 8; terms++) {
            assertThat(terms(Objects.requireNonNull(tiers(terms, 5)))).isLessThanOrEqualTo(256);
        }
    }
}
