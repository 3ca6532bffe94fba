package io.gpusched.claim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whether pods of a gang can all run at once, by every set of devices that each of its claims could have, and a memory of which
 * sets of devices have been used up.
 */
final class GangBruteForce {
    private final GangWorld world;
    private final List<Device> devices = new ArrayList<>();
    private final List<ResourceSlice> sliceOf = new ArrayList<>();
    private final Map<String, Integer> fixed = new HashMap<>();
    private final Map<List<Object>, Set<Long>> known = new HashMap<>();
    private final Map<Integer, List<String>> counters = new HashMap<>();
    private long taken;

    GangBruteForce(GangWorld world) {
        this.world = world;
        for (ResourceSlice slice : world.slices()) {
            for (Device device : slice.devices()) {
                if (world.inUse().uses(slice.idOf(device))) {
                    taken |= 1L << devices.size();
                }
                devices.add(device);
                sliceOf.add(slice);
            }
        }
    }

    /** Lets a claim have this alternative only. */
    void fix(String claim, int alternative) {
        fixed.put(claim, alternative);
    }

    boolean isFeasible(List<ClaimGang.Pod> pods) {
        Set<String> shared = new TreeSet<>();
        pods.forEach(pod -> pod.claims().stream().filter("shared"::equals).forEach(shared::add));
        if (shared.isEmpty()) {
            return serve(pods, 0, taken, ~0L, new HashSet<>());
        }
        for (long set : sets(claim("shared"), ~0L)) {
            if ((set & taken) == 0 && hasCounters(taken | set)) {
                if (serve(pods, 0, taken | set, set, new HashSet<>())) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean serve(List<ClaimGang.Pod> pods, int next, long used, long shared, Set<List<Long>> dead) {
        if (next == pods.size()) {
            return true;
        }
        if (!dead.add(List.of((long) next, used))) {
            return false;
        }
        ClaimGang.Pod pod = pods.get(next);
        for (ClaimNode node : world.nodes()) {
            long reached = reached(node);
            boolean mayRun =
                    pod.nodes().map(names -> names.contains(node.node().name())).orElse(true)
                            && (!pod.claims().contains("shared") || (shared & ~reached) == 0);
            if (mayRun) {
                for (long set : setsOf(pod, 0, reached, used)) {
                    if (serve(pods, next + 1, set, shared, dead)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private Set<Long> setsOf(ClaimGang.Pod pod, int claim, long reached, long used) {
        if (claim == pod.claims().size()) {
            return Set.of(used);
        }
        if (pod.claims().get(claim).equals("shared")) {
            return setsOf(pod, claim + 1, reached, used);
        }
        Set<Long> all = new HashSet<>();
        for (long set : sets(claim(pod.claims().get(claim)), reached)) {
            if ((set & used) == 0 && hasCounters(used | set)) {
                all.addAll(setsOf(pod, claim + 1, reached, used | set));
            }
        }
        return all;
    }

    private Claim claim(String name) {
        return world.gang().claims().stream()
                .map(ClaimGang.PodClaim::claim)
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private long reached(ClaimNode node) {
        long reached = 0;
        for (int d = 0; d < devices.size(); d++) {
            reached |= sliceOf.get(d).scope().reaches(node.node()) ? 1L << d : 0;
        }
        return reached;
    }

    private Set<Long> sets(Claim claim, long reached) {
        return known.computeIfAbsent(
                List.of(claim.name(), reached, fixed.getOrDefault(claim.name(), -1)), key -> allSets(claim, reached));
    }

    private Set<Long> allSets(Claim claim, long reached) {
        Set<Long> sets = new HashSet<>();
        List<DeviceRequest> forms = claim.requests().get(0).alternatives();
        for (int a = 0; a < forms.size(); a++) {
            if (fixed.getOrDefault(claim.name(), a) == a) {
                add(sets, claim, forms.get(a), reached, 0, 0);
            }
        }
        return sets;
    }

    private void add(Set<Long> sets, Claim claim, DeviceRequest form, long reached, int from, long chosen) {
        if (Long.bitCount(chosen) == form.count()) {
            sets.add(chosen);
            return;
        }
        for (int d = from; d < devices.size(); d++) {
            if ((reached >> d & 1) != 0 && accepts(form, d) && meets(claim, chosen, d)) {
                add(sets, claim, form, reached, d + 1, chosen | 1L << d);
            }
        }
    }

    private boolean accepts(DeviceRequest form, int d) {
        List<DeviceSelector> selectors = new ArrayList<>(form.selectors());
        GangWorld.CLASSES.stream()
                .filter(one -> one.name().equals(form.className()))
                .forEach(one -> selectors.addAll(one.selectors()));
        return selectors.stream().allMatch(selector -> {
            try {
                return selector.predicate().accepts(sliceOf.get(d), devices.get(d));
            } catch (DeviceSelector.SelectorException e) {
                return false;
            }
        });
    }

    private boolean meets(Claim claim, long chosen, int d) {
        for (Claim.Constraint constraint : claim.constraints()) {
            for (int other = 0; other < devices.size(); other++) {
                if ((chosen >> other & 1) != 0) {
                    boolean equal = numa(other).equals(numa(d));
                    if (equal != (constraint.kind() == Claim.Constraint.Kind.MATCH)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private List<Object> numa(int d) {
        return devices.get(d).attributes().get("numa").elements();
    }

    /** No counter is drawn on twice; each stands at one. A device without counters draws on none. */
    private boolean hasCounters(long used) {
        Set<String> drawn = new HashSet<>();
        for (long rest = used; rest != 0; rest &= rest - 1) {
            for (String counter : drawsOn(Long.numberOfTrailingZeros(rest))) {
                if (!drawn.add(counter)) {
                    return false;
                }
            }
        }
        return true;
    }

    private List<String> drawsOn(int d) {
        return counters.computeIfAbsent(d, key -> {
            List<String> names = new ArrayList<>();
            for (Device.CounterUse use : devices.get(d).consumes()) {
                String set = sliceOf.get(d).pool() + use.counterSet();
                use.counters().keySet().forEach(name -> names.add(set + name));
            }
            return names;
        });
    }
}
