package io.gpusched.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.verify.Verifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** Random small gangs, judged by a search that tries everything. */
class GangProperties {
    private static final String SEED = "4546";

    @Property(tries = 1000, seed = SEED)
    void gangsAreServed_whenBruteForceSaysSo(@ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
        GangWorld world = GangWorld.of(seed);
        GangDecision decision = world.decide();
        boolean feasible = new GangBruteForce(world).isFeasible(world.gang().pods());
        if (decision instanceof GangDecision.Allocated allocated) {
            assertThat(feasible).isTrue();
            assertThat(allocated.certainty()).isEqualTo(Certainty.PROVEN);
            assertThat(Verifier.create()
                            .check(
                                    world.nodes(),
                                    world.slices(),
                                    GangWorld.CLASSES,
                                    world.inUse(),
                                    ClaimFeature.KUBERNETES_1_38,
                                    world.gang(),
                                    allocated))
                    .isEmpty();
        } else {
            assertThat(feasible).isFalse();
            assertThat(((ClaimRefusal) decision).certainty()).isEqualTo(Certainty.PROVEN);
        }
    }

    @Property(tries = 300, seed = SEED)
    void conflictsAreSmallest(@ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
        GangWorld world = GangWorld.of(seed);
        if (world.decide() instanceof ClaimRefusal refused) {
            ClaimConflict conflict = refused.conflict();
            assertThat(conflict.isSmallest()).isTrue();
            List<ClaimGang.Pod> pods = world.gang().pods();
            GangBruteForce force = new GangBruteForce(world);
            int smallest = Integer.MAX_VALUE;
            for (int mask = 1; mask < 1 << pods.size(); mask++) {
                if (Integer.bitCount(mask) < smallest && !force.isFeasible(some(pods, mask))) {
                    smallest = Integer.bitCount(mask);
                }
            }
            assertThat(conflict.names()).hasSize(smallest);
            assertThat(force.isFeasible(pods.stream()
                            .filter(pod -> conflict.names().contains(pod.name()))
                            .toList()))
                    .isFalse();
        }
    }

    private static List<ClaimGang.Pod> some(List<ClaimGang.Pod> pods, int mask) {
        List<ClaimGang.Pod> some = new ArrayList<>();
        for (int i = 0; i < pods.size(); i++) {
            if ((mask >> i & 1) != 0) {
                some.add(pods.get(i));
            }
        }
        return some;
    }

    @Property(tries = 300, seed = SEED)
    void alternativesAreTheBestThatCanBeHadTogether(@ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
        GangWorld world = GangWorld.of(seed, 4);
        if (world.decide() instanceof GangDecision.Allocated allocated) {
            GangBruteForce force = new GangBruteForce(world);
            Map<String, Integer> chosen = new HashMap<>();
            allocated
                    .allocations()
                    .forEach(one -> chosen.put(
                            one.claim(), one.grants().get(0).request().endsWith("/b") ? 1 : 0));
            for (ClaimAllocation one : inPodOrder(world, allocated)) {
                if (chosen.get(one.claim()) == 1) {
                    force.fix(one.claim(), 0);
                    assertThat(force.isFeasible(world.gang().pods())).isFalse();
                }
                force.fix(one.claim(), chosen.get(one.claim()));
            }
        }
    }

    private static List<ClaimAllocation> inPodOrder(GangWorld world, GangDecision.Allocated allocated) {
        List<ClaimAllocation> ordered = new ArrayList<>();
        for (ClaimGang.Pod pod : world.gang().pods()) {
            for (String claim : pod.claims()) {
                allocated.allocations().stream()
                        .filter(one -> one.claim().equals(claim) && !ordered.contains(one))
                        .forEach(ordered::add);
            }
        }
        return ordered;
    }
}
