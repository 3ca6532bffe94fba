package io.gpusched.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.claim.ClaimAllocation.Grant;
import io.gpusched.claim.PlainSearch.Pick;
import io.gpusched.decision.Certainty;
import io.gpusched.verify.Verifier;
import io.gpusched.verify.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** Random small worlds, judged by a search without any cleverness. */
class ClaimProperties {
    private static final String SEED = "4545";
    private static final int MOST_WAYS = 20_000;

    /** Returns all ways to serve a world's claims; empty if they are too many to be listed. */
    private static Optional<List<List<Pick>>> ways(ClaimWorld world) {
        List<List<Pick>> ways = new ArrayList<>();
        boolean cut = world.search(false).find(way -> {
            ways.add(way);
            return ways.size() > MOST_WAYS;
        });
        return cut ? Optional.empty() : Optional.of(ways);
    }

    private static List<ClaimAllocation> answer(ClaimWorld world, List<Pick> way) {
        PlainSearch search = world.search(false);
        List<ClaimAllocation> answer = new ArrayList<>();
        for (int c = 0; c < world.claims().size(); c++) {
            int claim = c;
            answer.add(new ClaimAllocation(
                    world.claims().get(c).name(),
                    way.stream()
                            .filter(pick -> pick.claim() == claim)
                            .map(pick -> grant(world, search, pick))
                            .toList()));
        }
        return answer;
    }

    private static Grant grant(ClaimWorld world, PlainSearch search, Pick pick) {
        boolean share = pick.place().device().isShareable();
        Map<String, DeviceAmount> consumed = new TreeMap<>();
        if (share) {
            pick.place().device().capacity().keySet().forEach(name -> {
                String full = name.contains("/") ? name : pick.place().slice().driver() + "/" + name;
                consumed.put(name, search.consumed(pick).get(full));
            });
        }
        return new Grant(search.name(pick), pick.place().id(), form(world, pick).adminAccess(), share, consumed);
    }

    private static DeviceRequest form(ClaimWorld world, Pick pick) {
        return world.claims()
                .get(pick.claim())
                .requests()
                .get(pick.request())
                .alternatives()
                .get(pick.form());
    }

    /** Returns what is given, whatever the order of devices within a claim. */
    private static Set<Object> set(List<ClaimAllocation> answer) {
        Set<Object> set = new HashSet<>();
        answer.forEach(one -> one.grants().forEach(grant -> set.add(List.of(one.claim(), grant))));
        return set;
    }

    private static List<Violation> broken(ClaimWorld world, List<ClaimAllocation> answer) {
        return Verifier.create()
                .check(
                        world.nodes().get(0),
                        world.slices(),
                        ClaimWorld.CLASSES,
                        world.inUse(),
                        ClaimFeature.KUBERNETES_1_38,
                        world.claims(),
                        new ClaimDecision.Allocated(Certainty.PROVEN, answer, 0));
    }

    @Property(tries = 1500, seed = SEED)
    void exactAnswers_areTheBestOfAllThatThereAre(@ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
        ClaimWorld world = ClaimWorld.of(seed);
        ClaimDecision decision = world.by(ClaimAllocator.exact().withOrder(ClaimAllocator.Order.LISTED));
        boolean feasible =
                !world.search(false).lacksSlices() && world.search(false).find(way -> true);
        assertThat(decision instanceof ClaimDecision.Allocated)
                .as("%s%n%s", world, decision)
                .isEqualTo(feasible);
        assertThat(world.by(ClaimAllocator.exact()) instanceof ClaimDecision.Allocated)
                .isEqualTo(feasible);
        if (decision instanceof ClaimDecision.Allocated allocated) {
            assertThat(allocated.certainty()).isEqualTo(Certainty.PROVEN);
            ways(world)
                    .ifPresent(ways -> assertThat(set(allocated.allocations()))
                            .as("%s", world)
                            .isEqualTo(set(answer(world, best(world, ways)))));
        }
    }

    /** Returns the way with the first alternatives, then, request by request and device by device, the smallest, then the first listed. */
    private static List<Pick> best(ClaimWorld world, List<List<Pick>> all) {
        List<List<Pick>> ways = all;
        for (int c = 0; c < world.claims().size(); c++) {
            for (int r = 0; r < world.claims().get(c).requests().size(); r++) {
                int claim = c;
                int request = r;
                int least = ways.stream()
                        .mapToInt(way -> of(way, claim, request).get(0).form())
                        .min()
                        .orElseThrow();
                ways = ways.stream()
                        .filter(way -> of(way, claim, request).get(0).form() == least)
                        .toList();
            }
        }
        Comparator<Pick> smallest = Comparator.comparing(ClaimProperties::memory);
        for (int c = 0; c < world.claims().size(); c++) {
            for (int r = 0; r < world.claims().get(c).requests().size(); r++) {
                Set<DeviceId> chosen = new HashSet<>();
                int claim = c;
                int request = r;
                while (chosen.size() < of(ways.get(0), c, r).size()) {
                    Pick next = ways.stream()
                            .flatMap(way -> of(way, claim, request).stream())
                            .filter(pick -> !chosen.contains(pick.place().id()))
                            .distinct()
                            .min(smallest.thenComparing(pick -> place(world, pick)))
                            .orElseThrow();
                    chosen.add(next.place().id());
                    ways = ways.stream().filter(way -> way.contains(next)).toList();
                }
            }
        }
        return ways.get(0);
    }

    private static List<Pick> of(List<Pick> way, int claim, int request) {
        return way.stream()
                .filter(pick -> pick.claim() == claim && pick.request() == request)
                .toList();
    }

    private static DeviceAmount memory(Pick pick) {
        return pick.place().device().capacity().values().stream()
                .map(DeviceCapacity::value)
                .reduce(DeviceAmount.ZERO, DeviceAmount::plus);
    }

    private static int place(ClaimWorld world, Pick pick) {
        List<DeviceId> ids = new ArrayList<>();
        world.slices().stream()
                .sorted(Comparator.comparing(ResourceSlice::driver)
                        .thenComparing(ResourceSlice::pool)
                        .thenComparing(ResourceSlice::name))
                .forEach(slice -> slice.devices().forEach(device -> ids.add(slice.idOf(device))));
        return ids.indexOf(pick.place().id());
    }

    @Property(tries = 1500, seed = SEED)
    void firstFit_isTheFirstWayInTheOrderOfKubernetes(@ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
        ClaimWorld world = ClaimWorld.of(seed);
        ClaimDecision decision = world.by(ClaimAllocator.firstFit());
        List<Pick> first = new ArrayList<>();
        try {
            boolean found =
                    !world.search(true).lacksSlices() && world.search(true).find(first::addAll);
            assertThat(found || !first.isEmpty()).isEqualTo(decision instanceof ClaimDecision.Allocated);
        } catch (PlainSearch.Broken e) {
            assertThat(decision).as("%s", world).isInstanceOf(ClaimError.class);
            return;
        }
        if (decision instanceof ClaimDecision.Allocated allocated) {
            assertThat(allocated.allocations()).as("%s", world).isEqualTo(answer(world, first));
        }
    }

    @Property(tries = 1000, seed = SEED)
    void theChecker_acceptsWhatCanBeHad_andNothingElse(@ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
        ClaimWorld world = ClaimWorld.of(seed);
        List<List<Pick>> ways =
                world.search(false).lacksSlices() ? List.of() : ways(world).orElse(List.of());
        Set<Set<Object>> lawful = new HashSet<>();
        ways.forEach(way -> lawful.add(set(answer(world, way))));
        Random random = new Random(seed);
        List<DeviceId> ids = new ArrayList<>();
        world.slices().forEach(slice -> slice.devices().forEach(device -> ids.add(slice.idOf(device))));
        for (int i = 0; i < Math.min(30, ways.size()); i++) {
            List<ClaimAllocation> answer = answer(world, ways.get(random.nextInt(ways.size())));
            assertThat(broken(world, answer)).as("%s%n%s", world, answer).isEmpty();
            if (world.hasAdmin() && world.claims().size() > 1) {
                continue; // which claim Kubernetes asks first is no law
            }
            List<ClaimAllocation> wrong = changed(world, answer, ids, random);
            assertThat(broken(world, wrong).isEmpty())
                    .as("%s%n%s %s", world, wrong, broken(world, wrong))
                    .isEqualTo(lawful.contains(set(wrong)) && areDistinct(wrong));
        }
    }

    private static boolean areDistinct(List<ClaimAllocation> answer) {
        return answer.stream()
                .allMatch(one ->
                        new HashSet<>(one.grants()).size() == one.grants().size());
    }

    /** Returns an answer with one device replaced by another, left out or given to another request. */
    private static List<ClaimAllocation> changed(
            ClaimWorld world, List<ClaimAllocation> answer, List<DeviceId> ids, Random random) {
        List<ClaimAllocation> changed = new ArrayList<>(answer);
        int c = random.nextInt(answer.size());
        List<Grant> grants = new ArrayList<>(answer.get(c).grants());
        if (grants.isEmpty()) {
            return answer;
        }
        int g = random.nextInt(grants.size());
        Grant had = grants.get(g);
        switch (random.nextInt(4)) {
            case 0 -> grants.remove(g);
            case 1 ->
                grants.set(
                        g,
                        new Grant(
                                grants.get(random.nextInt(grants.size())).request(),
                                had.device(),
                                had.adminAccess(),
                                had.isShare(),
                                had.consumed()));
            default -> {
                DeviceId other = ids.get(random.nextInt(ids.size()));
                grants.set(g, like(world, had, c, other));
            }
        }
        changed.set(c, new ClaimAllocation(answer.get(c).claim(), grants));
        return changed;
    }

    /** Returns a grant of another device, with the amounts that it would have. */
    private static Grant like(ClaimWorld world, Grant had, int claim, DeviceId other) {
        PlainSearch search = world.search(false);
        Map<String, Pick> names = new HashMap<>();
        for (ResourceSlice slice : world.slices()) {
            for (Device device : slice.devices()) {
                if (slice.idOf(device).equals(other)) {
                    for (int r = 0; r < world.claims().get(claim).requests().size(); r++) {
                        int forms = world.claims()
                                .get(claim)
                                .requests()
                                .get(r)
                                .alternatives()
                                .size();
                        for (int f = 0; f < forms; f++) {
                            Pick pick = new Pick(claim, r, f, new PlainSearch.Place(slice, device));
                            names.put(search.name(pick), pick);
                        }
                    }
                }
            }
        }
        return grant(world, search, names.get(had.request()));
    }

    @Property(tries = 500, seed = SEED)
    void conflicts_areSmallest(@ForAll @LongRange(min = 0, max = 1L << 40) long seed) {
        ClaimWorld world = ClaimWorld.of(seed);
        if (world.by(ClaimAllocator.exact()) instanceof ClaimRefusal refused) {
            ClaimConflict conflict = refused.conflict();
            assertThat(conflict.isSmallest()).isTrue();
            int smallest = Integer.MAX_VALUE;
            List<String> names = new ArrayList<>();
            world.claims()
                    .forEach(claim -> claim.requests().forEach(one -> names.add(claim.name() + "/" + one.name())));
            for (int mask = 1; mask < 1 << names.size(); mask++) {
                Set<String> some = new HashSet<>();
                for (int i = 0; i < names.size(); i++) {
                    if ((mask >> i & 1) != 0) {
                        some.add(names.get(i));
                    }
                }
                if (some.size() < smallest && !only(world, some).search(false).find(way -> true)) {
                    smallest = some.size();
                }
            }
            assertThat(conflict.names()).as("%s", world).hasSize(smallest);
            assertThat(only(world, Set.copyOf(conflict.names())).search(false).find(way -> true))
                    .isFalse();
        }
    }

    private static ClaimWorld only(ClaimWorld world, Set<String> names) {
        List<Claim> some = new ArrayList<>();
        for (Claim claim : world.claims()) {
            List<Claim.Request> requests = claim.requests().stream()
                    .filter(one -> names.contains(claim.name() + "/" + one.name()))
                    .toList();
            some.add(new Claim(claim.name(), requests, claim.constraints()));
        }
        return world.with(some);
    }
}
