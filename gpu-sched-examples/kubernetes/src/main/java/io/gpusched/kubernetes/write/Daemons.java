package io.gpusched.kubernetes.write;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that do not keep the process alive. */
final class Daemons {
    private Daemons() {}

    static ThreadFactory named(String name) {
        AtomicInteger next = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, "gpu-sched-" + name + "-" + next.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Lets what is under way end within some seconds, then interrupts it. */
    static void stop(ExecutorService threads, int seconds) {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(seconds, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
