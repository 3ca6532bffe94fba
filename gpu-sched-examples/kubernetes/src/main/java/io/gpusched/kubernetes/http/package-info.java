/**
 * A small HTTP and HTTPS server for the processes that talk to Kubernetes: few routes, small answers, and no client that
 * can keep others from being served.
 *
 * <p>{@link io.gpusched.kubernetes.http.WebServer} is the entry:
 *
 * <pre>{@code
 * try (WebServer server = WebServer.builder("health")
 *         .get("/healthz", request -> Reply.text("ok"))
 *         .start("0.0.0.0", 10_259)) {
 *     ...
 * }
 * }</pre>
 */
@NullMarked
package io.gpusched.kubernetes.http;

import org.jspecify.annotations.NullMarked;
