package io.gpusched.examples.kubernetes.write;

import io.gpusched.examples.kubernetes.decide.PendingPod;
import io.gpusched.examples.kubernetes.decide.PendingReason;

/**
 * What was said last of a pod that waits.
 *
 * @param pod the pod as it was decided on
 * @param reason why it waits
 * @param message the same in words
 */
public record PendingWords(PendingPod pod, PendingReason reason, String message) {}
