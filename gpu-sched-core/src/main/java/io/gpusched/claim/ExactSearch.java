package io.gpusched.claim;

import io.gpusched.claim.ClaimError.Raised;
import io.gpusched.internal.fit.SearchSteps;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether requests that are still open can all be served beside what has been given out, exactly.
 *
 * <p>Alternatives are chosen first, then values that devices of a claim must share, then devices: always for the requests
 * that have the least to spare. Four things keep that short:
 * <ul>
 *   <li>Bounds ({@link ExactBounds}): what counters leave in each component, a flow of requests to components, sums of counters
 *       over all components, numbers of distinct values.
 *   <li>Equal requests are one request for the sum of their devices, so n + 1 requests for one of n devices fail at once.
 *   <li>Equal devices are tried once: those at one position of components ({@link Components}) whose states are equal.
 *   <li>Dead states are remembered, with components in a canonical order, so that it does not matter which of several equal GPUs
 *       was cut.
 * </ul>
 */
final class ExactSearch {
    /** A request that is part of the search. */
    static final class Open {
        final List<Form> forms;
        /** The form that is fixed; -1 if none is. */
        int chosen = -1;
        /** Devices that it has been given, for good. */
        final List<Unit> given = new ArrayList<>();

        /** Devices that it may not be given beside these. */
        BitSet barred = new BitSet();

        Open(List<Form> forms) {
            this.forms = forms;
        }
    }

    /** Equal requests taken together. */
    static final class Group {
        final Form form;
        final List<Open> members;
        /** Constraints that are known to be about it, by number; none if its form is not chosen yet. */
        final int[] constraints;
        /** Whether it may have devices that others have. */
        final boolean isAdmin;

        long need;
        BitSet candidates;

        private Group(Form form, List<Open> members, int[] constraints, boolean isAdmin, long need, BitSet candidates) {
            this.form = form;
            this.members = members;
            this.constraints = constraints;
            this.isAdmin = isAdmin;
            this.need = need;
            this.candidates = candidates;
        }

        static Group of(Form form, List<Open> members, long need, BitSet candidates) {
            return new Group(form, members, form.constraints, form.spec.adminAccess(), need, candidates);
        }

        /** Returns what bounds may know of a request whose form is not chosen: the least that it needs, of all that it could have. */
        static Group undecided(List<Form> forms, long need, BitSet candidates) {
            boolean isAdmin = forms.stream().anyMatch(form -> form.spec.adminAccess());
            return new Group(forms.get(0), new ArrayList<>(), new int[0], isAdmin, need, candidates);
        }

        Group copy() {
            return new Group(form, members, constraints, isAdmin, need, (BitSet) candidates.clone());
        }
    }

    /** A way to serve all requests that were open: the form of each, and devices that its group may share out. */
    record Witness(Map<Open, Integer> chosen, Map<Open, List<Unit>> devices) {}

    List<Open> open;
    final ClaimState state;
    final Components components;
    private final ExactBounds bounds;
    private final SearchSteps steps;
    private final Map<Form, BitSet> accepted = new HashMap<>();
    private final Set<List<Object>> dead = new HashSet<>();
    private final List<Object[]> path = new ArrayList<>();
    private boolean hasFailed;
    private @Nullable ClaimError met;
    private Witness witness = new Witness(Map.of(), Map.of());

    ExactSearch(List<Open> open, ClaimState state, Components components, SearchSteps steps) {
        this.open = open;
        this.state = state;
        this.components = components;
        this.steps = steps;
        bounds = new ExactBounds(state, components);
    }

    /** Returns the first error that was met on a device; that device was left out. */
    @Nullable
    ClaimError error() {
        return met;
    }

    Witness witness() {
        return witness;
    }

    /**
     * Returns whether all open requests can be served; false also if the limit of steps was reached, which {@link SearchSteps}
     * tells.
     */
    boolean isFeasible() {
        return open.stream().mapToInt(one -> one.forms.get(0).claim).distinct().allMatch(this::isWithinSize)
                && choose(0);
    }

    /** As {@link #isFeasible()}, of other requests, which are the open ones from now on. */
    boolean isFeasible(List<Open> others) {
        open = others;
        return isFeasible();
    }

    /** Returns whether no bound says that requests cannot all be served. */
    boolean isBounded(List<Group> groups) {
        return steps.take(groups.size()) && bounds.hold(groups);
    }

    private boolean choose(int from) {
        int next = from;
        while (next < open.size() && open.get(next).chosen >= 0) {
            next++;
        }
        if (next == open.size()) {
            List<Group> groups = groups();
            return groups != null && place(groups);
        }
        Open request = open.get(next);
        for (int form = 0; form < request.forms.size() && steps.take(1); form++) {
            request.chosen = form;
            boolean possible = isWithinSize(request.forms.get(form).claim);
            if (possible && request.forms.size() > 1) {
                List<Group> groups = groups();
                possible = groups != null && bounds.hold(groups);
            }
            boolean found = possible && choose(next + 1);
            request.chosen = -1;
            if (found) {
                return true;
            }
        }
        return false;
    }

    private boolean isWithinSize(int claim) {
        long sum = 0;
        for (Open request : open) {
            if (request.forms.get(0).claim == claim) {
                sum += request.chosen >= 0
                        ? request.forms.get(request.chosen).need
                        : request.forms.stream()
                                .mapToLong(form -> form.need)
                                .min()
                                .orElse(0);
                if (sum > Claim.MAX_DEVICES) {
                    return false;
                }
            }
        }
        return true;
    }

    /** As {@link #groups()}, of other requests, which are the open ones from now on. */
    @Nullable
    List<Group> groups(List<Open> others) {
        open = others;
        return groups();
    }

    /**
     * Returns the requests, equal ones together; one whose form is not chosen is {@link Group#undecided}; null if one of
     * them cannot be served at all.
     */
    private @Nullable List<Group> groups() {
        List<Group> groups = new ArrayList<>();
        Map<List<Object>, Group> equal = new HashMap<>();
        for (Open request : open) {
            Group group = request.chosen < 0 ? undecided(request) : decided(request);
            if (group == null) {
                return null;
            }
            if (group.need > 0) {
                add(groups, equal, group);
            }
        }
        return groups;
    }

    private @Nullable Group decided(Open request) {
        Form form = request.forms.get(request.chosen);
        if (form.everyDevice != null && form.everyDevice.length == 0) {
            return null;
        }
        long need = form.need - request.given.size();
        BitSet candidates = candidates(request, form);
        return candidates.cardinality() < need
                ? null
                : Group.of(form, new ArrayList<>(List.of(request)), need, candidates);
    }

    private @Nullable Group undecided(Open request) {
        long need = Long.MAX_VALUE;
        BitSet candidates = new BitSet();
        for (Form form : request.forms) {
            if (form.everyDevice == null || form.everyDevice.length > 0) {
                BitSet own = candidates(request, form);
                if (own.cardinality() >= form.need) {
                    need = Math.min(need, form.need);
                    candidates.or(own);
                }
            }
        }
        return need == Long.MAX_VALUE ? null : Group.undecided(request.forms, need, candidates);
    }

    private BitSet candidates(Open request, Form form) {
        BitSet candidates = (BitSet) accepted(form).clone();
        candidates.andNot(request.barred);
        request.given.forEach(unit -> candidates.clear(unit.index));
        for (int d = candidates.nextSetBit(0); d >= 0; d = candidates.nextSetBit(d + 1)) {
            if (!state.stillFits(form, state.units.all.get(d))) {
                candidates.clear(d);
            }
        }
        steps.take(candidates.cardinality());
        return candidates;
    }

    /** Adds a group, or joins it to an equal one. */
    void add(List<Group> groups, Map<List<Object>, Group> equal, Group group) {
        Form form = group.form;
        boolean exclusive =
                !group.isAdmin && group.candidates.stream().noneMatch(d -> state.units.all.get(d).isShareable);
        boolean derives =
                !group.members.isEmpty() && !form.spec.derivedAttributes().isEmpty();
        if (!exclusive || derives) {
            groups.add(group);
            return;
        }
        int claim = group.constraints.length == 0 && !state.hasAdmin ? -1 : form.claim;
        List<Object> key = List.of(
                claim,
                Arrays.stream(group.constraints).boxed().toList(),
                group.members.isEmpty(),
                group.candidates.clone());
        Group same = equal.putIfAbsent(key, group);
        if (same == null) {
            groups.add(group);
        } else {
            same.need += group.need;
            same.members.addAll(group.members);
        }
    }

    /** Returns the devices that a form could have in the state in which the search began. */
    BitSet accepted(Form form) {
        return accepted.computeIfAbsent(form, key -> {
            BitSet found = new BitSet();
            int[] order = form.everyDevice != null ? form.everyDevice : form.view.order;
            for (int d : order) {
                if (isAcceptable(form, state.units.all.get(d))) {
                    found.set(d);
                }
            }
            steps.take(order.length);
            return found;
        });
    }

    private boolean isAcceptable(Form form, Unit unit) {
        try {
            ClaimState.Refusal refusal = form.accepts(unit) ? state.refusal(form, unit) : ClaimState.Refusal.BARRED;
            return refusal == null;
        } catch (Raised e) {
            note(e.error());
            return false;
        }
    }

    private void note(ClaimError error) {
        if (met == null) {
            met = error;
        }
    }

    private boolean place(List<Group> groups) {
        if (groups.isEmpty()) {
            remember();
            return true;
        }
        if (!steps.take(groups.size()) || !bounds.hold(groups)) {
            hasFailed = true;
            return false;
        }
        StateKey key = hasFailed ? new StateKey(groups) : null;
        if (key != null && dead.contains(key.whole())) {
            return false;
        }
        boolean found = pin(groups);
        if (!found && !steps.isReached()) {
            dead.add((key == null ? new StateKey(groups) : key).whole());
        }
        hasFailed |= !found;
        return found;
    }

    /** Chooses a value that devices must share, if there is one to be chosen, else a device. */
    private boolean pin(List<Group> groups) {
        for (Group group : groups) {
            for (int number : group.form.constraints) {
                List<BitSet> values = isMatch(group.form, number) ? values(group, number) : List.of();
                if (values.size() > 1 && values.stream().allMatch(value -> value.cardinality() == 1)) {
                    return pinTo(groups, group, number, values);
                }
            }
        }
        return give(groups);
    }

    private static boolean isMatch(Form form, int number) {
        return form.owner.constraints().get(number).kind() == Claim.Constraint.Kind.MATCH;
    }

    private List<BitSet> values(Group group, int number) {
        Set<BitSet> values = new LinkedHashSet<>();
        for (int d = group.candidates.nextSetBit(0); d >= 0; d = group.candidates.nextSetBit(d + 1)) {
            BitSet value = state.value(group.form, number, state.units.all.get(d));
            if (value != null) {
                values.add(value);
            }
        }
        return List.copyOf(values);
    }

    private boolean pinTo(List<Group> groups, Group pinned, int number, List<BitSet> values) {
        for (BitSet value : values) {
            List<Group> children = new ArrayList<>();
            for (Group group : groups) {
                Group child = group.copy();
                if (group.form.claim == pinned.form.claim
                        && Arrays.stream(group.form.constraints).anyMatch(own -> own == number)) {
                    child.candidates.stream()
                            .filter(d -> !intersect(value, state.value(child.form, number, state.units.all.get(d))))
                            .forEach(child.candidates::clear);
                }
                children.add(child);
            }
            if (place(children)) {
                return true;
            }
            if (steps.isReached()) {
                return false;
            }
        }
        return false;
    }

    private static boolean intersect(BitSet value, @Nullable BitSet other) {
        return other != null && other.intersects(value);
    }

    private boolean give(List<Group> groups) {
        Group next = groups.get(0);
        long least = Long.MAX_VALUE;
        for (Group group : groups) {
            long spare = bounds.most(group) - group.need;
            if (spare < least || spare == least && group.candidates.cardinality() < next.candidates.cardinality()) {
                next = group;
                least = spare;
            }
        }
        StateKey key = new StateKey(groups);
        Set<List<Object>> failed = new HashSet<>();
        List<Group> left = new ArrayList<>(groups);
        for (int d = next.candidates.nextSetBit(0); d >= 0; d = next.candidates.nextSetBit(d + 1)) {
            List<Object> like = next.candidates.cardinality() == 1 ? List.of() : key.positionOf(d);
            if (failed.contains(like)) {
                next = without(left, next, d);
            } else {
                if (with(left, next, d)) {
                    return true;
                }
                failed.add(like);
                next = without(left, next, d);
            }
            if (steps.isReached() || bounds.most(next) < next.need) {
                return false;
            }
        }
        return false;
    }

    private static Group without(List<Group> groups, Group group, int d) {
        Group child = group.copy();
        child.candidates.clear(d);
        groups.set(groups.indexOf(group), child);
        return child;
    }

    private boolean with(List<Group> groups, Group group, int d) {
        Unit unit = state.units.all.get(d);
        state.take(group.form, unit);
        path.add(new Object[] {group, unit});
        List<Group> children = new ArrayList<>();
        boolean possible = true;
        for (Group had : groups) {
            Group child = had.copy();
            if (had == group) {
                child.need--;
                child.candidates.clear(d);
            }
            if (child.need > 0) {
                refresh(child, group, unit);
                possible &= child.candidates.cardinality() >= child.need;
                children.add(child);
            }
        }
        boolean found = possible && place(children);
        hasFailed |= !found;
        path.remove(path.size() - 1);
        state.undo();
        return found;
    }

    /** Takes out candidates that a device just given has made impossible. */
    private void refresh(Group child, Group giver, Unit unit) {
        boolean tied = child.form.constraints.length > 0 && child.form.claim == giver.form.claim;
        int component = components.of[unit.index];
        if (tied) {
            for (int d = child.candidates.nextSetBit(0); d >= 0; d = child.candidates.nextSetBit(d + 1)) {
                if (!state.stillFits(child.form, state.units.all.get(d))) {
                    child.candidates.clear(d);
                }
            }
            steps.take(child.candidates.cardinality());
        } else {
            for (int d : components.members[component]) {
                if (child.candidates.get(d) && !state.stillFits(child.form, state.units.all.get(d))) {
                    child.candidates.clear(d);
                }
            }
            steps.take(components.members[component].length);
        }
    }

    private void remember() {
        Map<Open, Integer> chosen = new HashMap<>();
        open.forEach(request -> chosen.put(request, request.chosen));
        Map<List<Open>, List<Unit>> shared = new HashMap<>();
        Map<Open, List<Unit>> devices = new HashMap<>();
        for (Object[] step : path) {
            List<Open> members = ((Group) step[0]).members;
            List<Unit> units = shared.computeIfAbsent(members, key -> new ArrayList<>());
            units.add((Unit) step[1]);
            members.forEach(member -> devices.put(member, units));
        }
        witness = new Witness(chosen, devices);
    }

    /** What the future of a state depends on: what is needed, and the components that have something to give, in a canonical order. */
    private final class StateKey {
        private final Map<Integer, List<Long>> byComponent = new HashMap<>();
        private final List<Group> groups;

        StateKey(List<Group> groups) {
            this.groups = List.copyOf(groups);
            BitSet touched = new BitSet();
            for (Group group : groups) {
                group.candidates.stream().forEach(d -> touched.set(components.of[d]));
            }
            touched.stream().forEach(c -> byComponent.put(c, stateOf(c)));
        }

        private List<Long> stateOf(int c) {
            List<Long> parts = new ArrayList<>();
            parts.add((long) components.signature[c]);
            int[] members = components.members[c];
            for (Group group : groups) {
                long word = 0;
                for (int i = 0; i < members.length; i++) {
                    if (group.candidates.get(members[i])) {
                        word |= 1L << i;
                    }
                    if ((i & 63) == 63) {
                        parts.add(word);
                        word = 0;
                    }
                }
                parts.add(word);
            }
            for (int column : components.columns[c]) {
                parts.add(state.free[column]);
            }
            for (int d : members) {
                Unit unit = state.units.all.get(d);
                if (unit.isShareable || unit.sets.length > 0) {
                    parts.add((long) residues.computeIfAbsent(state.residue(unit), key -> residues.size()));
                }
            }
            return parts;
        }

        /** Returns what tells a device from others that it could be taken for. */
        List<Object> positionOf(int d) {
            return List.of(byComponent.get(components.of[d]), components.local[d]);
        }

        List<Object> whole() {
            List<List<Long>> sorted = new ArrayList<>(byComponent.values());
            sorted.sort(ExactSearch::compare);
            List<Object> all = new ArrayList<>();
            for (Group group : groups) {
                all.add(List.of(group.form.claim, group.form.request, group.form.alternative, group.need));
                for (int number : group.form.constraints) {
                    BitSet now = state.now(group.form.claim, number);
                    if (now != null && now.cardinality() > 1 && isMatch(group.form, number)) {
                        all.add(now);
                    }
                }
            }
            all.addAll(sorted);
            return all;
        }
    }

    private final Map<Object, Integer> residues = new HashMap<>();

    private static int compare(List<Long> one, List<Long> other) {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int order = Long.compare(one.get(i), other.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(one.size(), other.size());
    }
}
