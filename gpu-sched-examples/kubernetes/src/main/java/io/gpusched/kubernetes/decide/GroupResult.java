package io.gpusched.kubernetes.decide;

import io.gpusched.manifests.group.GroupKey;
import java.util.function.Supplier;

/**
 * Why a group, or what is left of it, was not placed.
 *
 * @param key which group
 * @param message why; computed when asked for, which any thread may do
 */
public record GroupResult(GroupKey key, Supplier<String> message) {}
