package io.gpusched.analysis;

import io.gpusched.check.Checks;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * What may move, and how much of it.
 *
 * <pre>{@code
 * MoveLimits limits = MoveLimits.of(20).keeping(held -> held.pod().namespace().equals("kube-system")).wholeGroups();
 * }</pre>
 *
 * @param most how many pods at most, at least 0
 * @param mayMove which pods; a pod whose placement does not tell what it asks never moves
 * @param budgets how many of some pods may be away at one time
 * @param movesWholeGroups whether with one member of a group all of them move, because none can work without the others; if not, some
 *     may, as close to the members that stay as the group's locality says
 */
public record MoveLimits(
        int most, Predicate<Placement> mayMove, List<DisruptionBudget> budgets, boolean movesWholeGroups) {
    /** Every pod may move. */
    public static final MoveLimits NONE = of(Integer.MAX_VALUE);

    /**
     * Copies the list and checks the number.
     *
     * @throws IllegalArgumentException if the number is negative
     */
    public MoveLimits {
        Checks.inRange("move limits", "most", most, 0, Integer.MAX_VALUE);
        Objects.requireNonNull(mayMove, "mayMove");
        budgets = Checks.list("budgets", budgets);
    }

    /** At most so many pods move, any of them. */
    public static MoveLimits of(int most) {
        return new MoveLimits(most, any -> true, List.of(), false);
    }

    /** Returns these limits, with some pods staying where they are. */
    public MoveLimits keeping(Predicate<Placement> stays) {
        Objects.requireNonNull(stays, "stays");
        return new MoveLimits(most, mayMove.and(stays.negate()), budgets, movesWholeGroups);
    }

    /** Returns these limits with more budgets. */
    public MoveLimits within(List<DisruptionBudget> more) {
        List<DisruptionBudget> all = new ArrayList<>(budgets);
        all.addAll(Checks.list("more", more));
        return new MoveLimits(most, mayMove, all, movesWholeGroups);
    }

    /** Returns these limits, with another greatest number of pods; none where it is negative. */
    MoveLimits upTo(int pods) {
        return new MoveLimits(Math.max(0, pods), mayMove, budgets, movesWholeGroups);
    }

    /** Returns these limits, with groups moving as a whole. */
    public MoveLimits wholeGroups() {
        return new MoveLimits(most, mayMove, budgets, true);
    }

    /** Whether a pod may move at all. */
    boolean allows(Placement placement) {
        return mayMove.test(placement)
                && budgets.stream()
                        .noneMatch(
                                budget -> budget.allowed() == 0 && budget.pods().contains(placement.pod()));
    }

    /** Whether the pods of a move may be away at one time. */
    boolean allows(Move move) {
        return budgets.stream()
                .allMatch(budget ->
                        move.pods().stream().filter(budget.pods()::contains).count() <= budget.allowed());
    }
}
