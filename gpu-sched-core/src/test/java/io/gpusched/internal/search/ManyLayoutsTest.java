package io.gpusched.internal.search;

import static io.gpusched.internal.search.Machines.cluster;
import static io.gpusched.internal.search.Machines.node;
import static io.gpusched.internal.search.Machines.pod;
import static io.gpusched.internal.search.Machines.running;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.Taint;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.Spread;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodePreference;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodRules;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Pods that a node may take in many ways, and pods with preferences: which node they get, and for how many steps. */
class ManyLayoutsTest {
    private static final long MANY = 1_000_000;

    private static final PodRules PREFERS_BLUE = PodRules.NONE.withPreferredNodes(
            new NodePreference(1, new NodeSelector.Term(List.of(NodeRequirement.in("colour", "blue")))));

    private static final Taint SLOW = new Taint("slow", "", Taint.Effect.PREFER_NO_SCHEDULE);

    private static final Pod TWO_SHARES = pod(GpuRequest.percent(60), GpuRequest.percent(60));

    private static @Nullable String found(PlacementPolicy policy, Cluster cluster, Pod pod, SearchSteps steps) {
        Placement placement =
                PlacementSearch.of(policy, 1_000).find(cluster, new PodDemand(pod), SlotRange.EVERYWHERE, steps);
        return placement == null ? null : placement.node();
    }

    private static @Nullable String found(PlacementPolicy policy, Cluster cluster, Pod pod) {
        return found(policy, cluster, pod, SearchSteps.of(MANY));
    }

    /** Nodes with these numbers of GPUs; those from one on are blue. */
    private static Cluster blueFrom(int first, int... gpus) {
        return Cluster.of(IntStream.range(0, gpus.length)
                .mapToObj(n -> node(n, gpus[n])
                        .label("colour", n < first ? "red" : "blue")
                        .build())
                .toList());
    }

    @Test
    void firstFit_passesByNodesWithoutRoom() {
        assertThat(found(FirstFit.of(), cluster(1, 1, 2, 2), TWO_SHARES)).isEqualTo("n02");
    }

    @Test
    void firstFit_ofOneShare_passesByNodesThatHaveTheComputeButNotTheMemory() {
        Cluster cluster = running(cluster(1, 1, 1), "n00", GpuRequest.share(300, GpuMemory.mib(900)));
        Pod pod = pod(GpuRequest.share(600, GpuMemory.mib(500)));

        assertThat(found(FirstFit.of(), cluster, pod)).isEqualTo("n01");
    }

    @Test
    void firstFit_amongPreferredNodes_takesTheFirstWithRoom() {
        assertThat(found(FirstFit.of(), blueFrom(1, 2, 1, 2, 2), TWO_SHARES.withRules(PREFERS_BLUE)))
                .isEqualTo("n02");
    }

    @Test
    void firstFit_looksNoFurtherThanTheFirstNodeWithRoom() {
        SearchSteps ofOne = SearchSteps.of(MANY);
        SearchSteps ofMany = SearchSteps.of(MANY);

        found(FirstFit.of(), blueFrom(0, 2), TWO_SHARES, ofOne);
        found(FirstFit.of(), blueFrom(0, 2, 2, 2, 2, 2, 2), TWO_SHARES, ofMany);

        assertThat(ofMany.left()).isEqualTo(ofOne.left());
    }

    @Test
    void policy_amongPreferredNodes_takesTheOneThatScoresHighest() {
        // the more GPUs are left, the better for spread, the fewer for bin-pack
        Cluster cluster = blueFrom(1, 8, 3, 4, 2, 3);
        Cluster used = running(cluster, "n03", GpuRequest.percent(10));

        assertThat(found(Spread.of(), cluster, TWO_SHARES.withRules(PREFERS_BLUE)))
                .isEqualTo("n02");
        assertThat(found(BinPack.of(), used, TWO_SHARES.withRules(PREFERS_BLUE)))
                .isEqualTo("n03");
    }

    @Test
    void preferencesOfSeveralKinds_forWhichNoStepsAreLeft_leaveTheChoiceToThePolicy() {
        Cluster cluster = Cluster.of(List.of(
                node(0, 1).taint(SLOW).build(),
                node(1, 1).taint(SLOW).label("colour", "blue").build(),
                node(2, 1).taint(SLOW).build()));
        Pod pod = pod(GpuRequest.exclusive(1)).withRules(PREFERS_BLUE);
        SearchSteps few = SearchSteps.of(2);

        assertThat(found(FirstFit.of(), cluster, pod)).isEqualTo("n01");
        assertThat(found(FirstFit.of(), cluster, pod, few)).isEqualTo("n00");
        assertThat(few.isReached()).isTrue();
    }

    @Test
    void preferencesForLabels_ofAPodWithFewLayouts_takeNoSteps() {
        SearchSteps none = SearchSteps.of(0);

        assertThat(found(
                        BinPack.of(),
                        blueFrom(2, 1, 1, 1),
                        pod(GpuRequest.exclusive(1)).withRules(PREFERS_BLUE),
                        none))
                .isEqualTo("n02");
        assertThat(none.isReached()).isFalse();
    }

    @Test
    void nodeThatComesAfterTheStepsAreUsedUp_isStillLookedAt() {
        GpuRequest[] shares = IntStream.range(0, 4)
                .mapToObj(c -> GpuRequest.share(20 + 10 * c, GpuMemory.mib(40 + 3L * c)))
                .toArray(GpuRequest[]::new);
        // eight GPUs of the first node are used, each to another part: more ways than there are steps
        Cluster cluster = cluster(8, 4);
        for (int g = 0; g < 8; g++) {
            cluster = running(cluster, "n00", GpuRequest.share(501 + 30 * g, GpuMemory.mib(50 + 6L * g)));
        }
        SearchSteps steps = SearchSteps.of(2_000);

        assertThat(found(Spread.of(), cluster, pod(shares), steps)).isEqualTo("n01");
        assertThat(steps.isReached()).isTrue();
    }

    @Test
    void count_endsOnceThereAreEnough() {
        PlacementSearch search = PlacementSearch.of(BinPack.of(), 0);
        PodDemand demand = new PodDemand(pod(GpuRequest.exclusive(1)));

        assertThat(search.count(cluster(2, 2, 2), demand, SlotRange.EVERYWHERE, 2))
                .isEqualTo(2);
        assertThat(search.count(cluster(2, 2, 2), demand, SlotRange.EVERYWHERE, 100))
                .isEqualTo(6);
    }
}
