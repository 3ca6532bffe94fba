package io.gpusched.kubernetes.decide;

import io.gpusched.manifests.forecast.Start;
import java.util.List;
import java.util.Optional;

/**
 * When a job that waits is to start.
 *
 * @param job its name
 * @param start when, and which pods it waits for; a bound is a promise
 * @param members its pods that wait
 * @param slips whether it was promised an earlier start, which cannot be kept
 */
public record ToldStart(String job, Start start, List<Member> members, boolean slips) {
    /**
     * A pod that waits.
     *
     * @param pod the pod
     * @param promise the place that was promised to it, as {@code PromiseRecord} writes it
     */
    public record Member(PendingPod pod, Optional<String> promise) {}

    /** Copies the list. */
    public ToldStart {
        members = List.copyOf(members);
    }
}
