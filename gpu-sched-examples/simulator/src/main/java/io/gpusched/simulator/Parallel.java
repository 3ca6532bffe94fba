package io.gpusched.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Plays several runs at once. */
public final class Parallel {
    private Parallel() {}

    /**
     * Returns the results of all runs in their order. What a run throws unchecked is thrown here.
     *
     * @param threads how many runs to play at once, at least 1
     */
    public static <T> List<T> all(List<Callable<T>> runs, int threads) {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<T> results = new ArrayList<>(runs.size());
            for (Future<T> result : pool.invokeAll(runs)) {
                results.add(result.get());
            }
            return results;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new IllegalStateException("a run failed: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            pool.shutdownNow();
        }
    }
}
