package io.gpusched.schedule;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Reason;
import io.gpusched.model.Cluster;
import java.util.List;

/** Works out why a request has no place. */
final class Diagnoser {
    private Diagnoser() {}

    static Diagnosis diagnose(Cluster cluster, PodDemand demand, String subject, Certainty certainty) {
        Reason reason = new Reason(
                Reason.Code.GPU_LAYOUT,
                cluster.size(),
                "no room for " + demand.pod().id());
        return new Diagnosis(subject, certainty, cluster.size(), List.of(reason), true, "");
    }
}
