package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.policy.FirstFit;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** In which order the parts of a group of groups start, which may stay away, and when a refusal is certain. */
class GroupTreeRulesTest {
    private static final GpuRequest GPU = GpuRequest.exclusive(1);

    private final GpuScheduler scheduler = GpuScheduler.create();

    /** Racks r0, r1, ... of one node n0, n1, ... each, with these numbers of GPUs. */
    private static Cluster cluster(int... gpus) {
        return Cluster.of(IntStream.range(0, gpus.length)
                .mapToObj(n -> Node.builder("n" + n)
                        .capacity(64_000, 64_000)
                        .gpus(gpus[n], Nodes.BIG)
                        .topology(Topology.of("rack", "r" + n))
                        .build())
                .toList());
    }

    private static List<Pod> pods(String name, int count, GpuRequest request) {
        return IntStream.range(0, count)
                .mapToObj(i -> Pod.of(name + i, Resources.of(1, 1), request))
                .toList();
    }

    private static PodGroup group(String name, int count, GpuRequest request) {
        return PodGroup.of(name, pods(name, count, request));
    }

    /** A group with members of its own beside its groups. */
    private static PodGroup with(PodGroup.Role own, int minGroups, PodGroup... groups) {
        return new PodGroup("tree", 1, List.of(own), Locality.ANYWHERE, List.of(groups), minGroups);
    }

    private static List<String> placed(GroupDecision decision) {
        return ((GroupPlaced) decision)
                .placements().stream().map(Placement::pod).map(PodId::name).toList();
    }

    private static Certainty refused(GroupDecision decision) {
        return ((Unschedulable) decision).certainty();
    }

    @Test
    void groupsWhoseMembersDoNotEvenFitAsOneGroup_areRefusedForCertain() {
        PodGroup tree = PodGroup.ofGroups(
                "tree", List.of(group("a", 2, GpuRequest.percent(60)), group("b", 1, GpuRequest.percent(70))));

        assertThat(refused(scheduler.schedule(cluster(2), tree))).isEqualTo(Certainty.PROVEN);
        assertThat(placed(scheduler.schedule(cluster(3), tree))).containsExactlyInAnyOrder("a0", "a1", "b0");
    }

    @Test
    void equalSlicesThatAreTooMany_areRefusedForCertain() {
        PodGroup slices = group("p", 6, GPU).withSlices(2, "rack");

        assertThat(refused(scheduler.schedule(cluster(3, 3), slices))).isEqualTo(Certainty.PROVEN);
        assertThat(placed(scheduler.schedule(cluster(3, 5), slices))).hasSize(6);
    }

    @Test
    void slicesOfMembersThatMustBeApart_areNotPutTogetherThoughTheyAskForTheSame() {
        List<Pod> pods = new ArrayList<>(pods("p", 1, GPU));
        pods.add(pods("apart", 1, GPU)
                .get(0)
                .withRules(PodRules.NONE.withAntiAffinity(
                        PodAffinity.required(PodAffinity.Term.of(LabelSelector.ALL, "rack")))));
        PodGroup slices = PodGroup.of("p", pods).withSlices(2, "rack");

        assertThat(scheduler.schedule(cluster(2, 2), slices).isPlaced()).isFalse();
    }

    @Test
    void groupsThatStandInEachOthersWay_areTriedTheLargestFirst() {
        PodGroup pair = group("pair", 2, GPU).withLocality(Locality.oneNode());
        PodGroup tree = PodGroup.ofGroups("tree", List.of(group("single", 1, GPU), pair));

        GroupDecision decision = GpuScheduler.of(FirstFit.of()).schedule(cluster(2, 1), tree);

        assertThat(((GroupPlaced) decision).placements())
                .extracting(placement -> placement.pod().name() + " on " + placement.node())
                .containsExactlyInAnyOrder("pair0 on n0", "pair1 on n0", "single0 on n1");
    }

    @Test
    void membersBeyondTheMinimumOfTheirGroups_countForTheMinimumOfAll() {
        PodGroup tree = PodGroup.ofGroups(
                        "tree",
                        List.of(
                                group("a", 2, GPU).withMinMember(1),
                                group("b", 2, GPU).withMinMember(1)))
                .withMinMember(4);

        assertThat(placed(scheduler.schedule(cluster(4), tree))).hasSize(4);
        assertThat(scheduler.schedule(cluster(3), tree).isPlaced()).isFalse();
    }

    @Test
    void ownMembersWithoutAMinimum_mayStayAway() {
        PodGroup.Role may = new PodGroup.Role("own", 0, pods("own", 1, GpuRequest.exclusive(2)));
        PodGroup.Role must = new PodGroup.Role("own", 1, pods("own", 1, GpuRequest.exclusive(2)));

        assertThat(placed(scheduler.schedule(cluster(1, 1), with(may, 1, group("a", 1, GPU)))))
                .containsExactly("a0");
        assertThat(scheduler
                        .schedule(cluster(1, 1), with(must, 1, group("a", 1, GPU)))
                        .isPlaced())
                .isFalse();
    }

    @Test
    void groupsThatAreNotNeeded_comeAfterTheOwnMembers() {
        PodGroup.Role own = new PodGroup.Role("own", 0, pods("own", 1, GPU));

        assertThat(placed(scheduler.schedule(cluster(2), with(own, 1, group("a", 1, GPU), group("b", 1, GPU)))))
                .containsExactlyInAnyOrder("a0", "own0");
    }

    @Test
    void treeThatStartsAsThePolicyRanksIt_isProvenBest() {
        PodGroup tree = PodGroup.ofGroups("tree", List.of(group("a", 1, GPU), group("b", 1, GPU)));

        assertThat(((GroupPlaced) scheduler.schedule(cluster(2), tree)).certainty())
                .isEqualTo(Certainty.PROVEN);
    }

    @Test
    void groupThatPrefersADomain_placesTheOthersElsewhere() {
        PodGroup group = group("p", 3, GPU)
                .withMinMember(2)
                .withLocality(Locality.within("rack").preferred());

        GroupDecision decision = scheduler.schedule(cluster(2, 1), group);

        assertThat(placed(decision)).hasSize(3);
        assertThat(((GroupPlaced) decision).certainty()).isEqualTo(Certainty.PROVEN);
    }

    @Test
    void groupOnOneNode_thatNamesAGpu_isPlacedOnItsNodeThoughAnotherIsInTheSameState() {
        Cluster cluster = cluster(2, 2);
        String uuid = cluster.node(1).node().gpus().get(0).uuid();
        GpuRequest named = GpuRequest.exclusive(1, GpuSelector.ANY.withAllowedUuids(Set.of(uuid)));
        PodGroup group = new PodGroup(
                "group",
                2,
                List.of(
                        new PodGroup.Role("named", 1, pods("named", 1, named)),
                        new PodGroup.Role("other", 1, pods("other", 1, GpuRequest.percent(10)))),
                Locality.oneNode());

        assertThat(((GroupPlaced) scheduler.schedule(cluster, group)).placements())
                .extracting(Placement::node)
                .containsExactly("n1", "n1");
    }
}
