package io.gpusched.claim;

import io.gpusched.claim.ClaimError.Kind;
import io.gpusched.claim.ClaimError.Raised;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a search has given out so far; each device can be given and taken back, last first. Not thread-safe.
 */
final class ClaimState {
    /** Why a device cannot be given. */
    enum Refusal {
        IN_USE,
        BARRED,
        GROUPS,
        COUNTERS,
        TAINT,
        CONSTRAINT,
        CAPACITY
    }

    private record Taken(Form form, Unit unit, boolean paid, List<BitSet> before, List<Units.GroupState> groups) {}

    final Units units;
    final long[] free;
    private final Units.GroupState[] groups;
    /** Claims that have a device in this search alone. */
    private final BitSet[] holders;

    /** Claims that have access to a device in this search as administrators. */
    private final BitSet[] visitors;

    /** Whether any request asks for access as an administrator. */
    final boolean hasAdmin;

    /** By claim, which claims Kubernetes would allocate in one call with it. */
    private final int[] calls;

    private final int[] shares;
    /** What shares given here take of each device, capacity by capacity. */
    private final List<List<DeviceAmount>> shared;

    private final List<ConstraintState[]> constraints = new ArrayList<>();
    private final Deque<Taken> log = new ArrayDeque<>();
    private final boolean sharing;
    private final boolean lists;

    /** What holds between the devices of a claim so far: for MATCH what they share, null before the first; for DISTINCT what they have. */
    private static final class ConstraintState {
        final Claim.Constraint constraint;
        final Map<String, Integer> numbers = new HashMap<>();
        final Map<Long, Read> values = new HashMap<>();

        @Nullable
        BitSet now;

        ConstraintState(Claim.Constraint constraint) {
            this.constraint = constraint;
        }
    }

    /** A cached value: null bits if the attribute is missing. */
    private record Read(@Nullable BitSet bits) {}

    ClaimState(Units units, List<Claim> claims, Set<ClaimFeature> features, int[] calls) {
        this.units = units;
        this.calls = calls;
        hasAdmin = claims.stream()
                .flatMap(claim -> claim.requests().stream())
                .flatMap(request -> request.alternatives().stream())
                .anyMatch(DeviceRequest::adminAccess);
        free = units.free.clone();
        groups = units.setGroups.toArray(Units.GroupState[]::new);
        holders = new BitSet[units.all.size()];
        Arrays.setAll(holders, i -> new BitSet());
        visitors = new BitSet[units.all.size()];
        Arrays.setAll(visitors, i -> new BitSet());
        shares = new int[units.all.size()];
        shared = new ArrayList<>(Collections.nCopies(units.all.size(), List.of()));
        for (Claim claim : claims) {
            constraints.add(
                    claim.constraints().stream().map(ConstraintState::new).toArray(ConstraintState[]::new));
        }
        sharing = features.contains(ClaimFeature.CONSUMABLE_CAPACITY);
        lists = features.contains(ClaimFeature.LIST_ATTRIBUTES);
    }

    /**
     * Returns whether a device cannot be had because a claim has it. Access as an administrator takes nothing from others, but within
     * one call Kubernetes gives a device to no claim after it has given such access to it, nor twice to one claim.
     */
    boolean isInUse(Form form, Unit unit) {
        BitSet alone = holders[unit.index];
        BitSet visiting = visitors[unit.index];
        if (form.spec.adminAccess()) {
            return visiting.get(form.claim)
                    || alone.stream().anyMatch(one -> one >= form.claim && calls[one] == calls[form.claim]);
        }
        return unit.isTaken
                || !alone.isEmpty()
                || visiting.stream().anyMatch(one -> one <= form.claim && calls[one] == calls[form.claim]);
    }

    /** Returns whether amounts of a form fit a device now; true where parts are switched off. */
    boolean hasCapacity(Form form, Unit unit) {
        return !sharing || form.capacity(unit).fits(unit, shared.get(unit.index));
    }

    /** Returns why a device cannot be given to a form, apart from its selectors; null if it can. */
    @Nullable
    Refusal refusal(Form form, Unit unit) {
        if (isInUse(form, unit)) {
            return Refusal.IN_USE;
        }
        if (form.isBarred(unit)) {
            return Refusal.BARRED;
        }
        if (!isPaid(unit)) {
            for (int i = 0; i < unit.sets.length; i++) {
                if (!groups[unit.sets[i]].admits(unit.groups[i])) {
                    return Refusal.GROUPS;
                }
            }
            if (!hasCounters(unit)) {
                return Refusal.COUNTERS;
            }
        }
        if (form.untolerated(unit).isPresent()) {
            return Refusal.TAINT;
        }
        if (!meetsConstraints(form, unit)) {
            return Refusal.CONSTRAINT;
        }
        return hasCapacity(form, unit) ? null : Refusal.CAPACITY;
    }

    /** As {@link #refusal}, of what changes during a search. */
    boolean stillFits(Form form, Unit unit) {
        if (isInUse(form, unit)) {
            return false;
        }
        if (unit.columns.length > 0 && !isPaid(unit)) {
            if (!hasCounters(unit)) {
                return false;
            }
            for (int i = 0; i < unit.sets.length; i++) {
                if (!groups[unit.sets[i]].admits(unit.groups[i])) {
                    return false;
                }
            }
        }
        return (form.constraints.length == 0 || meetsConstraints(form, unit))
                && (!unit.isShareable || hasCapacity(form, unit));
    }

    /** Returns whether anybody could have a device now: it is not in use and its counters are free. */
    boolean isUsable(Unit unit) {
        return !unit.isTaken && holders[unit.index].isEmpty() && (isPaid(unit) || hasCounters(unit));
    }

    private boolean hasCounters(Unit unit) {
        if (!unit.drawsOnCounters()) {
            return true;
        }
        if (unit.isPoolOverdrawn) {
            return false;
        }
        for (int i = 0; i < unit.columns.length; i++) {
            if (free[unit.columns[i]] < unit.amounts[i]) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a share of the device is in use already, whose counters serve further shares. */
    boolean isPaid(Unit unit) {
        return unit.isShareable && (unit.isShared || shares[unit.index] > 0);
    }

    boolean meetsConstraints(Form form, Unit unit) {
        for (int number : form.constraints) {
            ConstraintState state = constraints.get(form.claim)[number];
            BitSet value = value(state, form, unit);
            if (value == null || value.isEmpty()) {
                return false;
            }
            BitSet now = state.now;
            if (now != null && now.intersects(value) != (state.constraint.kind() == Claim.Constraint.Kind.MATCH)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the error of a request for all devices whose devices a constraint keeps from being together. */
    Optional<ClaimError> brokenByAll(Forms forms) {
        return forms.byClaim().stream()
                .flatMap(List::stream)
                .flatMap(List::stream)
                .map(this::brokenByAll)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<ClaimError> brokenByAll(Form form) {
        int[] every = form.everyDevice != null && form.constraints.length > 0 ? form.everyDevice : new int[0];
        Optional<ClaimError> broken = Optional.empty();
        int taken = 0;
        for (int d : every) {
            if (!meetsConstraints(form, units.all.get(d))) {
                broken = Optional.of(form.allBreaksConstraint(units.all.get(d)).error());
                break;
            }
            take(form, units.all.get(d));
            taken++;
        }
        for (; taken > 0; taken--) {
            undo();
        }
        return broken;
    }

    /** Returns the value that a constraint reads, as bits; null if it is missing. */
    @Nullable
    BitSet value(Form form, int number, Unit unit) {
        return value(constraints.get(form.claim)[number], form, unit);
    }

    /** Returns what the devices of a claim share by a constraint so far, or have; null before the first. */
    @Nullable
    BitSet now(int claim, int number) {
        return constraints.get(claim)[number].now;
    }

    private @Nullable BitSet value(ConstraintState state, Form form, Unit unit) {
        boolean derived = form.spec.derivedAttributes().containsKey(state.constraint.attribute());
        long key = (derived ? 1 + form.request * 64L + form.alternative : 0) * units.all.size() + unit.index;
        Read known = state.values.get(key);
        if (known == null) {
            known = new Read(form.value(state.constraint.attribute(), unit)
                    .map(value -> bits(state, form, unit, value))
                    .orElse(null));
            state.values.put(key, known);
        }
        return known.bits();
    }

    private BitSet bits(ConstraintState state, Form form, Unit unit, AttributeValue value) {
        if (!value.isReadable() || value.isList() && !lists) {
            throw new Raised(
                    Kind.ATTRIBUTE_UNSUPPORTED,
                    form.where() + ": device " + unit + ": the value of " + state.constraint.attribute()
                            + " cannot be compared by this version: " + value);
        }
        BitSet bits = new BitSet();
        value.keys().forEach(key -> bits.set(state.numbers.computeIfAbsent(key, k -> state.numbers.size())));
        return bits;
    }

    /** Gives a device that {@link #refusal} finds nothing against. */
    void take(Form form, Unit unit) {
        boolean pays = !isPaid(unit);
        List<Units.GroupState> had = new ArrayList<>(0);
        if (pays) {
            for (int i = 0; i < unit.columns.length; i++) {
                free[unit.columns[i]] -= unit.amounts[i];
            }
            for (int i = 0; i < unit.sets.length; i++) {
                had.add(groups[unit.sets[i]]);
                groups[unit.sets[i]] = groups[unit.sets[i]].with(unit.groups[i]);
            }
        }
        List<BitSet> before = new ArrayList<>(form.constraints.length);
        for (int number : form.constraints) {
            ConstraintState state = constraints.get(form.claim)[number];
            BitSet value = value(state, form, unit);
            before.add(state.now);
            if (value != null) {
                state.now = combined(state, value);
            }
        }
        if (unit.isShareable) {
            shares[unit.index]++;
            shared.set(
                    unit.index, sum(shared.get(unit.index), form.capacity(unit).amounts(), 1));
        } else {
            takers(form)[unit.index].set(form.claim);
        }
        log.push(new Taken(form, unit, pays, before, had));
    }

    private BitSet[] takers(Form form) {
        return form.spec.adminAccess() ? visitors : holders;
    }

    private static BitSet combined(ConstraintState state, BitSet value) {
        if (state.now == null) {
            return value;
        }
        BitSet both = (BitSet) state.now.clone();
        if (state.constraint.kind() == Claim.Constraint.Kind.MATCH) {
            both.and(value);
        } else {
            both.or(value);
        }
        return both;
    }

    private static List<DeviceAmount> sum(List<DeviceAmount> had, List<DeviceAmount> amounts, int sign) {
        List<DeviceAmount> sums = new ArrayList<>();
        for (int i = 0; i < amounts.size(); i++) {
            DeviceAmount before = had.isEmpty() ? DeviceAmount.ZERO : had.get(i);
            sums.add(sign > 0 ? before.plus(amounts.get(i)) : before.minus(amounts.get(i)));
        }
        return sums;
    }

    /** Takes back the device given last. */
    void undo() {
        Taken last = log.pop();
        Unit unit = last.unit();
        Form form = last.form();
        if (unit.isShareable) {
            shares[unit.index]--;
            shared.set(
                    unit.index, sum(shared.get(unit.index), form.capacity(unit).amounts(), -1));
        } else {
            takers(form)[unit.index].clear(form.claim);
        }
        for (int i = 0; i < form.constraints.length; i++) {
            constraints.get(form.claim)[form.constraints[i]].now = last.before().get(i);
        }
        if (last.paid()) {
            for (int i = 0; i < unit.columns.length; i++) {
                free[unit.columns[i]] += unit.amounts[i];
            }
            for (int i = unit.sets.length - 1; i >= 0; i--) {
                groups[unit.sets[i]] = last.groups().get(i);
            }
        }
    }

    /** Returns what can change of a device besides whether it fits: shares, and groups of its sets; for a memory of states. */
    Object residue(Unit unit) {
        List<Object> parts = new ArrayList<>();
        if (unit.isShareable) {
            parts.add(isPaid(unit));
            parts.add(shared.get(unit.index));
        }
        for (int set : unit.sets) {
            parts.add(groups[set]);
        }
        return parts;
    }
}
