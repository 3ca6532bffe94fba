package io.gpusched.json;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Unschedulable;

/** A refusal as it is written, its diagnosis worked out. */
record RefusalForm(String subject, Certainty certainty, Diagnosis diagnosis) {
    static RefusalForm of(Unschedulable refusal) {
        return new RefusalForm(refusal.subject(), refusal.certainty(), refusal.diagnosis());
    }

    Unschedulable refusal() {
        return Unschedulable.of(subject, certainty, () -> diagnosis);
    }
}
