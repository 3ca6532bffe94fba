package io.gpusched.decision;

import io.gpusched.model.Placement;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * No place was found. The diagnosis is computed only when it is asked for; the snapshot cannot change in the meantime.
 *
 * <p>Thread-safe if the source of the diagnosis is.
 *
 * <pre>{@code
 * Unschedulable refusal = Unschedulable.of("pod \"p\"", Certainty.PROVEN, () -> explain(cluster, pod));
 * }</pre>
 */
public final class Unschedulable implements Decision, GroupDecision {
    private final String subject;
    private final Certainty certainty;
    private final Supplier<Diagnosis> source;
    private volatile @Nullable Diagnosis known;

    private Unschedulable(String subject, Certainty certainty, Supplier<Diagnosis> source) {
        this.subject = subject;
        this.certainty = certainty;
        this.source = source;
    }

    /**
     * Returns a refusal.
     *
     * @param subject what is refused, such as {@code pod "trainer-0"}
     * @param certainty {@link Certainty#PROVEN} or {@link Certainty#LIMIT}
     * @param diagnosis works out why; called when the diagnosis is first asked for, on the thread that asks, and again only if
     *     several threads ask at once. It must give equal diagnoses each time
     * @throws IllegalArgumentException if the certainty is {@link Certainty#FOUND}, which only a placement can have
     */
    public static Unschedulable of(String subject, Certainty certainty, Supplier<Diagnosis> diagnosis) {
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(certainty, "certainty");
        Objects.requireNonNull(diagnosis, "diagnosis");
        if (certainty == Certainty.FOUND) {
            throw new IllegalArgumentException(
                    "refusal of " + subject + ": certainty must be PROVEN or LIMIT, got FOUND");
        }
        return new Unschedulable(subject, certainty, diagnosis);
    }

    /** Returns what was refused, such as {@code pod "trainer-0"}. */
    public String subject() {
        return subject;
    }

    /** Returns whether infeasibility is {@link Certainty#PROVEN}, or the search reached its {@link Certainty#LIMIT}. */
    @Override
    public Certainty certainty() {
        return certainty;
    }

    /**
     * Returns the diagnosis, computed on the first call. O(n) for a pod. For a group its remedy is played through on
     * snapshots: about a second at 10,000 nodes. On any thread, also while the scheduler decides on.
     */
    public Diagnosis diagnosis() {
        Diagnosis result = known;
        if (result == null) {
            result = source.get();
            known = result;
        }
        return result;
    }

    /**
     * Returns whether the request could fit later by any alternative, once pods leave; if not, this cluster can never hold it. Computes the
     * diagnosis if that has not been done.
     */
    public boolean couldFitLater() {
        Diagnosis first = diagnosis();
        return first.couldFitLater() || first.otherwise().stream().anyMatch(Diagnosis::couldFitLater);
    }

    @Override
    public boolean isPlaced() {
        return false;
    }

    /** Returns nothing. */
    @Override
    public Optional<Placement> toPlacement() {
        return Optional.empty();
    }

    /** Two refusals are equal if their diagnoses are, which are computed if subject and certainty are equal. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof Unschedulable refusal
                        && subject.equals(refusal.subject)
                        && certainty == refusal.certainty
                        && diagnosis().equals(refusal.diagnosis());
    }

    @Override
    public int hashCode() {
        return Objects.hash(subject, certainty);
    }

    @Override
    public String toString() {
        return "unschedulable: " + subject + " (" + certainty + ")";
    }
}
