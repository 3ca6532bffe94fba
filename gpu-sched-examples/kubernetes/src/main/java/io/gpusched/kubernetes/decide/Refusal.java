package io.gpusched.kubernetes.decide;

import java.util.function.Supplier;

/**
 * A pod found no place.
 *
 * @param pod the pod
 * @param reason why
 * @param message why in words; may cost O(n) when asked for, on any thread
 */
public record Refusal(PendingPod pod, PendingReason reason, Supplier<String> message) {}
