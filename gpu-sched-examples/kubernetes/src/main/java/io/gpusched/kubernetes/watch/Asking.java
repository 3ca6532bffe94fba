package io.gpusched.kubernetes.watch;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the API server, again and again, for what no watch tells. Thread-safe. */
public final class Asking implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Asking.class);
    private static final Duration PAUSE = Duration.ofSeconds(15);

    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "gpu-sched-ask");
        thread.setDaemon(true);
        return thread;
    });

    /** Asks from now on; a question that fails is asked again. */
    public void add(Runnable question) {
        var unused = executor.scheduleWithFixedDelay(
                () -> ask(question), PAUSE.toMillis(), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void ask(Runnable question) {
        try {
            question.run();
        } catch (RuntimeException e) {
            LOG.atDebug().setCause(e).log("no answer, asking again");
        }
    }

    /** Asks nothing more, and returns once the question that was asked is answered. */
    @Override
    public void close() {
        executor.shutdownNow();
        try {
            boolean ended = executor.awaitTermination(5, TimeUnit.SECONDS);
            LOG.atDebug().addKeyValue("ended", ended).log("stopped");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
