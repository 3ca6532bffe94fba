package io.gpusched.claim;

import io.gpusched.internal.fit.SearchSteps;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Why not all of some things can be had: a smallest set of them that conflict, and what is in their way.
 *
 * <p>Things are left out one after the other as long as the rest conflicts; then all smaller sets are tried, fewest first. What
 * is in the way is found by asking once more without it.
 *
 * @param <T> requests of claims, or pods of a gang
 */
final class ConflictSearch<T> {
    /** What is asked of some of the things. */
    interface Question<T> {
        /** Returns whether some of them can be had together; false also if the limit of steps was reached. */
        boolean isFeasible(ClaimProblem problem, List<T> some, SearchSteps steps);

        /** Returns whether two of them ask for the same by the same rules, so that sets with either are alike. */
        boolean isLike(T one, T other);

        /** Returns whether a claim, by its number, is about one of them. */
        boolean concerns(int claim, List<T> some);

        /** Returns what is in the way as plainly as that no other cause need be looked for. */
        List<ClaimObstacle> obvious(List<T> some);
    }

    /** A set of things that conflict. */
    record Core<T>(List<T> members, boolean isSmallest, List<ClaimObstacle> obstacles) {}

    private final ClaimProblem problem;
    private final Question<T> question;
    private final SearchSteps steps;

    ConflictSearch(ClaimProblem problem, Question<T> question, SearchSteps steps) {
        this.problem = problem;
        this.question = question;
        this.steps = steps;
    }

    Core<T> find(List<T> all) {
        List<T> core = new ArrayList<>(all);
        if (!conflict(all)) {
            return new Core<>(List.of(), false, List.of());
        }
        for (int i = core.size() - 1; i >= 0; i--) {
            List<T> rest = new ArrayList<>(core);
            rest.remove(i);
            if (conflict(rest)) {
                core = rest;
            }
        }
        boolean smallest = !steps.isReached();
        for (int size = 1; size < core.size() && smallest; size++) {
            List<T> found = firstOf(all, 0, size, new ArrayList<>());
            smallest = !steps.isReached();
            if (found != null && smallest) {
                core = found;
            }
        }
        return new Core<>(core, smallest, obstacles(core));
    }

    private @Nullable List<T> firstOf(List<T> all, int from, int size, List<T> chosen) {
        if (steps.isReached()) {
            return null;
        }
        if (chosen.size() == size) {
            return conflict(chosen) ? List.copyOf(chosen) : null;
        }
        for (int i = from; i <= all.size() - (size - chosen.size()); i++) {
            if (i > from && question.isLike(all.get(i - 1), all.get(i))) {
                continue;
            }
            chosen.add(all.get(i));
            List<T> found = firstOf(all, i + 1, size, chosen);
            chosen.remove(chosen.size() - 1);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private boolean conflict(List<T> some) {
        return !question.isFeasible(problem, some, steps) && !steps.isReached();
    }

    private boolean isFeasible(ClaimProblem without, List<T> core) {
        return question.isFeasible(without, core, steps);
    }

    private List<ClaimObstacle> obstacles(List<T> core) {
        List<ClaimObstacle> found = new ArrayList<>(question.obvious(core));
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

    private void counters(List<T> core, List<ClaimObstacle> found) {
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

    private void capacities(List<T> core, List<ClaimObstacle> found) {
        Set<String> names = new TreeSet<>();
        problem.units().all.forEach(unit -> unit.capacities.forEach(one -> names.add(one.full())));
        for (String name : names) {
            if (isFeasible(problem.withSlices(SliceEdits.withAmpleCapacity(problem.slices(), name)), core)) {
                found.add(new ClaimObstacle.Capacity(name));
            }
        }
    }

    private void taints(List<T> core, List<ClaimObstacle> found) {
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

    private void constraints(List<T> core, List<ClaimObstacle> found) {
        for (int c = 0; c < problem.claims().size(); c++) {
            Claim claim = problem.claims().get(c);
            for (int i = 0;
                    question.concerns(c, core) && i < claim.constraints().size();
                    i++) {
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
