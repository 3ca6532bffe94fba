package io.gpusched.internal.tree;

import org.jspecify.annotations.Nullable;

/** Every leaf counts 1 and is in no bucket. */
record CountingFormat<T>() implements SummaryFormat<T> {
    @Override
    public long digest(T leaf) {
        return 1;
    }

    @Override
    public long entry(long digest) {
        return 0;
    }

    @Override
    public long count(long digest) {
        return digest;
    }

    @Override
    public long buckets(long digest) {
        return 0;
    }

    @Override
    public long @Nullable [] moreBuckets(T leaf) {
        return null;
    }
}
