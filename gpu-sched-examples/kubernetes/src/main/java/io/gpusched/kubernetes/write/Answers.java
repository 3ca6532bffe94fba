package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Set;

/** What an answer of the API server means for a write. */
public final class Answers {
    private static final Set<Integer> PASSING = Set.of(408, 429, 500, 502, 503, 504);

    private Answers() {}

    /** Returns whether the same write may succeed later. Where there was no answer at all, a client names no status, or one below 1. */
    public static boolean isPassing(KubernetesClientException e) {
        return e.getCode() <= 0 || PASSING.contains(e.getCode());
    }
}
