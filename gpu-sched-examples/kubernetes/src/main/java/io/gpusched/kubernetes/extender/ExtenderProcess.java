package io.gpusched.kubernetes.extender;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.kubernetes.http.HttpLimits;
import io.gpusched.kubernetes.http.HttpProblem;
import io.gpusched.kubernetes.http.Reply;
import io.gpusched.kubernetes.http.WebServer;
import io.gpusched.kubernetes.view.DialectSet;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.util.function.UnaryOperator;

/**
 * A running extender: it follows the API server, and serves the verbs, {@code /healthz}, {@code /readyz} and
 * {@code /metrics} at one port. Thread-safe.
 */
public final class ExtenderProcess implements AutoCloseable {
    /** Requests of clusters whose nodes are sent as a whole are long: some 10 KB a node. */
    private static final int BODY_BYTES = 64 << 20;

    private final ClusterInformers informers;
    private final WebServer server;

    private ExtenderProcess(ClusterInformers informers, WebServer server) {
        this.informers = informers;
        this.server = server;
    }

    /**
     * Starts an extender; it returns once all nodes and pods have been read.
     *
     * @param client the API server; the caller closes it
     * @param dialects whose resources pods ask for
     * @param host the address to listen at
     * @param port the port, 0 for any
     * @param https sets the certificate, or returns the server as it is for HTTP
     * @throws IOException if it cannot listen there
     */
    public static ExtenderProcess start(
            KubernetesClient client, DialectSet dialects, String host, int port, UnaryOperator<WebServer.Builder> https)
            throws IOException {
        ClusterMirror mirror = new ClusterMirror(dialects, Clock.systemUTC());
        ClusterInformers informers = ClusterInformers.follow(client, mirror);
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        WebServer.Builder server = WebServer.builder("extender")
                .limits(HttpLimits.DEFAULT.withBodyBytes(BODY_BYTES))
                .get("/healthz", request -> healthy(informers))
                .get("/readyz", request -> ready(informers))
                .get("/metrics", request -> Reply.of("text/plain; version=0.0.4; charset=utf-8", meters.scrape()));
        new Extender(mirror, new FabricPodApi(client), meters).serve(server, () -> healthy(informers));
        try {
            return new ExtenderProcess(informers, https.apply(server).start(host, port));
        } catch (IOException e) {
            informers.close();
            throw e;
        }
    }

    /** What it has read is not to be answered from any more; whoever watches over the process starts it again. */
    private static Reply healthy(ClusterInformers informers) {
        if (informers.hasGoneBack()) {
            throw new HttpProblem(
                    503,
                    "the API server has gone back to an earlier version of the cluster; this must be started again");
        }
        return Reply.text("ok");
    }

    private static Reply ready(ClusterInformers informers) {
        if (!informers.isFollowing()) {
            throw new HttpProblem(503, "the API server does not tell what changes");
        }
        return Reply.text("ok");
    }

    /** Returns the server. */
    public WebServer server() {
        return server;
    }

    /** Answers what has arrived, then stops. */
    @Override
    public void close() {
        server.close();
        informers.close();
    }
}
