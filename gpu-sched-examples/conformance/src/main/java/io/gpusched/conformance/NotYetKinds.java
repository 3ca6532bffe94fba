package io.gpusched.conformance;

import io.gpusched.conformance.kai.KaiPartitionKinds;
import io.gpusched.conformance.kai.KaiStarts;
import java.util.ArrayList;
import java.util.List;

/** Kinds of which some or all cases need what the library does not have yet; these are skipped with what is missing. */
final class NotYetKinds {
    private static final String KAI = "kai";

    private NotYetKinds() {}

    /** Cases of partitions, groups and topology that evict nothing need neither. */
    private static Outcome starts(VectorCase vector, String reason) {
        return KaiPartitionKinds.run(vector).or(() -> KaiStarts.run(vector)).orElseGet(() -> Outcome.skipped(reason));
    }

    static List<VectorKind> all() {
        List<VectorKind> kinds = new ArrayList<>();
        kinds.add(VectorKind.of(
                KAI, "single-pass", vector -> starts(vector, "single-pass needs queues and a scheduling cycle")));
        kinds.add(VectorKind.of(
                KAI, "settle", vector -> starts(vector, "settle needs queues and a scheduling cycle with evictions")));
        kinds.add(VectorKind.skipping(KAI, "fair-share", "fair-share needs queues"));
        return kinds;
    }
}
