package io.gpusched.kubernetes.extender;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.kubernetes.command.ListenAddress;
import io.gpusched.kubernetes.http.HttpLimits;
import io.gpusched.kubernetes.http.HttpProblem;
import io.gpusched.kubernetes.http.Reply;
import io.gpusched.kubernetes.http.WebServer;
import io.gpusched.kubernetes.write.ApiWriter;
import io.gpusched.kubernetes.write.EventSubject;
import io.gpusched.kubernetes.write.EventWriter;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.manifests.view.Trouble;
import io.micrometer.core.instrument.Counter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A running extender: it follows the API server, and serves the verbs, {@code /healthz}, {@code /readyz} and
 * {@code /metrics}; the last three at a port of their own too. Thread-safe.
 */
public final class ExtenderProcess implements AutoCloseable {
    /** Requests of clusters whose nodes are sent as a whole are long: some 10 KB a node. */
    private static final int BODY_BYTES = 64 << 20;

    private final ClusterInformers informers;
    private final ApiWriter writer;
    private final List<WebServer> servers;

    private ExtenderProcess(ClusterInformers informers, ApiWriter writer, List<WebServer> servers) {
        this.informers = informers;
        this.writer = writer;
        this.servers = servers;
    }

    /**
     * Starts an extender; it returns once all nodes and pods have been read.
     *
     * @param client the API server; the caller closes it
     * @param dialects whose resources pods ask for
     * @param schedulerName the {@code spec.schedulerName} of the pods that it binds
     * @param address where the verbs are served
     * @param probes where health and metrics are served as well; nothing for nowhere else
     * @param https sets the certificate, or returns the server as it is for HTTP
     * @throws IOException if it cannot listen there
     */
    public static ExtenderProcess start(
            KubernetesClient client,
            DialectSet dialects,
            String schedulerName,
            ListenAddress address,
            Optional<ListenAddress> probes,
            UnaryOperator<WebServer.Builder> https)
            throws IOException {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ApiWriter writer = new ApiWriter(client, 1, () -> true);
        EventWriter events = new EventWriter(writer, schedulerName, schedulerName + "-extender");
        ClusterMirror mirror =
                new ClusterMirror(dialects, Clock.systemUTC(), trouble -> report(trouble, meters, events));
        ClusterInformers informers = ClusterInformers.follow(client, mirror);
        WebServer.Builder server = health(WebServer.builder("extender"), informers, meters)
                .limits(HttpLimits.DEFAULT.withBodyBytes(BODY_BYTES));
        new Extender(mirror, new FabricPodApi(client), schedulerName, meters).serve(server, () -> healthy(informers));
        List<WebServer> servers = new ArrayList<>();
        try {
            servers.add(https.apply(server).start(address.host(), address.port()));
            if (probes.isPresent()) {
                servers.add(health(WebServer.builder("probes"), informers, meters)
                        .start(probes.get().host(), probes.get().port()));
            }
            return new ExtenderProcess(informers, writer, servers);
        } catch (IOException e) {
            servers.forEach(WebServer::close);
            informers.close();
            writer.close();
            throw e;
        }
    }

    private static WebServer.Builder health(
            WebServer.Builder server, ClusterInformers informers, PrometheusMeterRegistry meters) {
        return server.get("/healthz", request -> healthy(informers))
                .get("/readyz", request -> ready(informers))
                .get("/metrics", request -> Reply.of("text/plain; version=0.0.4; charset=utf-8", meters.scrape()));
    }

    private static void report(Trouble trouble, PrometheusMeterRegistry meters, EventWriter events) {
        Counter.builder("gpusched.troubles")
                .tag("reason", trouble.reason())
                .description("Objects that cannot be taken as they are.")
                .register(meters)
                .increment();
        events.write(
                new EventSubject("v1", trouble.kind(), trouble.namespace(), trouble.name(), trouble.uid()),
                "Warning",
                trouble.reason(),
                trouble.message());
    }

    /** What it has read is not to be answered from any more; its supervisor starts it again. */
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

    /** Returns the server of the verbs. */
    public WebServer server() {
        return servers.get(0);
    }

    /**
     * Returns the port where health and metrics are served as well.
     *
     * @throws IllegalStateException if there is none
     */
    public int healthPort() {
        if (servers.size() == 1) {
            throw new IllegalStateException("no health port is served");
        }
        return servers.get(1).port();
    }

    /** Answers what has arrived, then stops. */
    @Override
    public void close() {
        servers.forEach(WebServer::close);
        informers.close();
        writer.close();
    }
}
