package io.gpusched.internal.rank;

import io.gpusched.model.NodeState;
import org.jspecify.annotations.Nullable;

/**
 * What going down a ranking found.
 *
 * @param node the best node that passes a test, null if there is none or if that is not sure
 * @param isSure whether there is none better
 */
public record RankedNode(@Nullable NodeState node, boolean isSure) {}
