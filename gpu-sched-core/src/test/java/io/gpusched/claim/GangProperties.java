package io.gpusched.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.verify.Verifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
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

    /** Pods of a gang on two nodes; the last claim may be shared. */
    private static ClaimGang gang(ClaimWorld world, Random random) {
        int count = world.claims().size();
        boolean shares = count > 2 && random.nextBoolean();
        List<ClaimGang.Pod> pods = new ArrayList<>();
        for (int c = 0; c < (shares ? count - 1 : count); c++) {
            List<String> own = new ArrayList<>(List.of("c" + c));
            if (!shares && c + 1 < count && random.nextInt(4) == 0) {
                own.add("c" + ++c);
            }
            if (shares && random.nextInt(3) > 0) {
                own.add("c" + (count - 1));
            }
            Optional<Set<String>> only =
                    random.nextInt(4) == 0 ? Optional.of(Set.of("n" + (1 + random.nextInt(2)))) : Optional.empty();
            pods.add(new ClaimGang.Pod("p" + c, own, only));
        }
        return new ClaimGang(
                pods, world.claims().stream().map(ClaimGang.PodClaim::of).toList());
    }

    /** Returns the best alternatives over all nodes for the pods and all ways to serve their claims, in the order of pods. */
    private static Optional<List<Integer>> best(ClaimWorld world, ClaimGang gang) {
        List<String> used = gang.pods().stream()
                .flatMap(pod -> pod.claims().stream())
                .distinct()
                .toList();
        List<Claim> claims =
                world.claims().stream().filter(one -> used.contains(one.name())).toList();
        List<List<Integer>> best = new ArrayList<>();
        for (int mask = 0; mask < 1 << gang.pods().size(); mask++) {
            List<List<ClaimNode>> nodes = new ArrayList<>();
            List<Integer> calls = new ArrayList<>();
            boolean allowed = true;
            for (Claim claim : claims) {
                List<ClaimNode> own = new ArrayList<>();
                for (int p = gang.pods().size() - 1; p >= 0; p--) {
                    ClaimNode node = world.nodes().get(mask >> p & 1);
                    if (gang.pods().get(p).claims().contains(claim.name())) {
                        own.add(0, node);
                        calls.add(calls.size(), p);
                    }
                    allowed &= gang.pods()
                            .get(p)
                            .nodes()
                            .map(names -> names.contains(node.node().name()))
                            .orElse(true);
                }
                nodes.add(own);
                calls.subList(nodes.size() - 1, calls.size() - 1).clear();
            }
            PlainSearch search =
                    new PlainSearch(nodes, world.slices(), ClaimWorld.CLASSES, world.inUse(), claims, calls, false);
            if (allowed && !search.lacksSlices()) {
                search.find(way -> {
                    List<Integer> forms = new ArrayList<>();
                    for (String name : used) {
                        int c = claims.stream().map(Claim::name).toList().indexOf(name);
                        for (int r = 0; r < claims.get(c).requests().size(); r++) {
                            int request = r;
                            forms.add(way.stream()
                                    .filter(pick -> pick.claim() == c && pick.request() == request)
                                    .findFirst()
                                    .orElseThrow()
                                    .form());
                        }
                    }
                    if (best.isEmpty() || Arrays.compare(array(forms), array(best.get(0))) < 0) {
                        best.clear();
                        best.add(forms);
                    }
                    return best.get(0).stream().allMatch(form -> form == 0);
                });
            }
        }
        return best.stream().findFirst();
    }

    private static int[] array(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }

    private static List<Integer> chosen(ClaimGang gang, GangDecision.Allocated allocated) {
        List<Integer> forms = new ArrayList<>();
        gang.pods().stream().flatMap(pod -> pod.claims().stream()).distinct().forEach(name -> {
            Claim claim = gang.claims().stream()
                    .map(ClaimGang.PodClaim::claim)
                    .filter(one -> one.name().equals(name))
                    .findFirst()
                    .orElseThrow();
            ClaimAllocation answer = allocated.allocations().stream()
                    .filter(one -> one.claim().equals(name))
                    .findFirst()
                    .orElseThrow();
            for (Claim.Request request : claim.requests()) {
                boolean second = answer.grants().stream()
                        .anyMatch(grant -> grant.request().equals(request.name() + "/b"));
                forms.add(second ? 1 : 0);
            }
        });
        return forms;
    }

    @Property(tries = 700, seed = SEED)
    void gangsOfEveryKind_haveTheBestOfAllThatThereIs(@ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
        ClaimWorld world = ClaimWorld.ofGang(seed);
        ClaimGang gang = gang(world, new Random(seed));
        GangDecision decision = ClaimAllocator.exact()
                .allocateGang(world.nodes(), world.slices(), ClaimWorld.CLASSES, world.inUse(), gang);
        Optional<List<Integer>> best = best(world, gang);
        assertThat(decision instanceof GangDecision.Allocated)
                .as("%s%n%s%n%s", world, gang, decision)
                .isEqualTo(best.isPresent());
        if (decision instanceof GangDecision.Allocated allocated) {
            assertThat(chosen(gang, allocated)).as("%s%n%s", world, gang).isEqualTo(best.orElseThrow());
            assertThat(Verifier.create()
                            .check(
                                    world.nodes(),
                                    world.slices(),
                                    ClaimWorld.CLASSES,
                                    world.inUse(),
                                    ClaimFeature.KUBERNETES_1_38,
                                    gang,
                                    allocated))
                    .isEmpty();
        }
    }
}
