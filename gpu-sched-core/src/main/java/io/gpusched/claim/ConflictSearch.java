package io.gpusched.claim;

import io.gpusched.claim.ClaimError.Raised;
import io.gpusched.internal.fit.SearchSteps;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Why claims cannot all be had: a smallest set of requests that conflict, and what is in their way.
 *
 * <p>Requests are left out one after the other as long as the rest conflicts; then all smaller sets are tried, fewest first. What
 * is in the way is found by asking once more without it.
 */
final class ConflictSearch {
    private record Name(int claim, int request) {}

    private final ClaimProblem problem;
    private final SearchSteps steps;

    ConflictSearch(ClaimProblem problem, SearchSteps steps) {
        this.problem = problem;
        this.steps = steps;
    }

    ClaimConflict find() {
        List<Name> all = new ArrayList<>();
        for (int c = 0; c < problem.claims().size(); c++) {
            for (int r = 0; r < problem.claims().get(c).requests().size(); r++) {
                all.add(new Name(c, r));
            }
        }
        List<Name> core = new ArrayList<>(all);
        if (!conflict(all)) {
            return new ClaimConflict(List.of(), false, List.of());
        }
        for (int i = core.size() - 1; i >= 0; i--) {
            List<Name> rest = new ArrayList<>(core);
            rest.remove(i);
            if (conflict(rest)) {
                core = rest;
            }
        }
        boolean smallest = !steps.isReached();
        for (int size = 1; size < core.size() && smallest; size++) {
            List<Name> found = firstOf(all, 0, size, new ArrayList<>());
            smallest = !steps.isReached();
            if (found != null && smallest) {
                core = found;
            }
        }
        List<String> names = core.stream()
                .map(name -> problem.claims().get(name.claim()).name() + "/"
                        + problem.claims()
                                .get(name.claim())
                                .requests()
                                .get(name.request())
                                .name())
                .toList();
        return new ClaimConflict(names, smallest, obstacles(core));
    }

    private @Nullable List<Name> firstOf(List<Name> all, int from, int size, List<Name> chosen) {
        if (steps.isReached()) {
            return null;
        }
        if (chosen.size() == size) {
            return conflict(chosen) ? List.copyOf(chosen) : null;
        }
        for (int i = from; i <= all.size() - (size - chosen.size()); i++) {
            if (i > from && isLike(all.get(i - 1), all.get(i))) {
                continue;
            }
            chosen.add(all.get(i));
            List<Name> found = firstOf(all, i + 1, size, chosen);
            chosen.remove(chosen.size() - 1);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Returns whether two requests ask for the same by the same rules, so that sets with either are alike. */
    private boolean isLike(Name one, Name other) {
        List<DeviceRequest> mine = request(one).alternatives();
        List<DeviceRequest> theirs = request(other).alternatives();
        boolean sameClaim = one.claim() == other.claim();
        for (int c : sameClaim ? new int[] {one.claim()} : new int[] {one.claim(), other.claim()}) {
            for (Claim.Constraint constraint : problem.claims().get(c).constraints()) {
                if (!sameClaim || !constraint.requests().isEmpty()) {
                    return false;
                }
            }
        }
        boolean alike = mine.size() == theirs.size();
        for (int i = 0; alike && i < mine.size(); i++) {
            alike = mine.get(i).named("x").equals(theirs.get(i).named("x"));
        }
        return alike;
    }

    private Claim.Request request(Name name) {
        return problem.claims().get(name.claim()).requests().get(name.request());
    }

    private boolean conflict(List<Name> names) {
        return !isFeasible(problem, names) && !steps.isReached();
    }

    private boolean isFeasible(ClaimProblem asked, List<Name> names) {
        try {
            Forms forms = asked.forms(0);
            ClaimState state = asked.state();
            List<ExactSearch.Open> open = new ArrayList<>();
            names.forEach(name -> open.add(
                    new ExactSearch.Open(forms.byClaim().get(name.claim()).get(name.request()))));
            return new ExactSearch(open, state, new Components(state.units, state, forms), steps).isFeasible();
        } catch (Raised e) {
            return false;
        }
    }

    private List<ClaimObstacle> obstacles(List<Name> core) {
        List<ClaimObstacle> found = new ArrayList<>();
        Forms forms = problem.forms(0);
        for (Name name : core) {
            List<Form> alternatives = forms.byClaim().get(name.claim()).get(name.request());
            Form form = alternatives.get(alternatives.size() - 1);
            int accepted = 0;
            for (int d : form.view.order) {
                accepted += form.accepts(problem.units().all.get(d)) ? 1 : 0;
            }
            if (accepted < Math.max(1, form.need)) {
                found.add(new ClaimObstacle.TooFewDevices(form.toString(), form.need, accepted));
            }
        }
        if (!found.isEmpty()) {
            return found;
        }
        int inUse = (int) problem.units().all.stream()
                .filter(unit -> unit.isTaken || unit.isShared)
                .count();
        if (inUse > 0 && isFeasible(problem.withInUse(DevicesInUse.NONE), core)) {
            found.add(new ClaimObstacle.InUse(inUse));
        }
        counters(core, found);
        capacities(core, found);
        taints(core, found);
        constraints(core, found);
        return steps.isReached() ? List.of() : found;
    }

    private void counters(List<Name> core, List<ClaimObstacle> found) {
        Set<List<String>> names = new LinkedHashSet<>();
        problem.units().columns.forEach(column -> names.add(List.of(column.driver(), column.counter())));
        for (List<String> name : names) {
            ClaimProblem without =
                    problem.withSlices(SliceEdits.withoutCounter(problem.slices(), name.get(0), name.get(1)));
            if (isFeasible(without, core)) {
                found.add(new ClaimObstacle.Counter(name.get(0), name.get(1)));
            }
        }
    }

    private void capacities(List<Name> core, List<ClaimObstacle> found) {
        Set<String> names = new TreeSet<>();
        problem.units().all.forEach(unit -> unit.capacities.forEach(one -> names.add(one.full())));
        for (String name : names) {
            if (isFeasible(problem.withSlices(SliceEdits.withAmpleCapacity(problem.slices(), name)), core)) {
                found.add(new ClaimObstacle.Capacity(name));
            }
        }
    }

    private void taints(List<Name> core, List<ClaimObstacle> found) {
        Set<DeviceTaint> taints = new LinkedHashSet<>();
        problem.units()
                .all
                .forEach(unit -> unit.device.taints().stream()
                        .filter(taint -> taint.effect() != DeviceTaint.Effect.NONE)
                        .forEach(taints::add));
        for (DeviceTaint taint : taints) {
            if (isFeasible(problem.withSlices(SliceEdits.withoutTaint(problem.slices(), taint)), core)) {
                found.add(new ClaimObstacle.Taint(taint));
            }
        }
    }

    private void constraints(List<Name> core, List<ClaimObstacle> found) {
        for (int c = 0; c < problem.claims().size(); c++) {
            Claim claim = problem.claims().get(c);
            for (int i = 0; i < claim.constraints().size(); i++) {
                List<Claim.Constraint> others = new ArrayList<>(claim.constraints());
                others.remove(i);
                List<Claim> claims = new ArrayList<>(problem.claims());
                claims.set(c, new Claim(claim.name(), claim.requests(), others));
                if (isFeasible(problem.withClaims(claims), core)) {
                    found.add(new ClaimObstacle.Constraint(
                            claim.name(), claim.constraints().get(i)));
                }
            }
        }
    }
}
