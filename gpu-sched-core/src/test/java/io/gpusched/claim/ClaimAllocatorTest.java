package io.gpusched.claim;

import static io.gpusched.claim.ClaimWorlds.CLASSES;
import static io.gpusched.claim.ClaimWorlds.DRIVER;
import static io.gpusched.claim.ClaimWorlds.NODE;
import static io.gpusched.claim.ClaimWorlds.gpus;
import static io.gpusched.claim.ClaimWorlds.id;
import static io.gpusched.claim.ClaimWorlds.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.schedule.SearchBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClaimAllocatorTest {
    private static ClaimDecision exact(List<ResourceSlice> slices, DevicesInUse inUse, Claim... claims) {
        return ClaimAllocator.exact().allocate(NODE, slices, CLASSES, inUse, List.of(claims));
    }

    private static ClaimDecision firstFit(List<ResourceSlice> slices, Claim... claims) {
        return ClaimAllocator.firstFit().allocate(NODE, slices, CLASSES, DevicesInUse.NONE, List.of(claims));
    }

    private static List<String> devices(ClaimDecision decision) {
        assertThat(decision).isInstanceOf(ClaimDecision.Allocated.class);
        return ((ClaimDecision.Allocated) decision)
                .allocations().stream()
                        .flatMap(one -> one.grants().stream())
                        .map(ClaimAllocation.Grant::toString)
                        .map(text -> text.replace("=" + DRIVER + "/n1/", "="))
                        .toList();
    }

    private static ClaimRefusal refused(ClaimDecision decision) {
        assertThat(decision).isInstanceOf(ClaimRefusal.class);
        return (ClaimRefusal) decision;
    }

    private static Device sized(String name, long memory) {
        return Device.builder(name)
                .capacity("memory", DeviceCapacity.of(DeviceAmount.of(memory)))
                .build();
    }

    @Test
    void exact_takesTheSmallestSufficientDevice_whereFirstFitTakesTheFirst() {
        List<ResourceSlice> slices = slice(sized("a80", 80), sized("b40", 40), sized("c16", 16));
        Claim claim = Claim.of("c", Claim.Request.exactly(DeviceRequest.of("r", "gpu", 1)));
        assertThat(devices(firstFit(slices, claim))).containsExactly("r=a80");
        assertThat(devices(exact(slices, DevicesInUse.NONE, claim))).containsExactly("r=c16");
    }

    @Test
    void exact_prefersTheFirstAlternatives_whereFirstFitSpoilsThem() {
        Device big = Device.builder("big")
                .attribute("size", AttributeValue.of("big"))
                .build();
        Device small = Device.builder("small")
                .attribute("size", AttributeValue.of("small"))
                .build();
        DeviceRequest wantsBig = DeviceRequest.builder("big", "gpu")
                .selector(ClaimWorlds.attribute("size", "big"))
                .build();
        Claim claim = Claim.of(
                "c",
                Claim.Request.exactly(DeviceRequest.of("any", "gpu", 1)),
                Claim.Request.firstAvailable("pick", wantsBig, DeviceRequest.of("other", "gpu", 1)));
        assertThat(devices(firstFit(slice(big, small), claim))).containsExactly("any=big", "pick/other=small");
        assertThat(devices(exact(slice(big, small), DevicesInUse.NONE, claim)))
                .containsExactly("any=small", "pick/big=big");
    }

    @Test
    void oneDeviceTooMany_isRefusedWithinAStepADevice() {
        Claim claim = Claim.of("c", Claim.Request.exactly(DeviceRequest.of("r", "gpu", 21)));
        ClaimRefusal refused = refused(exact(gpus(20), DevicesInUse.NONE, claim));
        assertThat(refused.certainty()).isEqualTo(Certainty.PROVEN);
        assertThat(refused.steps()).isLessThan(100);
        assertThat(refused)
                .hasToString(
                        "request c/r cannot be served: c/r asks for 21 devices, its class and selectors accept 20");
    }

    @Test
    void conflict_isASmallestSetOfRequests_andNamesWhatIsInTheWay() {
        Device tainted = Device.builder("t")
                .attribute("size", AttributeValue.of("big"))
                .taint(new DeviceTaint("broken", "", DeviceTaint.Effect.NO_SCHEDULE))
                .build();
        Device good = Device.builder("g")
                .attribute("size", AttributeValue.of("small"))
                .build();
        Claim first = Claim.of("fine", Claim.Request.exactly(DeviceRequest.of("r", "gpu", 1)));
        Claim second = Claim.of(
                "c",
                Claim.Request.exactly(DeviceRequest.builder("r", "gpu")
                        .selector(ClaimWorlds.attribute("size", "big"))
                        .build()));
        ClaimConflict conflict = refused(exact(slice(tainted, good), DevicesInUse.NONE, first, second))
                .conflict();
        assertThat(conflict.names()).containsExactly("c/r");
        assertThat(conflict.isSmallest()).isTrue();
        assertThat(conflict.obstacles())
                .containsExactly(
                        new ClaimObstacle.Taint(new DeviceTaint("broken", "", DeviceTaint.Effect.NO_SCHEDULE)));
    }

    @Test
    void devicesInUse_areNamedAsWhatIsInTheWay() {
        DevicesInUse inUse = new DevicesInUse(Set.of(id("gpu-0")), Set.of(), Map.of());
        Claim claim = Claim.of("c", Claim.Request.exactly(DeviceRequest.of("r", "gpu", 2)));
        assertThat(refused(exact(gpus(2), inUse, claim)).conflict().obstacles())
                .containsExactly(new ClaimObstacle.InUse(1));
    }

    @Test
    void aConstraintInTheWay_isNamed() {
        Claim.Constraint sameRack = new Claim.Constraint(Claim.Constraint.Kind.MATCH, DRIVER + "/rack", Set.of());
        List<ResourceSlice> slices = slice(
                Device.builder("a").attribute("rack", AttributeValue.of(1)).build(),
                Device.builder("b").attribute("rack", AttributeValue.of(2)).build());
        Claim claim =
                new Claim("c", List.of(Claim.Request.exactly(DeviceRequest.of("r", "gpu", 2))), List.of(sameRack));
        assertThat(refused(exact(slices, DevicesInUse.NONE, claim)).conflict().obstacles())
                .containsExactly(new ClaimObstacle.Constraint("c", sameRack));
    }

    @Test
    void smallPartitionsFirst_arePackedSoThatLargeOnesStillFit() {
        Claim claim = Claim.of(
                "c",
                Claim.Request.exactly(ClaimWorlds.partition("small", 1, 12)),
                Claim.Request.exactly(ClaimWorlds.partition("large", 4, 4)));
        ClaimDecision decision = exact(ClaimWorlds.cutGpus(4), DevicesInUse.NONE, claim);
        ClaimDecision.Allocated allocated = (ClaimDecision.Allocated) decision;
        assertThat(allocated.certainty()).isEqualTo(Certainty.PROVEN);
        assertThat(allocated.allocations().get(0).grants()).hasSize(16);
        assertThat(allocated.steps()).isLessThan(20_000);
    }

    @Test
    void firstFit_isGuidedPastWhatWouldTakeIt_exponentiallyLong() {
        Claim claim = Claim.of(
                "c",
                Claim.Request.exactly(ClaimWorlds.partition("small", 1, 12)),
                Claim.Request.exactly(ClaimWorlds.partition("large", 4, 4)));
        ClaimDecision decision = firstFit(ClaimWorlds.cutGpus(4), claim);
        assertThat(devices(decision)).hasSize(16).startsWith("small=gpu-0-1g-4");
    }

    @Test
    void adminAccess_givesDevicesInUse_withoutTakingThem() {
        DevicesInUse inUse = new DevicesInUse(Set.of(id("gpu-0")), Set.of(), Map.of());
        Claim claim = Claim.of(
                "c",
                Claim.Request.exactly(
                        DeviceRequest.builder("r", "gpu").adminAccess(true).build()));
        ClaimDecision decision = exact(gpus(1), inUse, claim);
        assertThat(devices(decision)).containsExactly("r=gpu-0");
        assertThat(inUse.with(((ClaimDecision.Allocated) decision).allocations()))
                .isEqualTo(inUse);
    }

    @Test
    void sharesOfADevice_areGivenUntilItsCapacityIsUsedUp() {
        Device shared = Device.builder("s")
                .shareable(true)
                .capacity("memory", DeviceCapacity.of(DeviceAmount.of(40)))
                .build();
        DeviceRequest part = DeviceRequest.builder("r", "gpu")
                .capacity("memory", DeviceAmount.of(15))
                .build();
        DevicesInUse inUse = DevicesInUse.NONE;
        for (int i = 0; i < 2; i++) {
            ClaimDecision decision = exact(slice(shared), inUse, Claim.of("c", Claim.Request.exactly(part)));
            inUse = inUse.with(((ClaimDecision.Allocated) decision).allocations());
        }
        assertThat(inUse.consumed().get(id("s"))).containsEntry("memory", DeviceAmount.of(30));
        ClaimConflict conflict = refused(exact(slice(shared), inUse, Claim.of("c", Claim.Request.exactly(part))))
                .conflict();
        assertThat(conflict.obstacles())
                .containsExactly(new ClaimObstacle.InUse(1), new ClaimObstacle.Capacity(DRIVER + "/memory"));
    }

    @Test
    void alphaFeatures_areRefusedByName() {
        DeviceRequest derived = DeviceRequest.builder("r", "gpu")
                .derived("x.example.com/y", (slice, device) -> AttributeValue.of(1))
                .build();
        ClaimDecision decision = exact(gpus(1), DevicesInUse.NONE, Claim.of("c", Claim.Request.exactly(derived)));
        assertThat(decision)
                .isEqualTo(new ClaimError(
                        ClaimError.Kind.FEATURE_DISABLED,
                        "claim c, request r: needs the feature DERIVED_ATTRIBUTES, which is off"));
    }

    @Test
    void aSelectorThatCannotBeEvaluated_onlyMattersIfNoOtherDeviceServes() {
        DeviceSelector breaks = DeviceSelector.of("device.attributes.x > 1", (slice, device) -> {
            if (device.name().equals("gpu-0")) {
                throw new DeviceSelector.SelectorException("no such attribute");
            }
            return true;
        });
        Claim claim = Claim.of(
                "c",
                Claim.Request.exactly(
                        DeviceRequest.builder("r", "gpu").selector(breaks).build()));
        assertThat(devices(exact(gpus(2), DevicesInUse.NONE, claim))).containsExactly("r=gpu-1");
        assertThat(exact(gpus(1), DevicesInUse.NONE, claim))
                .isInstanceOfSatisfying(
                        ClaimError.class,
                        failed -> assertThat(failed.kind()).isEqualTo(ClaimError.Kind.SELECTOR_FAILED));
        assertThat(firstFit(gpus(2), claim)).isInstanceOf(ClaimError.class);
    }

    @Test
    void anEndOfTheBudget_isALimit_neverAProof() {
        Claim claim = Claim.of("c", Claim.Request.exactly(DeviceRequest.of("r", "gpu", 8)));
        ClaimDecision decision = ClaimAllocator.exact()
                .withBudget(SearchBudget.ofSteps(3))
                .allocate(NODE, gpus(8), CLASSES, DevicesInUse.NONE, List.of(claim));
        assertThat(refused(decision).certainty()).isEqualTo(Certainty.LIMIT);
    }

    @Test
    void equalInputs_giveEqualAnswers() {
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            claims.add(Claim.of("c" + i, Claim.Request.exactly(ClaimWorlds.partition("r", 1 << i, 1))));
        }
        ClaimDecision one = exact(ClaimWorlds.cutGpus(3), DevicesInUse.NONE, claims.toArray(Claim[]::new));
        ClaimDecision other = exact(ClaimWorlds.cutGpus(3), DevicesInUse.NONE, claims.toArray(Claim[]::new));
        assertThat(one).isInstanceOf(ClaimDecision.Allocated.class).isEqualTo(other);
    }

    @Test
    void amounts_areExactWhateverTheirSize() {
        assertThat(DeviceAmount.parse("0.25").plus(DeviceAmount.parse("0.75"))).isEqualTo(DeviceAmount.of(1));
        assertThat(DeviceAmount.parse("18446744073709551616")).hasToString("18446744073709551616");
        assertThat(DeviceAmount.parse("0.0000000001")).isEqualTo(DeviceAmount.parse("0.000000001"));
        assertThat(new DeviceCapacity.RequestPolicy(Optional.empty(), List.of(), Optional.empty()).validValues())
                .isEmpty();
    }

    @Test
    void aBetterAlternativeOfALaterRequest_isNotTakenIfTheClaimWouldHaveTooManyDevices() {
        Claim.Request first = Claim.Request.firstAvailable(
                "a", DeviceRequest.of("most", "gpu", 32), DeviceRequest.of("half", "gpu", 16));
        Claim.Request second = Claim.Request.firstAvailable(
                "b", DeviceRequest.of("most", "gpu", 32), DeviceRequest.of("half", "gpu", 16));
        ClaimDecision decision = ClaimAllocator.exact()
                .allocate(
                        ClaimWorlds.NODE,
                        ClaimWorlds.gpus(64),
                        ClaimWorlds.CLASSES,
                        DevicesInUse.NONE,
                        List.of(Claim.of("c", first, second)));
        assertThat(decision)
                .isInstanceOfSatisfying(
                        ClaimDecision.Allocated.class,
                        allocated -> assertThat(allocated.allocations().get(0).grants())
                                .hasSize(Claim.MAX_DEVICES));
    }
}
