package io.gpusched.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.model.Locality;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.testkit.BadInput;
import io.gpusched.workload.NodeRequirement.Operator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each bad input gives one message that names the thing, the field, the value and the legal range. */
class WorkloadValidationTest {
    private static Container container(String name, GpuRequest request) {
        return Container.of(name, Resources.NONE, request);
    }

    private static Pod pod(String name) {
        return Pod.of(name, Resources.NONE, GpuRequest.none());
    }

    private static PodGroup group(int minMember, PodGroup.Role... roles) {
        return new PodGroup("job", minMember, List.of(roles), Locality.ANYWHERE);
    }

    private static PodGroup.Role role(String name, String... pods) {
        return new PodGroup.Role(
                name, 0, Stream.of(pods).map(WorkloadValidationTest::pod).toList());
    }

    static Stream<BadInput> requests() {
        return Stream.of(
                new BadInput("gpu request: count must be in 1..64, got 0", () -> GpuRequest.exclusive(0)),
                new BadInput("gpu request: count must be in 1..64, got 65", () -> GpuRequest.exclusive(65)),
                new BadInput("gpu request: percent must be in 1..100, got 0", () -> GpuRequest.percent(0)),
                new BadInput("gpu request: percent must be in 1..100, got 130", () -> GpuRequest.percent(130)),
                new BadInput(
                        "gpu share: computeMillis must be in 0..65535, got -1",
                        () -> GpuRequest.share(-1, GpuMemory.none())),
                new BadInput(
                        "gpu share: count must be in 1..64, got 0",
                        () -> GpuRequest.percent(10).withCount(0)),
                new BadInput(
                        "gpu share: slots must be in 1..262143, got 0",
                        () -> GpuRequest.percent(10).withSlots(0)),
                new BadInput("gpu memory: mib must be in 0..268435455, got -1", () -> GpuMemory.mib(-1)),
                new BadInput("gpu memory: percent must be in 1..100, got 101", () -> GpuMemory.percent(101)),
                new BadInput("gpu memory: percent must be in 1..100, got 0", () -> GpuMemory.percent(0)),
                new BadInput(
                        "gpu selector: minMemoryMib must be in 0..9223372036854775807, got -1",
                        () -> GpuSelector.ANY.withMinMemoryMib(-1)));
    }

    static Stream<BadInput> selectors() {
        return Stream.of(
                new BadInput("node requirement: key must not be blank, got \"\"", () -> NodeRequirement.exists("")),
                new BadInput(
                        "node requirement on \"k\", operator IN: number of values must be in 1..2147483647, got 0",
                        () -> NodeRequirement.in("k")),
                new BadInput(
                        "node requirement on \"k\", operator NOT_IN: number of values must be in 1..2147483647, got 0",
                        () -> new NodeRequirement("k", Operator.NOT_IN, List.of())),
                new BadInput(
                        "node requirement on \"k\", operator EXISTS: number of values must be in 0..0, got 1",
                        () -> new NodeRequirement("k", Operator.EXISTS, List.of("v"))),
                new BadInput(
                        "node requirement on \"k\", operator DOES_NOT_EXIST: number of values must be in 0..0, got 2",
                        () -> new NodeRequirement("k", Operator.DOES_NOT_EXIST, List.of("v", "w"))),
                new BadInput(
                        "node requirement on \"k\", operator GT: number of values must be in 1..1, got 2",
                        () -> new NodeRequirement("k", Operator.GT, List.of("1", "2"))),
                new BadInput(
                        "node requirement on \"k\", operator LT: value must be a whole number, got \"1.5\"",
                        () -> new NodeRequirement("k", Operator.LT, List.of("1.5"))),
                new BadInput(
                        "node selector term: number of requirements must be in 1..2147483647, got 0",
                        () -> new NodeSelector.Term(List.of())),
                new BadInput(
                        "toleration: an empty key tolerates every taint and takes no value, got \"x\"",
                        () -> new Toleration("", Optional.of("x"), Optional.empty())));
    }

    static Stream<BadInput> pods() {
        GpuRequest whole = GpuRequest.wholeNode();
        return Stream.of(
                new BadInput("container: name must not be blank, got \"\"", () -> container("", GpuRequest.none())),
                new BadInput(
                        "pod \"p\": number of containers must be in 1..1000, got 0",
                        () -> Pod.builder("p").build()),
                new BadInput(
                        "pod \"a/p\": two containers have the name \"x\"",
                        () -> Pod.builder("a/p")
                                .container(container("x", GpuRequest.none()))
                                .container(Container.init("x", Resources.NONE, GpuRequest.none()))
                                .build()),
                new BadInput(
                        "pod \"p\": at most one container may ask for the whole node, and then no other may ask for "
                                + "gpus; got 2 for the whole node and 2 with gpu requests",
                        () -> Pod.builder("p")
                                .container(container("x", whole))
                                .container(container("y", whole))
                                .build()),
                new BadInput(
                        "pod \"p\": at most one container may ask for the whole node, and then no other may ask for "
                                + "gpus; got 1 for the whole node and 2 with gpu requests",
                        () -> Pod.builder("p")
                                .container(container("x", whole))
                                .container(Container.init("y", Resources.NONE, GpuRequest.percent(1)))
                                .build()));
    }

    static Stream<BadInput> groups() {
        return Stream.of(
                new BadInput("pod group: name must not be blank, got \"\"", () -> PodGroup.of("", List.of(pod("a")))),
                new BadInput(
                        "pod group \"job\": number of pods must be in 1..1000000, got 0",
                        () -> PodGroup.of("job", List.of())),
                new BadInput(
                        "pod group \"job\": minMember must be in 1..2, got 0", () -> group(0, role("r", "a", "b"))),
                new BadInput(
                        "pod group \"job\": minMember must be in 1..2, got 3", () -> group(3, role("r", "a", "b"))),
                new BadInput(
                        "pod group \"job\": two roles have the name \"r\"",
                        () -> group(1, role("r", "a"), role("r", "b"))),
                new BadInput(
                        "pod group \"job\": pod \"a\" occurs twice", () -> group(1, role("r", "a"), role("s", "a"))),
                new BadInput(
                        "role \"r\": minMember must be in 0..1, got 2",
                        () -> new PodGroup.Role("r", 2, List.of(pod("a")))),
                new BadInput("role: name must not be blank, got \" \"", () -> role(" ")),
                new BadInput(
                        "locality: a level is given for a domain and only for that, got scope DOMAIN and level \"\"",
                        () -> Locality.within("")),
                new BadInput(
                        "locality: a level is given for a domain and only for that, got scope NODE and level \"rack\"",
                        () -> new Locality(Locality.Scope.NODE, "rack", true)));
    }

    @ParameterizedTest
    @MethodSource({"requests", "selectors", "pods", "groups"})
    void badInput_isRefusedWithOneClearMessage(BadInput input) {
        input.check();
    }

    @Test
    void null_isRefused() {
        assertThatNullPointerException().isThrownBy(() -> GpuRequest.exclusive(1, null));
        assertThatNullPointerException().isThrownBy(() -> GpuRequest.share(1, null));
        assertThatNullPointerException().isThrownBy(() -> GpuRequest.percent(1).withSelector(null));
        assertThatNullPointerException().isThrownBy(() -> new GpuRequest.WholeNode(null));
        assertThatNullPointerException().isThrownBy(() -> Container.of("c", null, GpuRequest.none()));
        assertThatNullPointerException().isThrownBy(() -> container("c", null));
        assertThatNullPointerException().isThrownBy(() -> new Toleration("k", Optional.empty(), null));
        assertThatNullPointerException()
                .isThrownBy(() -> new Pod(PodId.of("p"), List.of(container("c", GpuRequest.none())), null, List.of()));
        assertThatNullPointerException()
                .isThrownBy(() -> PodGroup.of("g", List.of(pod("a"))).withLocality(null));
    }

    @Test
    void groupsStandInGroupsUpToSixteenLevelsDeep() {
        PodGroup deepest = PodGroup.of("level-1", List.of(Pod.of("p", Resources.NONE, GpuRequest.exclusive(1))));
        for (int level = 2; level <= 16; level++) {
            deepest = PodGroup.ofGroups("level-" + level, List.of(deepest));
        }
        List<PodGroup> tooDeep = List.of(deepest);

        assertThat(deepest.pods()).hasSize(1);
        assertThatThrownBy(() -> PodGroup.ofGroups("level-17", tooDeep))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("pod group \"level-17\": levels of groups must be in 1..16, got 17");
    }
}
