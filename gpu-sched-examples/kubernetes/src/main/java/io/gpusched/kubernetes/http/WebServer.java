package io.gpusched.kubernetes.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.PlatformHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running HTTP or HTTPS server on Vert.x Web: HTTP/1.1, bodies, connections and times bounded by {@link HttpLimits}.
 *
 * <p>Handlers run on threads of their own, so that a slow one delays no client's bytes; and no client, however slow or greedy,
 * takes more than its bound. Writes no file. Thread-safe.
 */
public final class WebServer implements AutoCloseable {
    private static final int MAX_PORT = 65_535;
    private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);

    private static final Duration START = Duration.ofSeconds(30);

    /** How long requests that have arrived may take once the server is told to stop. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    /** How long a refused client may go on sending: a connection closed while a client writes loses the answer. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private static final int MAX_HEAD_BYTES = 16 << 10;

    private final String name;
    private final Map<String, Map<String, Handler>> routes;
    private final HttpLimits limits;
    private final Optional<String> token;
    private final Set<String> open;
    private final Function<HttpProblem, Reply> problems;
    private final Vertx vertx;
    private final WorkerExecutor workers;
    private final AtomicInteger working = new AtomicInteger();
    private final HttpServer server;
    private volatile boolean stopping;

    private WebServer(Builder builder, HttpServerOptions options) {
        this.name = builder.name;
        this.routes = builder.routes;
        this.limits = builder.limits;
        this.token = builder.token;
        this.open = builder.open;
        this.problems = builder.problems;
        this.vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        this.workers = vertx.createSharedWorkerExecutor(name, limits.threads());
        Connections connections = new Connections(vertx, limits);
        this.server = vertx.createHttpServer(options)
                .connectionHandler(connections::opened)
                .requestHandler(router(new Admission(connections, limits)));
    }

    /**
     * Starts to describe a server without routes.
     *
     * @param name what it is called in thread names and logs
     */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    private static HttpServerOptions options(String host, int port, Builder builder) {
        HttpServerOptions options = new HttpServerOptions()
                .setHost(host)
                .setPort(port)
                .setAcceptBacklog(1_024)
                .setTcpNoDelay(true)
                .setMaxHeaderSize(MAX_HEAD_BYTES)
                .setHttp2ClearTextEnabled(false)
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setIdleTimeout(
                        (int) Math.min(Integer.MAX_VALUE, builder.limits.idle().toMillis()));
        builder.key.ifPresent(key -> options.setSsl(true)
                .setUseAlpn(false)
                .setKeyCertOptions(key.options().getKeyCertOptions()));
        builder.clientAuthority.ifPresent(pem -> options.setClientAuth(ClientAuth.REQUIRED)
                .setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(pem))));
        return options;
    }

    private Router router(Admission admission) {
        Router router = Router.router(vertx);
        BodyHandler bodies = BodyHandler.create(false).setBodyLimit(limits.bodyBytes());
        router.route()
                .handler(admission)
                .handler((PlatformHandler) this::authorize)
                .handler(bodies)
                .handler(Admission::bodyArrived);
        router.route().failureHandler(context -> refuse(context, problem(context)));
        routes.forEach((path, methods) -> methods.forEach((method, handler) ->
                router.route(HttpMethod.valueOf(method), path).handler(context -> work(handler, context))));
        router.errorHandler(404, context -> refuse(context, unknown(context)));
        router.errorHandler(405, context -> refuse(context, unknown(context)));
        return router;
    }

    /** Admits no client without the token, where there is one; nothing is read of the body before. */
    private void authorize(RoutingContext context) {
        String shown = context.request().getHeader("Authorization");
        if (token.isPresent() && !open.contains(context.request().path()) && !isToken(shown)) {
            context.response().putHeader("WWW-Authenticate", "Bearer");
            throw new HttpProblem(401, "send the header Authorization: Bearer and the token of this server");
        }
        context.next();
    }

    /** Takes as long for a token that is nearly right as for any other. */
    private boolean isToken(@Nullable String shown) {
        byte[] expected = ("Bearer " + token.orElse("")).getBytes(StandardCharsets.UTF_8);
        return shown != null && MessageDigest.isEqual(expected, shown.getBytes(StandardCharsets.UTF_8));
    }

    private void work(Handler handler, RoutingContext context) {
        Buffer body = context.body().buffer();
        Map<String, String> headers = new HashMap<>();
        context.request()
                .headers()
                .forEach(header -> headers.putIfAbsent(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
        Request request = new Request(context.request().path(), body == null ? Buffer.buffer() : body, headers);
        working.incrementAndGet();
        workers.executeBlocking(() -> answer(handler, request), false).onComplete(done -> {
            working.decrementAndGet();
            Reply reply =
                    done.succeeded() ? done.result() : problems.apply(new HttpProblem(503, name + " is stopping"));
            send(context, reply, stopping);
        });
    }

    private Reply answer(Handler handler, Request request) {
        try {
            return handler.handle(request);
        } catch (HttpProblem e) {
            return problems.apply(e);
        } catch (RuntimeException | StackOverflowError e) {
            LOG.error("{}: cannot answer {}", name, request.path(), e);
            return problems.apply(new HttpProblem(500, "an error of the server; its log says more"));
        }
    }

    private HttpProblem unknown(RoutingContext context) {
        String path = context.request().path();
        Map<String, Handler> methods = routes.get(path);
        if (methods != null) {
            context.response().putHeader("Allow", String.join(", ", methods.keySet()));
        }
        return methods == null
                ? new HttpProblem(
                        404, "nothing is served at " + path + "; there is " + String.join(", ", routes.keySet()))
                : new HttpProblem(
                        405,
                        path + " takes " + String.join(", ", methods.keySet()) + ", got "
                                + context.request().method());
    }

    private HttpProblem problem(RoutingContext context) {
        if (context.failure() instanceof HttpProblem problem) {
            return problem;
        }
        return switch (context.statusCode()) {
            case 408 ->
                new HttpProblem(
                        408,
                        "the request did not arrive within " + limits.arrival().toMillis() + " ms");
            case 413 -> new HttpProblem(413, "a body may be " + limits.bodyBytes() + " bytes long at most");
            default -> new HttpProblem(Math.max(400, context.statusCode()), "the request cannot be read");
        };
    }

    /** Says what is wrong, and ends the connection. */
    private void refuse(RoutingContext context, HttpProblem problem) {
        send(context, problems.apply(problem), true);
    }

    /** Sends the answer; the connection stays open for the next request unless this was the last. */
    private void send(RoutingContext context, Reply reply, boolean last) {
        HttpServerResponse response = context.response();
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(reply.status()).putHeader("Content-Type", reply.contentType());
        reply.headers().forEach(response::putHeader);
        if (reply.status() == 503) {
            response.putHeader("Retry-After", "1");
        }
        if (last) {
            response.putHeader("Connection", "close");
        }
        response.end(reply.body()).onComplete(sent -> {
            if (last) {
                end(context.request());
            }
        });
    }

    private void end(HttpServerRequest request) {
        if (request.isEnded()) {
            request.connection().close();
        } else {
            request.resume();
            vertx.setTimer(LINGER.toMillis(), over -> request.connection().close());
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

    /** What a server serves, and how. Not thread-safe. */
    public static final class Builder {
        private final String name;
        private final Map<String, Map<String, Handler>> routes = new TreeMap<>();
        private HttpLimits limits = HttpLimits.DEFAULT;
        private Optional<PemKey> key = Optional.empty();
        private Optional<String> clientAuthority = Optional.empty();
        private Optional<String> token = Optional.empty();
        private Set<String> open = Set.of();
        private Function<HttpProblem, Reply> problems = HttpProblem::reply;

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
            routes.computeIfAbsent(path, unknown -> new TreeMap<>()).put(method, handler);
            return this;
        }

        /** Says how problems are answered; in plain text unless it is called. */
        public Builder problems(Function<HttpProblem, Reply> value) {
            problems = value;
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

        /** Serves clients alone whose certificate one of these authorities signed; goes with {@link #https}. */
        public Builder clientAuthority(String certificates) {
            clientAuthority = Optional.of(certificates);
            return this;
        }

        /** Serves clients alone that send this token as {@code Authorization: Bearer}; but these paths to every client. */
        public Builder token(String value, Set<String> openPaths) {
            token = Optional.of(value);
            open = Set.copyOf(openPaths);
            return this;
        }

        /**
         * Starts the server.
         *
         * @param host the address to listen at, such as {@code 127.0.0.1} or {@code 0.0.0.0}
         * @param port the port, 0 for any that is free
         * @throws IOException if it cannot listen there, or the certificate cannot be used
         * @throws IllegalArgumentException if the port is not in 0..65535
         */
        public WebServer start(String host, int port) throws IOException {
            if (port < 0 || port > MAX_PORT) {
                throw new IllegalArgumentException("port must be in 0.." + MAX_PORT + ", got " + port);
            }
            WebServer server = new WebServer(this, options(host, port, this));
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
