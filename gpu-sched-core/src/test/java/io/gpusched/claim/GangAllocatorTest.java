package io.gpusched.claim;

import static io.gpusched.claim.ClaimWorlds.CLASSES;
import static io.gpusched.claim.ClaimWorlds.DRIVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpusched.decision.Certainty;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.schedule.SearchBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GangAllocatorTest {
    private static ClaimNode node(String name) {
        return ClaimNode.of(
                Node.builder(name).gpus(0, GpuModel.of("nvidia", "x", 1)).build());
    }

    private static List<ResourceSlice> gpusOn(List<ClaimNode> nodes, int gpus) {
        List<ResourceSlice> slices = new ArrayList<>();
        for (ClaimNode node : nodes) {
            String name = node.node().name();
            List<Device> devices = IntStream.range(0, gpus)
                    .mapToObj(i -> Device.builder("gpu-" + i).build())
                    .toList();
            slices.add(ResourceSlice.of(name + "-0", DRIVER, name, new NodeScope.Named(name), devices));
        }
        return slices;
    }

    private static GangDecision decide(List<ClaimNode> nodes, List<ResourceSlice> slices, ClaimGang gang) {
        return ClaimAllocator.exact().allocateGang(nodes, slices, CLASSES, DevicesInUse.NONE, gang);
    }

    private static ClaimGang.PodClaim claim(String name, DeviceRequest request) {
        return ClaimGang.PodClaim.of(Claim.of(name, Claim.Request.exactly(request)));
    }

    private static ClaimGang equalPods(int pods, long gpus) {
        List<ClaimGang.Pod> members = new ArrayList<>();
        List<ClaimGang.PodClaim> claims = new ArrayList<>();
        for (int i = 0; i < pods; i++) {
            members.add(ClaimGang.Pod.of("p" + i, "c" + i));
            claims.add(claim("c" + i, DeviceRequest.of("r", "gpu", gpus)));
        }
        return new ClaimGang(members, claims);
    }

    @Test
    void aPodThatWouldTakeAWholeGpu_takesAHalf_soThatTheOtherPodHasOneToo() {
        Claim.Request wholeOrPart = Claim.Request.firstAvailable(
                "r", ClaimWorlds.partition("whole", 7, 1), ClaimWorlds.partition("part", 2, 1));
        ClaimGang gang = new ClaimGang(
                List.of(ClaimGang.Pod.of("a", "ca"), ClaimGang.Pod.of("b", "cb")),
                List.of(
                        ClaimGang.PodClaim.of(Claim.of("ca", wholeOrPart)),
                        ClaimGang.PodClaim.of(Claim.of("cb", wholeOrPart))));
        GangDecision decision = decide(List.of(ClaimWorlds.NODE), ClaimWorlds.cutGpus(1), gang);
        assertThat(decision).isInstanceOfSatisfying(GangDecision.Allocated.class, allocated -> {
            assertThat(allocated.certainty()).isEqualTo(Certainty.PROVEN);
            assertThat(allocated.allocations())
                    .allSatisfy(one -> assertThat(one.grants().get(0).request()).isEqualTo("r/part"));
        });
    }

    @Test
    void podsThatFillAllNodes_areServed_andOneMoreIsRefusedWithTheFewestThatConflict() {
        List<ClaimNode> nodes = List.of(node("n0"), node("n1"));
        assertThat(decide(nodes, gpusOn(nodes, 4), equalPods(4, 2))).isInstanceOf(GangDecision.Allocated.class);
        GangDecision refused = decide(nodes, gpusOn(nodes, 4), equalPods(6, 2));
        assertThat(refused).isInstanceOfSatisfying(ClaimRefusal.class, one -> {
            assertThat(one.certainty()).isEqualTo(Certainty.PROVEN);
            assertThat(one.conflict().isSmallest()).isTrue();
            assertThat(one.conflict().names()).hasSize(5);
        });
    }

    @Test
    void manyPodsOnManyNodesThatEachFitOne_areRefusedWithoutTryingEveryOrder() {
        List<ClaimNode> nodes =
                IntStream.range(0, 24).mapToObj(i -> node("n" + i)).toList();
        GangDecision decision = decide(nodes, gpusOn(nodes, 3), equalPods(25, 2));
        assertThat(decision)
                .isInstanceOfSatisfying(
                        ClaimRefusal.class, one -> assertThat(one.certainty()).isEqualTo(Certainty.PROVEN));
    }

    @Test
    void aSharedClaimIsAllocatedOnce_andItsPodsStandWhereItsDeviceIsReached() {
        List<ClaimNode> nodes = List.of(node("n0"), node("n1"));
        ClaimGang gang = new ClaimGang(
                List.of(
                        new ClaimGang.Pod("a", List.of("team"), Optional.empty()),
                        new ClaimGang.Pod("b", List.of("team"), Optional.of(Set.of("n1")))),
                List.of(claim("team", DeviceRequest.of("r", "gpu", 2))));
        assertThat(decide(nodes, gpusOn(nodes, 2), gang))
                .isInstanceOfSatisfying(GangDecision.Allocated.class, allocated -> {
                    assertThat(allocated.nodes()).containsEntry("a", "n1").containsEntry("b", "n1");
                    assertThat(allocated.allocations()).hasSize(1);
                });
    }

    @Test
    void morePodsThanMayUseAClaim_areRefusedByThatNumber() {
        ClaimGang gang = new ClaimGang(
                List.of(ClaimGang.Pod.of("a", "team"), ClaimGang.Pod.of("b", "team")),
                List.of(new ClaimGang.PodClaim(
                        Claim.of("team", Claim.Request.exactly(DeviceRequest.of("r", "gpu", 1))),
                        Optional.empty(),
                        1)));
        List<ClaimNode> nodes = List.of(node("n0"));
        assertThat(decide(nodes, gpusOn(nodes, 2), gang).toString())
                .isEqualTo("the claims of pods a, b cannot be served together: claim team may be used by 1 pods");
    }

    @Test
    void aPodThatNoNodeServes_isNamedWithTheDevicesThatItLacks() {
        List<ClaimNode> nodes = List.of(node("n0"), node("n1"));
        ClaimGang gang = new ClaimGang(
                List.of(ClaimGang.Pod.of("a", "ca"), ClaimGang.Pod.of("b", "cb")),
                List.of(claim("ca", DeviceRequest.of("r", "gpu", 1)), claim("cb", DeviceRequest.of("r", "gpu", 5))));
        assertThat(decide(nodes, gpusOn(nodes, 4), gang).toString())
                .isEqualTo("the claims of pod b cannot be served on any node: cb/r asks for 5 devices, its class and"
                        + " selectors accept 4");
    }

    @Test
    void aSearchThatReachesTheLimitOfSteps_saysLimit() {
        List<ClaimNode> nodes = List.of(node("n0"), node("n1"));
        GangDecision decision = ClaimAllocator.exact()
                .withBudget(SearchBudget.ofSteps(5))
                .allocateGang(nodes, gpusOn(nodes, 4), CLASSES, DevicesInUse.NONE, equalPods(6, 2));
        assertThat(decision)
                .isInstanceOfSatisfying(
                        ClaimRefusal.class, one -> assertThat(one.certainty()).isEqualTo(Certainty.LIMIT));
    }

    @Test
    void aClaimThatNamesNoKnownClass_fails() {
        ClaimGang gang = new ClaimGang(
                List.of(ClaimGang.Pod.of("a", "ca")), List.of(claim("ca", DeviceRequest.of("r", "npu", 1))));
        assertThat(decide(List.of(node("n0")), List.of(), gang)).isInstanceOf(ClaimError.class);
    }

    @Test
    void aPodThatNamesAClaimThatIsNotThere_isRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClaimGang(List.of(ClaimGang.Pod.of("a", "x")), List.of()))
                .withMessageStartingWith("pod \"a\": there is no claim \"x\"");
    }
}
