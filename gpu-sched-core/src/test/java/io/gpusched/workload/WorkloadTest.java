package io.gpusched.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Locality;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.NodeRequirement.Operator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What requests, selectors and pods say of themselves. */
class WorkloadTest {
    private static final Gpu A100 = Gpu.of(0, "u0", GpuModel.of("nvidia", "A100", 40_960));

    @ParameterizedTest
    @CsvSource({
        "IN, a|b, a, true",
        "IN, a|b, c, false",
        "IN, a, , false",
        "NOT_IN, a|b, a, false",
        "NOT_IN, a|b, c, true",
        "NOT_IN, a, , true",
        "EXISTS, , a, true",
        "EXISTS, , , false",
        "DOES_NOT_EXIST, , a, false",
        "DOES_NOT_EXIST, , , true",
        "GT, 8, 9, true",
        "GT, 8, 8, false",
        "GT, 8, 10, true",
        "GT, 8, many, false",
        "GT, 8, , false",
        "LT, 8, 7, true",
        "LT, 8, 8, false",
        "LT, 8, 10, false",
        "LT, 8, few, false",
        "LT, 8, , false",
        "LT, -1, -2, true",
        "GT, -3, -2, true"
    })
    void matches_ofEachOperator(Operator operator, String values, String label, boolean expected) {
        NodeRequirement requirement =
                new NodeRequirement("k", operator, values == null ? List.of() : List.of(values.split("\\|")));
        Map<String, String> labels = label == null ? Map.of("other", "a") : Map.of("k", label);
        assertThat(requirement.matches(labels)).isEqualTo(expected);
    }

    @Test
    void weightsThatAddUpToMoreThanALong_areScaledDown() {
        WorkloadProfile profile = new WorkloadProfile(List.of(
                new WorkloadProfile.Demand(1, 1_000, 1, Set.of(), Long.MAX_VALUE),
                new WorkloadProfile.Demand(2, 1_000, 1, Set.of(), Long.MAX_VALUE)));
        assertThat(profile.totalWeight()).isEqualTo(1L << 20);
    }

    @Test
    void nodeSelector_needsOneTermWithAllItsRequirements() {
        NodeSelector goldInA = NodeSelector.all(NodeRequirement.in("rank", "gold"), NodeRequirement.in("zone", "a"));
        NodeSelector either = new NodeSelector(
                List.of(goldInA.terms().get(0), new NodeSelector.Term(List.of(NodeRequirement.exists("spare")))));
        assertThat(either.matches(Map.of("rank", "gold", "zone", "a"))).isTrue();
        assertThat(either.matches(Map.of("rank", "gold", "zone", "b"))).isFalse();
        assertThat(either.matches(Map.of("spare", ""))).isTrue();
        assertThat(NodeSelector.ANY.matches(Map.of())).isTrue();
        assertThat(NodeSelector.all()).isEqualTo(NodeSelector.ANY);
        assertThat(NodeSelector.labels(Map.of("zone", "a")).matches(Map.of("zone", "a", "x", "y")))
                .isTrue();
    }

    @Test
    void nodeSelector_and_demandsWhatBothDemand() {
        NodeSelector oneOfTwo = new NodeSelector(List.of(
                new NodeSelector.Term(List.of(NodeRequirement.in("k", "a"))),
                new NodeSelector.Term(List.of(NodeRequirement.in("k", "b")))));
        NodeSelector both = oneOfTwo.and(NodeSelector.all(NodeRequirement.exists("x")));
        assertThat(both.terms()).hasSize(2);
        assertThat(both.matches(Map.of("k", "b", "x", "1"))).isTrue();
        assertThat(both.matches(Map.of("k", "b"))).isFalse();
        assertThat(both.matches(Map.of("k", "c", "x", "1"))).isFalse();
        assertThat(NodeSelector.ANY.and(oneOfTwo)).isEqualTo(oneOfTwo);
        assertThat(oneOfTwo.and(NodeSelector.ANY)).isEqualTo(oneOfTwo);
    }

    @Test
    void toleration_coversByKeyValueAndEffect() {
        Taint taint = Taint.noSchedule("team", "a");
        assertThat(Toleration.exists("team").tolerates(taint)).isTrue();
        assertThat(Toleration.exists("other").tolerates(taint)).isFalse();
        assertThat(Toleration.equal("team", "a").tolerates(taint)).isTrue();
        assertThat(Toleration.equal("team", "b").tolerates(taint)).isFalse();
        assertThat(Toleration.everything().tolerates(taint)).isTrue();
        for (Taint.Effect effect : Taint.Effect.values()) {
            assertThat(new Toleration("team", Optional.empty(), Optional.of(effect)).tolerates(taint))
                    .isEqualTo(effect == Taint.Effect.NO_SCHEDULE);
        }
    }

    @Test
    void gpuSelector_deniesBeforeItAllows() {
        assertThat(GpuSelector.ANY.accepts(A100)).isTrue();
        assertThat(GpuSelector.models("A100", "H100").accepts(A100)).isTrue();
        assertThat(GpuSelector.models("H100").accepts(A100)).isFalse();
        assertThat(GpuSelector.models("a100").accepts(A100))
                .as("names are exact")
                .isFalse();
        assertThat(GpuSelector.models("A100").withDeniedModels(Set.of("A100")).accepts(A100))
                .isFalse();
        assertThat(GpuSelector.ANY.withMinMemoryMib(40_960).accepts(A100)).isTrue();
        assertThat(GpuSelector.ANY.withMinMemoryMib(40_961).accepts(A100)).isFalse();
        assertThat(GpuSelector.ANY.withAllowedUuids(Set.of("u0")).accepts(A100)).isTrue();
        assertThat(GpuSelector.ANY.withAllowedUuids(Set.of("u1")).accepts(A100)).isFalse();
        assertThat(GpuSelector.ANY.withAllowedUuids(Set.of("u1")).acceptsModel(A100))
                .isTrue();
        assertThat(GpuSelector.ANY
                        .withAllowedUuids(Set.of("u0"))
                        .withDeniedUuids(Set.of("u0"))
                        .accepts(A100))
                .isFalse();
    }

    @Test
    void gpuSelector_looksAtUuids_onlyWhenItNamesSome() {
        assertThat(GpuSelector.models("A100").looksAtUuids()).isFalse();
        assertThat(GpuSelector.ANY.withAllowedUuids(Set.of("u")).looksAtUuids()).isTrue();
        assertThat(GpuSelector.ANY.withDeniedUuids(Set.of("u")).looksAtUuids()).isTrue();
    }

    @Test
    void resources_ofAPod_areTheSumOrTheLargestInitContainer() {
        Pod pod = Pod.builder("p")
                .container("a", Resources.of(100, 10), GpuRequest.none())
                .container("b", Resources.of(200, 20), GpuRequest.none())
                .container(Container.init("i", Resources.of(250, 25), GpuRequest.none()))
                .container(Container.init("j", Resources.of(50, 40), GpuRequest.none()))
                .build();
        assertThat(pod.resources()).isEqualTo(Resources.of(300, 40));
    }

    @Test
    void memory_isTakenFromTheDevice() {
        assertThat(GpuMemory.percent(30).on(81_559)).isEqualTo(24_467);
        assertThat(GpuMemory.percent(100).on(7)).isEqualTo(7);
        assertThat(GpuMemory.percent(99).on(1)).isZero();
        assertThat(GpuMemory.percent(1).on(GpuModel.MAX_MEMORY_MIB)).isEqualTo(2_684_354);
        assertThat(GpuMemory.mib(500).on(7)).isEqualTo(500);
        assertThat(GpuMemory.none().on(7)).isZero();
    }

    @Test
    void asksTheSame_ignoresNamesOnly() {
        Pod pod = Pod.of("a", Resources.of(1, 2), GpuRequest.percent(30));
        Pod renamed = Pod.builder("b")
                .container("other", Resources.of(1, 2), GpuRequest.percent(30))
                .build();
        assertThat(pod.asksTheSame(renamed)).isTrue();
        assertThat(pod.requestHash()).isEqualTo(renamed.requestHash());
        assertThat(pod).isNotEqualTo(renamed);
        List<Pod> others = List.of(
                Pod.of("a", Resources.of(1, 3), GpuRequest.percent(30)),
                Pod.of("a", Resources.of(1, 2), GpuRequest.percent(31)),
                Pod.builder("a")
                        .container(Container.init("main", Resources.of(1, 2), GpuRequest.percent(30)))
                        .build(),
                Pod.builder("a")
                        .container("main", Resources.of(1, 2), GpuRequest.percent(30))
                        .container("more", Resources.NONE, GpuRequest.none())
                        .build(),
                Pod.builder("a")
                        .container("main", Resources.of(1, 2), GpuRequest.percent(30))
                        .toleration(Toleration.everything())
                        .build(),
                Pod.builder("a")
                        .container("main", Resources.of(1, 2), GpuRequest.percent(30))
                        .nodeSelector(NodeSelector.all(NodeRequirement.exists("k")))
                        .build());
        assertThat(others).allSatisfy(other -> {
            assertThat(pod.asksTheSame(other)).isFalse();
            assertThat(pod.requestHash()).isNotEqualTo(other.requestHash());
        });
    }

    @Test
    void builder_mayBeUsedAgain_andSelectorsAddUp() {
        Pod.Builder builder = Pod.builder("ns/p").container("a", Resources.NONE, GpuRequest.none());
        Pod first = builder.build();
        Pod second = builder.container("b", Resources.NONE, GpuRequest.none())
                .nodeSelector(NodeSelector.all(NodeRequirement.exists("x")))
                .nodeSelector(NodeSelector.all(NodeRequirement.exists("y")))
                .build();
        assertThat(first.containers()).hasSize(1);
        assertThat(second.containers()).hasSize(2);
        assertThat(second.nodeSelector().matches(Map.of("x", ""))).isFalse();
        assertThat(second.nodeSelector().matches(Map.of("x", "", "y", ""))).isTrue();
        assertThat(second.id()).isEqualTo(new PodId("ns", "p"));
    }

    @Test
    void toString_isForAPerson() {
        assertThat(GpuRequest.none()).hasToString("no GPU");
        assertThat(GpuRequest.exclusive(1)).hasToString("1 whole GPU");
        assertThat(GpuRequest.exclusive(2, GpuSelector.models("A100", "H100")))
                .hasToString("2 whole GPUs of model A100 or H100");
        assertThat(GpuRequest.percent(30)).hasToString("0.3 GPUs");
        assertThat(GpuRequest.share(250, GpuMemory.mib(500)).withCount(2).withSlots(3))
                .hasToString("0.25 GPUs, 500 MiB, 3 slots on each of 2 GPUs");
        assertThat(GpuRequest.wholeNode()).hasToString("a whole node");
        assertThat(GpuSelector.ANY).hasToString("any GPU");
        assertThat(GpuSelector.ANY
                        .withDeniedModels(Set.of("T4"))
                        .withAllowedUuids(Set.of("u1"))
                        .withDeniedUuids(Set.of("u2"))
                        .withMinMemoryMib(9)
                        .withAffinity(GpuAffinity.requiring(Bond.NUMA_NODE)))
                .hasToString("not of model T4, with uuid u1, without uuid u2, with at least 9 MiB, on one NUMA node");
    }

    @Test
    void podGroup_listsItsMembersRoleByRole() {
        Pod a = Pod.of("a", Resources.NONE, GpuRequest.none());
        Pod b = Pod.of("b", Resources.NONE, GpuRequest.none());
        PodGroup group = new PodGroup(
                "job",
                1,
                List.of(new PodGroup.Role("r", 1, List.of(b)), new PodGroup.Role("s", 0, List.of(a))),
                Locality.within("rack").preferred());
        assertThat(group.pods()).containsExactly(b, a);
        assertThat(group.locality().required()).isFalse();
        assertThat(group.withMinMember(2).minMember()).isEqualTo(2);
        assertThat(PodGroup.of("all", List.of(a, b)).minMember()).isEqualTo(2);
        assertThat(group.withLocality(Locality.oneNode()).locality().required()).isTrue();
    }
}
