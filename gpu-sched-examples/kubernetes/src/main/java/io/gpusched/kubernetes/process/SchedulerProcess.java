package io.gpusched.kubernetes.process;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.kubernetes.http.Reply;
import io.gpusched.kubernetes.http.WebServer;
import io.gpusched.kubernetes.write.PendingWords;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler that runs: it leads, alone or as long as it holds a Lease, and places pods while it does. Each time it begins
 * to lead it reads the whole cluster from the API server, which is the only record.
 *
 * <p>With a health port it serves {@code /healthz}, {@code /readyz}, {@code /metrics} and, at {@code /}, a page that shows the
 * cluster. Thread-safe.
 */
public final class SchedulerProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerProcess.class);

    private static final long AGAIN_MILLIS = 2_000;

    private final KubernetesClient client;
    private final SchedulerSettings settings;
    private final SchedulerMetrics metrics = new SchedulerMetrics(this::view, this::isLeading);
    private final ExecutorService executor = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "gpu-sched-lead");
        thread.setDaemon(true);
        return thread;
    });
    private final @Nullable Leadership leadership;
    private final @Nullable WebServer server;
    private @Nullable Session session;
    private volatile boolean closed;
    private volatile @Nullable Session current;

    private SchedulerProcess(KubernetesClient client, SchedulerSettings settings) throws IOException {
        this.client = client;
        this.settings = settings;
        this.leadership = settings.lease()
                .map(lease -> new Leadership(client, lease, executor, this::lead, this::follow))
                .orElse(null);
        this.server = settings.healthPort() < 0
                ? null
                : new LiveView(settings.schedulerName(), this::state, this::view, this::pending)
                        .serve(WebServer.builder("health"))
                        .get("/healthz", request -> isHealthy() ? Reply.text("ok") : Reply.text(503, "failed"))
                        .get("/readyz", request -> isReady() ? Reply.text("ok") : Reply.text(503, "not ready"))
                        .get(
                                "/metrics",
                                request -> Reply.of("text/plain; version=0.0.4; charset=utf-8", metrics.text()))
                        .start(settings.healthHost(), settings.healthPort());
    }

    /**
     * Starts a scheduler; the caller closes the client after it.
     *
     * @throws IOException if the health port is not free
     */
    public static SchedulerProcess start(KubernetesClient client, SchedulerSettings settings) throws IOException {
        SchedulerProcess process = new SchedulerProcess(client, settings);
        if (process.leadership == null) {
            process.lead();
        } else {
            process.leadership.start();
        }
        return process;
    }

    private synchronized void lead() {
        if (closed) {
            return;
        }
        follow();
        LOG.atInfo().addKeyValue("scheduler", settings.schedulerName()).log("leading");
        BooleanSupplier isLeading = leadership == null ? () -> true : leadership::isHeld;
        session = Session.start(client, settings, isLeading, metrics, this::outdated);
        current = session;
    }

    private void outdated(Session one) {
        CompletableFuture.delayedExecutor(AGAIN_MILLIS, TimeUnit.MILLISECONDS, executor)
                .execute(() -> again(one));
    }

    /** Reads the whole cluster again in place of a session; tries again if that fails. */
    private synchronized void again(Session one) {
        if (session != one) {
            return;
        }
        try {
            lead();
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("cannot read the cluster again, retrying");
            session = one;
            outdated(one);
        }
    }

    private synchronized void follow() {
        if (session != null) {
            LOG.info("not leading any more");
            current = null;
            session.close();
            session = null;
        }
    }

    /** Returns whether this process places pods. */
    public boolean isLeading() {
        return current != null;
    }

    /** Returns whether it has read the cluster, or waits for its turn to lead. */
    public boolean isReady() {
        Session leading = current;
        return leading == null ? leadership != null : leading.view().isListed();
    }

    /** Returns whether it works; if not, it will not recover by itself. */
    public boolean isHealthy() {
        Session leading = current;
        return leading == null || !leading.hasFailed();
    }

    private String state() {
        if (!isHealthy()) {
            return "failed";
        }
        return !isLeading() ? "waiting" : isReady() ? "leading" : "reading";
    }

    private List<PendingWords> pending() {
        Session leading = current;
        return leading == null ? List.of() : leading.pending();
    }

    /** Returns what it saw last; nothing while it does not lead. */
    public View view() {
        Session leading = current;
        return leading == null ? View.NOTHING : leading.view();
    }

    /**
     * Returns the port of health and metrics.
     *
     * @throws IllegalStateException if there is none
     */
    public int healthPort() {
        if (server == null) {
            throw new IllegalStateException("no health port is served");
        }
        return server.port();
    }

    /** Decides nothing more, lets writes end, and gives the Lease back. Takes up to 30 s where the API server is slow. */
    @Override
    public void close() {
        closed = true;
        follow();
        if (leadership != null) {
            leadership.close();
        }
        executor.shutdown();
        if (server != null) {
            server.close();
        }
    }
}
