package io.gpusched.kubernetes.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running HTTP or HTTPS server on Vert.x: HTTP/1.1, bodies, connections and times bounded by {@link HttpLimits}.
 *
 * <p>Handlers run on threads of their own, so that a slow one delays nobody's bytes; and no client, however slow or greedy,
 * takes more than its bound. Writes no file. Thread-safe.
 */
public final class WebServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);

    private static final Duration START = Duration.ofSeconds(30);

    /** How long requests that have arrived may take once the server is told to stop. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private static final int MAX_HEAD_BYTES = 16 << 10;

    private final String name;
    private final Routes routes;
    private final HttpLimits limits;
    private final Vertx vertx;
    private final WorkerExecutor workers;
    private final Clients clients;
    private final AtomicLong heldTogether = new AtomicLong();
    private final AtomicInteger working = new AtomicInteger();
    private final HttpServer server;
    private volatile boolean stopping;

    private WebServer(Builder builder, HttpServerOptions options) {
        this.name = builder.name;
        this.routes = Routes.of(builder.routes);
        this.limits = builder.limits;
        this.vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        this.workers = vertx.createSharedWorkerExecutor(name, limits.threads());
        this.clients = new Clients(vertx, limits);
        this.server = vertx.createHttpServer(options)
                .connectionHandler(clients::opened)
                .requestHandler(this::serve);
    }

    /**
     * Starts to describe a server without routes.
     *
     * @param name what it is called in thread names and logs
     */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    private static HttpServerOptions options(String host, int port, @Nullable PemKey key) {
        HttpServerOptions options = new HttpServerOptions()
                .setHost(host)
                .setPort(port)
                .setAcceptBacklog(1_024)
                .setTcpNoDelay(true)
                .setMaxHeaderSize(MAX_HEAD_BYTES)
                .setHttp2ClearTextEnabled(false)
                .setHandle100ContinueAutomatically(false);
        if (key != null) {
            options.setSsl(true)
                    .setUseAlpn(false)
                    .setKeyCertOptions(key.options().getKeyCertOptions());
        }
        return options;
    }

    private void serve(HttpServerRequest request) {
        Client client = clients.of(request.connection());
        Exchange exchange = new Exchange(request, client, limits, heldTogether);
        if (client.isExcess()) {
            exchange.refuse(new HttpProblem(503, "more than " + limits.connections() + " connections; try again"));
            return;
        }
        try {
            Handler handler = routes.find(request.method().name(), request.path());
            exchange.receive(complete -> work(handler, complete, exchange));
        } catch (HttpProblem e) {
            exchange.receive(complete -> exchange.reply(e.reply(), stopping));
        }
    }

    private void work(Handler handler, Request request, Exchange exchange) {
        working.incrementAndGet();
        workers.executeBlocking(() -> answer(handler, request), false).onComplete(done -> {
            working.decrementAndGet();
            Reply reply = done.succeeded() ? done.result() : Reply.text(503, name + " is stopping\n");
            exchange.reply(reply, stopping);
        });
    }

    private Reply answer(Handler handler, Request request) {
        try {
            return handler.handle(request);
        } catch (HttpProblem e) {
            return e.reply();
        } catch (RuntimeException | StackOverflowError e) {
            LOG.error("{}: cannot answer {}", name, request.path(), e);
            return Reply.text(500, "an error of the server; its log says more\n");
        }
    }

    /** Returns the port, which the system chose where 0 was asked for. */
    public int port() {
        return server.actualPort();
    }

    /**
     * Serves another certificate from now on; connections that are open keep theirs.
     *
     * @throws IOException if it cannot be used; the old one stays
     */
    public void renew(PemKey key) throws IOException {
        await("renew the certificate", server.updateSSLOptions(key.options()));
    }

    private void await(String what, Future<?> future) throws IOException {
        try {
            future.toCompletionStage().toCompletableFuture().get(START.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(name + ": cannot " + what + ": " + cause.getMessage(), cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(name + ": interrupted, cannot " + what, e);
        }
    }

    /** Answers what has arrived, for 10 s at most, then closes every connection. */
    @Override
    public void close() {
        stopping = true;
        long end = System.nanoTime() + GRACE.toNanos();
        while (working.get() > 0
                && System.nanoTime() < end
                && !Thread.currentThread().isInterrupted()) {
            pause();
        }
        try {
            await("stop", server.close());
            workers.close();
            await("stop", vertx.close());
        } catch (IOException e) {
            LOG.warn("{}", e.getMessage());
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return name + " at port " + port();
    }

    /** What a server serves, and how. Not thread-safe; may start several servers. */
    public static final class Builder {
        private final String name;
        private final Map<String, Map<String, Handler>> routes = new LinkedHashMap<>();
        private HttpLimits limits = HttpLimits.DEFAULT;
        private Optional<PemKey> key = Optional.empty();

        private Builder(String name) {
            this.name = name;
        }

        /** Serves GET at a path; a second handler for it takes the place of the first. */
        public Builder get(String path, Handler handler) {
            return route("GET", path, handler);
        }

        /** Serves POST at a path; a second handler for it takes the place of the first. */
        public Builder post(String path, Handler handler) {
            return route("POST", path, handler);
        }

        private Builder route(String method, String path, Handler handler) {
            routes.computeIfAbsent(path, unknown -> new LinkedHashMap<>()).put(method, handler);
            return this;
        }

        /** Sets what clients may cost; {@link HttpLimits#DEFAULT} unless it is called. */
        public Builder limits(HttpLimits value) {
            limits = value;
            return this;
        }

        /** Serves HTTPS with this certificate; HTTP unless it is called. */
        public Builder https(PemKey value) {
            key = Optional.of(value);
            return this;
        }

        /**
         * Starts the server.
         *
         * @param host the address to listen at, such as {@code 127.0.0.1} or {@code 0.0.0.0}
         * @param port the port, 0 for any that is free
         * @throws IOException if it cannot listen there, or the certificate cannot be used
         */
        public WebServer start(String host, int port) throws IOException {
            WebServer server = new WebServer(this, options(host, port, key.orElse(null)));
            try {
                server.await("listen at " + host + ":" + port, server.server.listen());
                return server;
            } catch (IOException e) {
                server.close();
                throw e;
            }
        }
    }
}
