package io.gpusched.internal.gang;

import org.jspecify.annotations.Nullable;

/**
 * What became of a group.
 *
 * @param fill where its members go; null if it cannot start
 * @param isProven whether it is certain that it cannot
 */
public record GangResult(@Nullable GangFill fill, boolean isProven) {}
