package io.gpusched.kubernetes.http;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits until the process is told to stop, and lets it stop in order. */
public final class Shutdown {
    private static final long GRACE_SECONDS = 25;

    private Shutdown() {}

    /**
     * Returns when the process is told to stop (SIGTERM, SIGINT) or this thread is interrupted. The process then ends when this
     * thread does, but after 25 s at most.
     */
    public static void await() {
        CountDownLatch told = new CountDownLatch(1);
        Thread waiting = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(told, waiting), "shutdown"));
        try {
            told.await();
        } catch (InterruptedException e) {
            waiting.interrupt();
        }
    }

    private static void stop(CountDownLatch told, Thread waiting) {
        told.countDown();
        try {
            waiting.join(TimeUnit.SECONDS.toMillis(GRACE_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
