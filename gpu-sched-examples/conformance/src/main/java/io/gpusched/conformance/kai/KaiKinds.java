package io.gpusched.conformance.kai;

import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.VectorKind;
import java.util.List;

/** The kinds of KAI-Scheduler's cases. */
public final class KaiKinds {
    private static final String KAI = "kai";

    private KaiKinds() {}

    /** Returns the kinds. */
    public static List<VectorKind> all() {
        return List.of(
                VectorKind.of(KAI, "single-pass", KaiKinds::rounds),
                VectorKind.of(KAI, "settle", KaiKinds::rounds),
                VectorKind.of(KAI, "fair-share", KaiFairShare::run));
    }

    private static Outcome rounds(VectorCase vector) {
        return vector.field("dra").isPresent() ? Outcome.skipped("needs DRA claims") : KaiRounds.run(vector);
    }
}
