package io.gpusched.kubernetes.webhook;

import io.gpusched.kubernetes.http.HttpLimits;
import io.gpusched.kubernetes.http.Reply;
import io.gpusched.kubernetes.http.WebServer;
import io.gpusched.manifests.grant.GrantGuard;
import io.gpusched.manifests.view.DialectSet;
import java.io.IOException;
import java.util.function.UnaryOperator;

/** A running webhook: it serves {@value #PATH}, {@code /healthz} and {@code /readyz} over HTTPS. Thread-safe. */
public final class WebhookProcess implements AutoCloseable {
    /** Where reviews are sent to. */
    public static final String PATH = "/mutate";

    /** A pod is at most 1.5 MiB long, and a review may hold it twice. */
    private static final int BODY_BYTES = 8 << 20;

    private final WebServer server;

    private WebhookProcess(WebServer server) {
        this.server = server;
    }

    /**
     * Starts a webhook.
     *
     * @param dialects whose pods it changes
     * @param schedulerName the scheduler of pods that name none
     * @param guard which accounts may write grants
     * @param host the address to listen at
     * @param port the port, 0 for any
     * @param https sets the certificate
     * @throws IOException if it cannot listen there
     */
    public static WebhookProcess start(
            DialectSet dialects,
            String schedulerName,
            GrantGuard guard,
            String host,
            int port,
            UnaryOperator<WebServer.Builder> https)
            throws IOException {
        Admission admission = new Admission(dialects, schedulerName, guard);
        WebServer.Builder server = WebServer.builder("webhook")
                .limits(HttpLimits.DEFAULT.withBodyBytes(BODY_BYTES))
                .get("/healthz", request -> Reply.text("ok"))
                .get("/readyz", request -> Reply.text("ok"))
                .post(PATH, request -> Reply.json(admission.review(request.json())));
        return new WebhookProcess(https.apply(server).start(host, port));
    }

    /** Returns the server. */
    public WebServer server() {
        return server;
    }

    /** Answers what has arrived, then stops. */
    @Override
    public void close() {
        server.close();
    }
}
