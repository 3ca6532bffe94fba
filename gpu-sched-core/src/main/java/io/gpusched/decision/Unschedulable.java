package io.gpusched.decision;

import io.gpusched.internal.access.DecisionAccess;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * No place was found. The diagnosis is computed only when it is asked for; the snapshot cannot change in the meantime.
 *
 * <p>Schedulers make these. Thread-safe.
 */
public final class Unschedulable implements Decision, GroupDecision {
    static {
        DecisionAccess.set(new DecisionAccess() {
            @Override
            public Unschedulable unschedulable(String subject, Certainty certainty, Supplier<Diagnosis> diagnosis) {
                return new Unschedulable(subject, certainty, diagnosis);
            }
        });
    }

    private final String subject;
    private final Certainty certainty;
    private final Supplier<Diagnosis> source;
    private volatile @Nullable Diagnosis known;

    private Unschedulable(String subject, Certainty certainty, Supplier<Diagnosis> source) {
        this.subject = Objects.requireNonNull(subject, "subject");
        this.certainty = Objects.requireNonNull(certainty, "certainty");
        this.source = Objects.requireNonNull(source, "source");
    }

    /** Returns what was refused, such as {@code pod "trainer-0"}. */
    public String subject() {
        return subject;
    }

    /** Returns whether infeasibility is {@link Certainty#PROVEN}, or the search reached its {@link Certainty#LIMIT}. */
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
     * Returns whether the request could fit later in any shape, once pods leave; if not, this cluster can never hold it. Computes the
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

    @Override
    public String toString() {
        return "unschedulable: " + subject + " (" + certainty + ")";
    }
}
