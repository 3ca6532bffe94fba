package io.gpusched.internal.access;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Unschedulable;
import java.lang.invoke.MethodHandles;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The way of the machinery to make refusals, which {@code decision} hands in when its class is loaded. */
public abstract class DecisionAccess {
    private static volatile @Nullable DecisionAccess instance;

    /** Hands in the implementation. */
    public static void set(DecisionAccess access) {
        instance = access;
    }

    /** Returns the implementation. */
    public static DecisionAccess instance() {
        DecisionAccess access = instance;
        if (access == null) {
            access = loaded();
        }
        return access;
    }

    private static DecisionAccess loaded() {
        try {
            MethodHandles.lookup().ensureInitialized(Unschedulable.class);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("refusals cannot be made", e);
        }
        DecisionAccess access = instance;
        if (access == null) {
            throw new IllegalStateException("refusals cannot be made: nothing was handed in");
        }
        return access;
    }

    /**
     * Makes a refusal.
     *
     * @param subject what was refused, such as {@code pod "trainer-0"}
     * @param certainty whether infeasibility is proven
     * @param diagnosis works out why; called once at most per thread
     */
    public abstract Unschedulable unschedulable(String subject, Certainty certainty, Supplier<Diagnosis> diagnosis);
}
