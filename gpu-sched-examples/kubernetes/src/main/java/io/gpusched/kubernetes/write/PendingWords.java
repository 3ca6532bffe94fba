package io.gpusched.kubernetes.write;

import io.gpusched.kubernetes.decide.PendingPod;
import io.gpusched.kubernetes.decide.PendingReason;

/**
 * What was said last of a pod that waits.
 *
 * @param pod the pod as it was decided on
 * @param reason why it waits
 * @param message the same in words
 */
public record PendingWords(PendingPod pod, PendingReason reason, String message) {}
