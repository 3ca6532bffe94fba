package io.gpusched.examples.kubernetes.decide;

import io.gpusched.examples.kubernetes.group.GroupKey;
import java.util.function.Supplier;

/**
 * What was decided about a group.
 *
 * @param key the group
 * @param isScheduled whether its minimum is placed
 * @param message why not, in words; may cost O(n) when asked for, on any thread
 */
public record GroupResult(GroupKey key, boolean isScheduled, Supplier<String> message) {}
