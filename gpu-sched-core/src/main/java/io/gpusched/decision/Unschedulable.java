package io.gpusched.decision;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * No place was found. The diagnosis is computed only when it is asked for; the snapshot cannot change in the meantime.
 *
 * <p>Thread-safe.
 */
public final class Unschedulable implements Decision, GroupDecision {
    private final String subject;
    private final @Nullable Certainty certainty;
    private final Diagnosed diagnosis;

    /** Computes the diagnosis on the first call and keeps it. */
    private static final class Diagnosed {
        private final Supplier<Diagnosis> source;
        private volatile @Nullable Diagnosis known;

        Diagnosed(Supplier<Diagnosis> source) {
            this.source = source;
        }

        Diagnosis get() {
            Diagnosis result = known;
            if (result == null) {
                result = source.get();
                known = result;
            }
            return result;
        }
    }

    /**
     * Creates a refusal.
     *
     * @param subject what was refused, such as {@code pod "trainer-0"}
     * @param certainty whether infeasibility is proven
     * @param diagnosis computes the diagnosis; called at most once by each thread
     */
    public Unschedulable(String subject, Certainty certainty, Supplier<Diagnosis> diagnosis) {
        this.subject = subject;
        this.certainty = Objects.requireNonNull(certainty, "certainty");
        this.diagnosis = new Diagnosed(diagnosis);
    }

    /**
     * Creates a refusal whose diagnosis says how certain it is.
     *
     * @param subject what was refused
     * @param diagnosis computes the diagnosis; called at most once by each thread
     */
    public Unschedulable(String subject, Supplier<Diagnosis> diagnosis) {
        this.subject = subject;
        this.certainty = null;
        this.diagnosis = new Diagnosed(diagnosis);
    }

    /** Returns what was refused, such as {@code pod "trainer-0"}. */
    public String subject() {
        return subject;
    }

    /** Returns whether infeasibility is proven, or the search reached its limit; O(n) on the first call for pods of several
     *  containers. */
    public Certainty certainty() {
        return certainty != null ? certainty : diagnosis().certainty();
    }

    /** Returns the diagnosis, computed on the first call, O(n). */
    public Diagnosis diagnosis() {
        return diagnosis.get();
    }

    /** Returns whether what was asked could fit later, once pods leave; if not, this cluster can never hold it. */
    public boolean couldFitLater() {
        return diagnosis().couldFitLater();
    }

    @Override
    public boolean isPlaced() {
        return false;
    }

    @Override
    public String toString() {
        return "unschedulable: " + subject + " (" + certainty() + ")";
    }
}
