package io.gpusched.kubernetes;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what other threads and processes do. */
public final class Await {
    /** No test waits so long for what comes; a machine that is loaded many times over gets there too. */
    private static final long SECONDS = 120;

    private Await() {}

    /**
     * Waits until a condition holds.
     *
     * @param what what is waited for, as a failure says it
     * @throws AssertionError if it does not hold within two minutes
     */
    public static void until(String what, BooleanSupplier condition) {
        until(what, condition, () -> "");
    }

    /** Waits as {@link #until(String, BooleanSupplier)} does; a failure tells more. */
    public static void until(String what, BooleanSupplier condition, Supplier<String> more) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + SECONDS + " s: " + what + "\n" + more.get());
            }
            pause(50);
        }
    }

    public static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
