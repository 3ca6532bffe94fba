package io.gpusched.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerifierTest {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100-SXM4-40GB", 40_960);
    private static final Verifier VERIFIER = Verifier.ofTries(10_000);

    private static Node.Builder node(String name) {
        return Node.builder(name).capacity(8_000, 8_000);
    }

    private static Pod pod(String name, GpuRequest gpu) {
        return Pod.of(name, Resources.of(100, 100), gpu);
    }

    private static Placement on(String node, Pod pod, GpuGrant... grants) {
        List<ContainerGrant> containers = new ArrayList<>();
        for (int i = 0; i < grants.length; i++) {
            Container asked = pod.containers().get(i);
            containers.add(new ContainerGrant(asked.name(), asked.kind(), grants[i]));
        }
        return new Placement(pod.id(), node, pod.resources(), containers)
                .withSpec(pod.spec())
                .withGroup(pod.group());
    }

    private static GpuGrant whole(Integer... gpus) {
        return new GpuGrant.Whole(List.of(gpus));
    }

    private static List<Law> laws(List<Violation> broken) {
        return broken.stream().map(Violation::law).distinct().toList();
    }

    @Test
    void percentOfMemory_isRoundedDown() {
        Cluster cluster = Cluster.of(
                List.of(node("n").gpus(1, GpuModel.of("nvidia", "odd", 81_559)).build()));
        Pod pod = pod("p", GpuRequest.percent(30));
        GpuGrant right = new GpuGrant.Shared(List.of(new GpuShare(0, 300, 24_467, 1)));
        GpuGrant wrong = new GpuGrant.Shared(List.of(new GpuShare(0, 300, 24_468, 1)));
        assertThat(VERIFIER.check(cluster, pod, on("n", pod, right))).isEmpty();
        assertThat(laws(VERIFIER.check(cluster, pod, on("n", pod, wrong)))).containsExactly(Law.GRANT);
    }

    @Test
    void sharesThatAddUpToMoreThanADevice_saySoInNumbers() {
        Pod pod = pod("p", GpuRequest.share(600, GpuMemory.none()));
        GpuGrant part = new GpuGrant.Shared(List.of(new GpuShare(0, 600, 0, 1)));
        Cluster cluster = Cluster.of(List.of(node("n").gpus(1, A100).build()), List.of(on("n", pod, part)));
        Pod second = pod.withId(PodId.of("q"));
        assertThat(VERIFIER.check(cluster, second, on("n", second, part)))
                .singleElement()
                .satisfies(broken -> {
                    assertThat(broken.law()).isEqualTo(Law.DEVICE);
                    assertThat(broken.numbers()).isEqualTo(Map.of("used", 1_200L, "available", 1_000L));
                    assertThat(broken).hasToString("DEVICE: node \"n\", gpu 0: computeMillis: 1200 used of 1000");
                });
    }

    @Test
    void initContainer_mayHoldWhatAnOrdinaryOneGetsAfterwards_butASidecarKeepsIt() {
        Cluster cluster = Cluster.of(List.of(node("n").gpus(1, A100).build()));
        Pod init = Pod.builder("init")
                .container(Container.init("first", Resources.NONE, GpuRequest.exclusive(1)))
                .container(Container.of("main", Resources.NONE, GpuRequest.exclusive(1)))
                .build();
        assertThat(VERIFIER.check(cluster, init, on("n", init, whole(0), whole(0))))
                .isEmpty();
        Pod sidecar = Pod.builder("sidecar")
                .container(Container.sidecar("first", Resources.NONE, GpuRequest.exclusive(1)))
                .container(Container.of("main", Resources.NONE, GpuRequest.exclusive(1)))
                .build();
        assertThat(sidecar.containers().get(0).kind()).isEqualTo(ContainerKind.SIDECAR);
        assertThat(laws(VERIFIER.check(cluster, sidecar, on("n", sidecar, whole(0), whole(0)))))
                .containsExactly(Law.DEVICE);
    }

    @Test
    void partitions_lieAtLegalPlacesAndDoNotOverlap() {
        Node node = node("n").gpus(1, A100, MigGeometry.A100_40GB.geometry()).build();
        Pod pod = pod("p", GpuRequest.partition("3g.20gb", 2));
        assertThat(VERIFIER.check(Cluster.of(List.of(node)), pod, on("n", pod, cut("3g.20gb", 0, 4))))
                .isEmpty();
        assertThat(laws(VERIFIER.check(Cluster.of(List.of(node)), pod, on("n", pod, cut("3g.20gb", 0, 0)))))
                .containsExactly(Law.PARTITION);
        assertThat(laws(VERIFIER.check(Cluster.of(List.of(node)), pod, on("n", pod, cut("3g.20gb", 0, 1)))))
                .contains(Law.PARTITION);
        Cluster held = Cluster.of(List.of(node)).with(on("n", pod, cut("3g.20gb", 0, 4)));
        Pod small = pod("q", GpuRequest.partition("1g.5gb", 1));
        assertThat(laws(VERIFIER.check(held, small, on("n", small, cut("1g.5gb", 0)))))
                .containsExactly(Law.PARTITION);
    }

    private static GpuGrant cut(String profile, Integer... starts) {
        return new GpuGrant.Partitions(List.of(starts).stream()
                .map(start -> GpuPartition.of(0, profile, start))
                .toList());
    }

    @Test
    void devices_areOfTheSelectionAndShareWhatIsRequired() {
        Cluster cluster = Cluster.of(List.of(node("n").gpus(4, A100).build()));
        Pod other = pod("p", GpuRequest.exclusive(1, GpuSelector.models("H100")));
        assertThat(laws(VERIFIER.check(cluster, other, on("n", other, whole(0)))))
                .containsExactly(Law.GPU_SELECTOR);
        Pod linked =
                pod("p", GpuRequest.exclusive(2).withAffinity(GpuAffinity.requiring(GpuAffinity.Bond.NVLINK_CLIQUE)));
        assertThat(laws(VERIFIER.check(cluster, linked, on("n", linked, whole(0, 1)))))
                .containsExactly(Law.GPU_AFFINITY);
        Pod near = pod("p", GpuRequest.exclusive(2).withAffinity(GpuAffinity.requiring(GpuAffinity.Bond.NUMA_NODE)));
        assertThat(VERIFIER.check(cluster, near, on("n", near, whole(0, 1)))).isEmpty();
    }

    @Test
    void affinity_needsAPodInTheDomain_unlessItIsTheFirstOfItsKind() {
        Cluster cluster = Cluster.of(List.of(
                node("a").label("zone", "1").build(),
                node("b").label("zone", "2").build(),
                node("c").build()));
        PodRules together = PodRules.NONE
                .withLabels(Map.of("app", "web"))
                .withAffinity(PodAffinity.required(PodAffinity.Term.of(LabelSelector.label("app", "web"), "zone")));
        Pod first = pod("p", GpuRequest.none()).withRules(together);
        Placement onA = on("a", first, GpuGrant.none());
        assertThat(VERIFIER.check(cluster, first, onA)).isEmpty();
        assertThat(laws(VERIFIER.check(cluster, first, on("c", first, GpuGrant.none()))))
                .containsExactly(Law.POD_AFFINITY);
        Pod second = first.withId(PodId.of("q"));
        assertThat(laws(VERIFIER.check(cluster.with(onA), second, on("b", second, GpuGrant.none()))))
                .containsExactly(Law.POD_AFFINITY);
    }

    @Test
    void antiAffinityOfAPodThatRuns_keepsOthersAway() {
        PodRules apart = PodRules.NONE.withAntiAffinity(
                PodAffinity.required(PodAffinity.Term.of(LabelSelector.label("app", "web"), NodeRequirement.NAME)));
        Pod guard = pod("guard", GpuRequest.none()).withRules(apart);
        Cluster cluster = Cluster.of(List.of(node("a").build())).with(on("a", guard, GpuGrant.none()));
        Pod web = pod("web", GpuRequest.none()).withRules(PodRules.NONE.withLabels(Map.of("app", "web")));
        assertThat(laws(VERIFIER.check(cluster, web, on("a", web, GpuGrant.none()))))
                .containsExactly(Law.POD_ANTI_AFFINITY);
        Pod elsewhere = web.withId(PodId.of("another/web"));
        assertThat(VERIFIER.check(cluster, elsewhere, on("a", elsewhere, GpuGrant.none())))
                .isEmpty();
    }

    @Test
    void spread_countsThePodItself() {
        Cluster cluster = Cluster.of(List.of(
                node("a").label("zone", "1").build(),
                node("b").label("zone", "2").build()));
        LabelSelector web = LabelSelector.label("app", "web");
        Pod first = pod("p", GpuRequest.none())
                .withRules(PodRules.NONE
                        .withLabels(Map.of("app", "web"))
                        .withSpread(TopologySpread.required("zone", 1, web)));
        Pod second = first.withId(PodId.of("q"));
        Cluster one = cluster.with(on("a", first, GpuGrant.none()));
        assertThat(VERIFIER.check(one, second, on("b", second, GpuGrant.none())))
                .isEmpty();
        assertThat(VERIFIER.check(one, second, on("a", second, GpuGrant.none())))
                .singleElement()
                .satisfies(broken -> assertThat(broken.numbers()).containsEntry("used", 2L));
    }

    private static Cluster racks() {
        return Cluster.of(List.of(
                node("a").gpus(2, A100).topology(Topology.of("rack", "1")).build(),
                node("b").gpus(2, A100).topology(Topology.of("rack", "2")).build()));
    }

    private static PodGroup pair(Locality locality) {
        return PodGroup.of("job", List.of(pod("p", GpuRequest.exclusive(1)), pod("q", GpuRequest.exclusive(1))))
                .withLocality(locality);
    }

    private static Placement member(PodGroup group, int index, String node, int gpu) {
        Pod pod = group.pods().get(index);
        return on(node, pod, whole(gpu))
                .withGroup(java.util.Optional.ofNullable(group.memberships().get(pod.id())));
    }

    private static GroupPlaced placed(Placement... placements) {
        return new GroupPlaced(List.of(placements), List.of(), Certainty.FOUND);
    }

    @Test
    void group_startsWithItsMinimumAndSpeaksOfAllMembers() {
        PodGroup group = pair(Locality.ANYWHERE);
        assertThat(VERIFIER.check(racks(), group, placed(member(group, 0, "a", 0), member(group, 1, "b", 0))))
                .isEmpty();
        assertThat(laws(VERIFIER.check(racks(), group, placed(member(group, 0, "a", 0)))))
                .containsExactly(Law.MEMBERS, Law.MINIMUM);
        assertThat(laws(VERIFIER.check(racks(), group, placed(member(group, 0, "a", 0), member(group, 1, "a", 0)))))
                .containsExactly(Law.DEVICE);
    }

    @Test
    void group_keepsItsLocality_alsoToMembersThatRun() {
        PodGroup group = pair(Locality.within("rack"));
        assertThat(laws(VERIFIER.check(racks(), group, placed(member(group, 0, "a", 0), member(group, 1, "b", 0)))))
                .containsExactly(Law.LOCALITY);
        assertThat(VERIFIER.check(racks(), group, placed(member(group, 0, "a", 0), member(group, 1, "a", 1))))
                .isEmpty();
        Cluster running = racks().with(member(group, 0, "a", 0));
        Placement late = member(group, 1, "b", 0);
        Pod pod = Pod.of(late).orElseThrow();
        assertThat(laws(VERIFIER.check(running, pod, late))).containsExactly(Law.LOCALITY);
    }

    @Test
    void provenRefusalOfAGroup_thatHasRoom_isWrong() {
        PodGroup group = pair(Locality.within("rack"));
        Unschedulable refusal = Unschedulable.of("group", Certainty.PROVEN, () -> {
            throw new AssertionError("no diagnosis is needed");
        });
        assertThat(laws(VERIFIER.check(racks(), group, refusal))).containsExactly(Law.PROVEN_REFUSAL);
        assertThat(Verifier.create().check(racks(), group, refusal)).isEmpty();
        Pod third = pod("third", GpuRequest.exclusive(1));
        PodGroup three = PodGroup.of(
                        "job", List.of(group.pods().get(0), group.pods().get(1), third))
                .withLocality(Locality.within("rack"));
        assertThat(VERIFIER.check(racks(), three, refusal)).isEmpty();
    }

    @Test
    void tries_areNotNegative() {
        assertThatThrownBy(() -> Verifier.ofTries(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("verifier: tries must be at least 0, got -1");
    }
}
