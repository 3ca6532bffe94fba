package io.gpusched.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.claim.AttributeValue;
import io.gpusched.claim.Claim;
import io.gpusched.claim.ClaimAllocation;
import io.gpusched.claim.ClaimDecision;
import io.gpusched.claim.ClaimFeature;
import io.gpusched.claim.ClaimGang;
import io.gpusched.claim.ClaimNode;
import io.gpusched.claim.Device;
import io.gpusched.claim.DeviceAmount;
import io.gpusched.claim.DeviceCapacity;
import io.gpusched.claim.DeviceClass;
import io.gpusched.claim.DeviceId;
import io.gpusched.claim.DeviceRequest;
import io.gpusched.claim.DeviceSelector;
import io.gpusched.claim.DeviceTaint;
import io.gpusched.claim.DevicesInUse;
import io.gpusched.claim.GangDecision;
import io.gpusched.claim.NodeScope;
import io.gpusched.claim.ResourceSlice;
import io.gpusched.decision.Certainty;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Answers that are wrong in one thing each. */
class ClaimLawsTest {
    private static final String DRIVER = "gpu.example.com";
    private static final ClaimNode N1 = node("n1");
    private static final ClaimNode N2 = node("n2");
    private static final List<DeviceClass> CLASSES = List.of(DeviceClass.of("gpu", DeviceSelector.driver(DRIVER)));

    private static ClaimNode node(String name) {
        return ClaimNode.of(
                Node.builder(name).gpus(0, GpuModel.of("nvidia", "x", 1)).build());
    }

    private static Device.Builder device(String name) {
        return Device.builder(name);
    }

    private static List<ResourceSlice> slice(Device... devices) {
        return List.of(ResourceSlice.of("n1-0", DRIVER, "n1", new NodeScope.Named("n1"), List.of(devices)));
    }

    private static ClaimAllocation.Grant grant(String request, String device) {
        return new ClaimAllocation.Grant(request, new DeviceId(DRIVER, "n1", device), false, false, Map.of());
    }

    private static ClaimAllocation allocation(String claim, ClaimAllocation.Grant... grants) {
        return new ClaimAllocation(claim, List.of(grants));
    }

    private static List<Law> broken(
            List<ResourceSlice> slices, DevicesInUse inUse, List<Claim> claims, ClaimAllocation... allocations) {
        return Verifier.create()
                .check(
                        N1,
                        slices,
                        CLASSES,
                        inUse,
                        ClaimFeature.KUBERNETES_1_38,
                        claims,
                        new ClaimDecision.Allocated(Certainty.PROVEN, List.of(allocations), 0))
                .stream()
                .map(Violation::law)
                .distinct()
                .toList();
    }

    private static Claim claim(String name, long count) {
        return Claim.of(name, Claim.Request.exactly(DeviceRequest.of("r", "gpu", count)));
    }

    @Test
    void devicesThatAreAskedForAndFree_breakNoLaw() {
        assertThat(broken(
                        slice(device("a").build(), device("b").build()),
                        DevicesInUse.NONE,
                        List.of(claim("c", 2)),
                        allocation("c", grant("r", "a"), grant("r", "b"))))
                .isEmpty();
    }

    @Test
    void fewerDevicesThanAskedFor_breakTheRequest() {
        assertThat(broken(
                        slice(device("a").build()),
                        DevicesInUse.NONE,
                        List.of(claim("c", 2)),
                        allocation("c", grant("r", "a"))))
                .containsExactly(Law.CLAIM_REQUEST);
    }

    @Test
    void aDeviceInUse_ofTwoClaims_orThatIsNotThere_isTold() {
        List<ResourceSlice> slices = slice(device("a").build());
        DevicesInUse used = new DevicesInUse(Set.of(new DeviceId(DRIVER, "n1", "a")), Set.of(), Map.of());
        assertThat(broken(slices, used, List.of(claim("c", 1)), allocation("c", grant("r", "a"))))
                .containsExactly(Law.CLAIM_DEVICE);
        assertThat(broken(
                        slices,
                        DevicesInUse.NONE,
                        List.of(claim("c", 1), claim("d", 1)),
                        allocation("c", grant("r", "a")),
                        allocation("d", grant("r", "a"))))
                .containsExactly(Law.CLAIM_DEVICE);
        assertThat(broken(slices, DevicesInUse.NONE, List.of(claim("c", 1)), allocation("c", grant("r", "z"))))
                .containsExactly(Law.CLAIM_DEVICE);
    }

    @Test
    void aSelectorThatDoesNotAccept_andATaint_areTold() {
        DeviceRequest picky = DeviceRequest.builder("r", "gpu")
                .selector(DeviceSelector.of("false", (slice, device) -> false))
                .build();
        Device tainted = device("a")
                .taint(new DeviceTaint("sick", "", DeviceTaint.Effect.NO_SCHEDULE))
                .build();
        assertThat(broken(
                        slice(device("a").build()),
                        DevicesInUse.NONE,
                        List.of(Claim.of("c", Claim.Request.exactly(picky))),
                        allocation("c", grant("r", "a"))))
                .containsExactly(Law.CLAIM_SELECTOR);
        assertThat(broken(slice(tainted), DevicesInUse.NONE, List.of(claim("c", 1)), allocation("c", grant("r", "a"))))
                .containsExactly(Law.CLAIM_TAINT);
    }

    @Test
    void devicesThatShallShareAValueAndDoNot_areTold() {
        Claim claim = new Claim(
                "c",
                claim("c", 2).requests(),
                List.of(new Claim.Constraint(Claim.Constraint.Kind.MATCH, DRIVER + "/numa", Set.of())));
        assertThat(broken(
                        slice(
                                device("a")
                                        .attribute("numa", AttributeValue.of(0))
                                        .build(),
                                device("b")
                                        .attribute("numa", AttributeValue.of(1))
                                        .build()),
                        DevicesInUse.NONE,
                        List.of(claim),
                        allocation("c", grant("r", "a"), grant("r", "b"))))
                .containsExactly(Law.CLAIM_CONSTRAINT);
    }

    @Test
    void aCounterThatIsOverdrawn_isTold() {
        ResourceSlice counters = new ResourceSlice(
                "n1-0",
                DRIVER,
                "n1",
                1,
                2,
                new NodeScope.Named("n1"),
                List.of(new ResourceSlice.CounterSet("gpu", Map.of("slices", DeviceAmount.of(7)))),
                List.of(),
                false);
        Device.CounterUse four = Device.CounterUse.of("gpu", Map.of("slices", DeviceAmount.of(4)));
        ResourceSlice devices = new ResourceSlice(
                "n1-1",
                DRIVER,
                "n1",
                1,
                2,
                new NodeScope.Named("n1"),
                List.of(),
                List.of(
                        device("a").consumes(four).build(),
                        device("b").consumes(four).build()),
                false);
        assertThat(broken(
                        List.of(counters, devices),
                        DevicesInUse.NONE,
                        List.of(claim("c", 2)),
                        allocation("c", grant("r", "a"), grant("r", "b"))))
                .containsExactly(Law.CLAIM_COUNTER);
    }

    @Test
    void sharesThatAreMoreThanADeviceHas_areTold() {
        Device shareable = device("a")
                .capacity("memory", DeviceCapacity.of(DeviceAmount.of(10)))
                .shareable(true)
                .build();
        DeviceRequest six = DeviceRequest.builder("r", "gpu")
                .capacity("memory", DeviceAmount.of(6))
                .build();
        ClaimAllocation.Grant share = new ClaimAllocation.Grant(
                "r", new DeviceId(DRIVER, "n1", "a"), false, true, Map.of("memory", DeviceAmount.of(6)));
        List<Claim> claims =
                List.of(Claim.of("c", Claim.Request.exactly(six)), Claim.of("d", Claim.Request.exactly(six)));
        assertThat(broken(slice(shareable), DevicesInUse.NONE, claims, allocation("c", share), allocation("d", share)))
                .containsExactly(Law.CLAIM_CAPACITY);
    }

    @Test
    void aPodWhereItMayNotRun_andAClaimThatItsNodeDoesNotReach_areTold() {
        ClaimGang gang = new ClaimGang(
                List.of(new ClaimGang.Pod("p", List.of("c"), Optional.of(Set.of("n1")))),
                List.of(ClaimGang.PodClaim.of(claim("c", 1))));
        List<Law> laws = Verifier.create()
                .check(
                        List.of(N1, N2),
                        slice(device("a").build()),
                        CLASSES,
                        DevicesInUse.NONE,
                        ClaimFeature.KUBERNETES_1_38,
                        gang,
                        new GangDecision.Allocated(
                                Certainty.PROVEN, Map.of("p", "n2"), List.of(allocation("c", grant("r", "a"))), 0))
                .stream()
                .map(Violation::law)
                .distinct()
                .toList();
        assertThat(laws).containsExactlyInAnyOrder(Law.CLAIM_POD, Law.CLAIM_DEVICE);
    }
}
