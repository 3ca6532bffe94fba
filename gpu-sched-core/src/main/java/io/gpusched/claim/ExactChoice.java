package io.gpusched.claim;

import io.gpusched.claim.ExactSearch.Open;
import io.gpusched.internal.fit.SearchSteps;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The best way to serve requests, in one order of what is better, so that each step is a question of {@link ExactSearch}:
 * the alternatives of the first request, of the second, ...; then for each device in turn the smallest that leaves all the
 * rest possible, of equally small ones that which makes the fewest devices of its pool unusable, then the first in the pool's order.
 */
final class ExactChoice {
    private final ExactSearch search;
    private final SearchSteps steps;
    private final boolean leastHarm;
    private final Map<Open, List<Unit>> spare = new HashMap<>();
    /** By the shape and the state of a component, the harm that each of its members does; -1 if it was not asked for. */
    private final Map<List<Object>, int[]> harms = new HashMap<>();

    ExactChoice(ExactSearch search, SearchSteps steps, boolean leastHarm) {
        this.search = search;
        this.steps = steps;
        this.leastHarm = leastHarm;
    }

    /** Fixes forms and devices of all requests; returns whether there is a way. What is fixed is the best unless the limit is reached. */
    boolean choose() {
        if (!search.isFeasible()) {
            return false;
        }
        for (Open request : search.open) {
            if (request.chosen < 0) {
                chooseForm(request);
            }
        }
        keepWitness();
        for (Open request : search.open) {
            Form form = request.forms.get(request.chosen);
            Map<Integer, Long> sizes = sizes(form);
            while (request.given.size() < form.need) {
                chooseDevice(request, form, sizes);
            }
        }
        return true;
    }

    private void chooseForm(Open request) {
        int known = search.witness().chosen().getOrDefault(request, 0);
        for (int form = 0; form < known && !steps.isReached(); form++) {
            request.chosen = form;
            if (search.isFeasible()) {
                return;
            }
        }
        request.chosen = known;
    }

    /** Takes over the devices of the last way that was found, to be shared out among equal requests. */
    private void keepWitness() {
        spare.clear();
        IdentityHashMap<List<Unit>, List<Unit>> copies = new IdentityHashMap<>();
        search.witness()
                .devices()
                .forEach((request, units) ->
                        spare.put(request, copies.computeIfAbsent(units, key -> new ArrayList<>(units))));
    }

    private void chooseDevice(Open request, Form form, Map<Integer, Long> sizes) {
        List<Unit> known = spare.getOrDefault(request, List.of());
        for (Unit unit : ordered(request, form, sizes)) {
            if (known.contains(unit)) {
                give(request, form, unit);
                known.remove(unit);
                return;
            }
            if (!steps.isReached()) {
                give(request, form, unit);
                if (search.isFeasible()) {
                    keepWitness();
                    return;
                }
                request.given.remove(request.given.size() - 1);
                search.state.undo();
            }
        }
        throw new AssertionError("no device left for " + form);
    }

    private void give(Open request, Form form, Unit unit) {
        search.state.take(form, unit);
        request.given.add(unit);
    }

    private List<Unit> ordered(Open request, Form form, Map<Integer, Long> sizes) {
        Map<Integer, Integer> place = new HashMap<>();
        Map<Integer, Integer> harm = new HashMap<>();
        List<Unit> units = new ArrayList<>();
        for (int d : form.view.order) {
            Unit unit = search.state.units.all.get(d);
            place.put(d, place.size());
            boolean isFree = search.accepted(form).get(d) && !request.barred.get(d) && !request.given.contains(unit);
            if (isFree && search.state.stillFits(form, unit)) {
                units.add(unit);
            }
        }
        steps.take(units.size());
        if (leastHarm) {
            Map<Integer, int[]> byComponent = new HashMap<>();
            for (Unit unit : units) {
                int[] known = byComponent.computeIfAbsent(search.components.of[unit.index], this::harms);
                harm.put(unit.index, harm(form, unit, known));
            }
        }
        units.sort(Comparator.comparing((Unit unit) -> sizes.getOrDefault(unit.index, 0L))
                .thenComparing(unit -> harm.getOrDefault(unit.index, 0))
                .thenComparing(unit -> place.getOrDefault(unit.index, 0)));
        return units;
    }

    /** Returns what is known of the harm that each member of a component does; components that are alike share it. */
    private int[] harms(int component) {
        int[] members = search.components.members[component];
        List<Object> key = new ArrayList<>();
        key.add(search.components.signature[component]);
        for (int column : search.components.columns[component]) {
            key.add(search.state.free[column]);
        }
        key.add(all(members, search.state::isUsable));
        key.add(all(members, search.state::isPaid));
        return harms.computeIfAbsent(key, any -> {
            int[] unknown = new int[members.length];
            Arrays.fill(unknown, members.length == 1 ? 0 : -1);
            return unknown;
        });
    }

    /** Returns how many other devices could be had before a device is given and not after. */
    private int harm(Form form, Unit unit, int[] known) {
        int at = search.components.local[unit.index];
        if (known[at] < 0) {
            int[] members = search.components.members[search.components.of[unit.index]];
            BitSet lost = all(members, search.state::isUsable);
            search.state.take(form, unit);
            lost.andNot(all(members, search.state::isUsable));
            search.state.undo();
            lost.clear(at);
            known[at] = lost.cardinality();
            steps.take(2L * members.length);
        }
        return known[at];
    }

    private BitSet all(int[] members, Predicate<Unit> such) {
        BitSet found = new BitSet();
        for (int i = 0; i < members.length; i++) {
            found.set(i, such.test(search.state.units.all.get(members[i])));
        }
        return found;
    }

    /** Returns the size of each candidate: the sum of its capacities, each in millionths of the greatest among the candidates. */
    private Map<Integer, Long> sizes(Form form) {
        Map<String, DeviceAmount> greatest = new HashMap<>();
        search.accepted(form).stream()
                .mapToObj(search.state.units.all::get)
                .flatMap(unit -> unit.capacities.stream())
                .forEach(one ->
                        greatest.merge(one.full(), one.capacity().value(), (a, b) -> a.compareTo(b) >= 0 ? a : b));
        Map<Integer, Long> sizes = new HashMap<>();
        search.accepted(form).stream().forEach(d -> {
            long size = 0;
            for (Unit.Capacity one : search.state.units.all.get(d).capacities) {
                size += one.capacity().value().millionthsOf(greatest.getOrDefault(one.full(), DeviceAmount.ZERO));
            }
            sizes.put(d, size);
        });
        return sizes;
    }
}
