package io.gpusched.queue;

import org.jspecify.annotations.Nullable;

/** One law of plans. All of them together are the {@link Gate}. */
@FunctionalInterface
interface Law {
    /** Returns why a statement breaks the law; null if it does not. */
    @Nullable
    PendingReason broken(Session before, Statement statement);
}
