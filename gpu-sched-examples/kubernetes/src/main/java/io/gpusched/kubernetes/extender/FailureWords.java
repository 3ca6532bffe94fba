package io.gpusched.kubernetes.extender;

import io.gpusched.decision.Amount;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Reason;
import java.util.stream.Collectors;

/** Why a node does not take a pod: in kube-scheduler's own words where it has some, else in the library's. */
final class FailureWords {
    private FailureWords() {}

    static String of(Diagnosis diagnosis) {
        return diagnosis.reasons().stream().map(FailureWords::of).collect(Collectors.joining("; "));
    }

    private static String of(Reason reason) {
        return switch (reason.code()) {
            case POD_LIMIT -> "Too many pods";
            case CPU -> "Insufficient cpu";
            case MEMORY -> "Insufficient memory";
            case RESOURCE ->
                reason.amounts().stream()
                        .map(Amount::name)
                        .map(name -> "Insufficient " + name)
                        .collect(Collectors.joining(", "));
            default -> reason.detail();
        };
    }
}
