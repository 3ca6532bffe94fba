package io.gpusched.examples.conformance;

import io.gpusched.examples.conformance.kai.KaiPartitionKinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Kinds that need what the library does not have yet; their cases are skipped with what is missing. */
final class NotYetKinds {
    private static final String KAI = "kai";
    private static final String EXTENDER = "kubernetes-scheduler-extender";

    private NotYetKinds() {}

    static List<VectorKind> all() {
        List<VectorKind> kinds = new ArrayList<>();
        kinds.addAll(KaiPartitionKinds.all(Map.of(
                "single-pass", "single-pass needs queues and a scheduling cycle",
                "settle", "settle needs queues and a scheduling cycle with evictions")));
        kinds.add(VectorKind.skipping(KAI, "fair-share", "fair-share needs queues"));
        for (String kind : List.of(
                "wire-format",
                "extender-interest",
                "extender-chain",
                "extender-filter",
                "extender-preempt",
                "score-scale")) {
            kinds.add(VectorKind.skipping(EXTENDER, kind, kind + " needs the Kubernetes scheduler extender"));
        }
        return kinds;
    }
}
