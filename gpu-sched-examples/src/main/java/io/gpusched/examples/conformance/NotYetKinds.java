package io.gpusched.examples.conformance;

import java.util.ArrayList;
import java.util.List;

/** Kinds that need what the library does not have yet; their cases are skipped with what is missing. */
final class NotYetKinds {
    private static final String KAI = "kai";

    private NotYetKinds() {}

    static List<VectorKind> all() {
        List<VectorKind> kinds = new ArrayList<>();
        kinds.add(VectorKind.skipping(KAI, "single-pass", "single-pass needs queues and a scheduling cycle"));
        kinds.add(VectorKind.skipping(KAI, "settle", "settle needs queues and a scheduling cycle with evictions"));
        kinds.add(VectorKind.skipping(KAI, "fair-share", "fair-share needs queues"));
        return kinds;
    }
}
