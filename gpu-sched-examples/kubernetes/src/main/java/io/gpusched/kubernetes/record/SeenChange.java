package io.gpusched.kubernetes.record;

import io.gpusched.kubernetes.decide.Change;

/**
 * A change and when it happened.
 *
 * @param time in milliseconds since 1970
 * @param change what is otherwise
 */
record SeenChange(long time, Change change) {}
