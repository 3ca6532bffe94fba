package io.gpusched.decision;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * No place was found. Why not is worked out only when asked for; the snapshot cannot change meanwhile.
 *
 * <p>Thread-safe.
 */
public final class Unschedulable implements Decision, GroupDecision {
    private final String subject;
    private final @Nullable Certainty certainty;
    private final Diagnosed diagnosis;

    /** Remembers what was worked out once. */
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
     * @param certainty whether the no is proven
     * @param diagnosis works out why; called once at most per thread
     */
    public Unschedulable(String subject, Certainty certainty, Supplier<Diagnosis> diagnosis) {
        this.subject = subject;
        this.certainty = Objects.requireNonNull(certainty, "certainty");
        this.diagnosis = new Diagnosed(diagnosis);
    }

    /**
     * Creates a refusal of which the diagnosis says how sure it is.
     *
     * @param subject what was refused
     * @param diagnosis works out why; called once at most per thread
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

    /** Returns whether the no is proven, or the search reached its limit; for pods of several containers O(n) at first. */
    public Certainty certainty() {
        return certainty != null ? certainty : diagnosis().certainty();
    }

    /** Returns why there is no place, worked out on the first call, O(n). */
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
