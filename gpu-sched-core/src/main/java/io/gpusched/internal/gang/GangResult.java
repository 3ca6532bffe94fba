package io.gpusched.internal.gang;

import org.jspecify.annotations.Nullable;

/**
 * What became of a group.
 *
 * @param fill where its members go; null if it cannot start
 * @param isProven of a placement whether each member stands where the policy ranks it best beside those before it; of a refusal
 *     whether it is certain
 */
public record GangResult(@Nullable GangFill fill, boolean isProven) {}
