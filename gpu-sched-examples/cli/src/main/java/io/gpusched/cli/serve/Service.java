package io.gpusched.cli.serve;

import io.gpusched.json.JsonFormat;
import io.gpusched.kubernetes.http.Reply;
import io.gpusched.kubernetes.http.WebServer;
import io.gpusched.model.Cluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The operations of the service, as its OpenAPI document describes them. */
final class Service {
    private static final Set<String> OPEN = Set.of("/", "/healthz", "/openapi.json");

    private final ServedCluster served;

    Service(Cluster cluster) {
        this.served = new ServedCluster(cluster);
    }

    /** Adds the operations to a server; clients need the token, where there is one, for all that tells of the cluster. */
    WebServer.Builder on(WebServer.Builder server, Optional<String> token) {
        token.ifPresent(secret -> server.token(secret, OPEN));
        return server.get("/", any -> Reply.of("text/html; charset=utf-8", resource("index.html")))
                .get("/openapi.json", any -> Reply.of("application/json", resource("openapi.json")))
                .get("/healthz", any -> Reply.text("ok\n"))
                .get("/v1/cluster", Documents.answering(any -> JsonFormat.CLUSTER.write(served.now())))
                .post("/v1/cluster", Documents.taking(body -> replace(body.toString())))
                .post("/v1/place", Documents.taking(served::place))
                .post("/v1/what-if", Documents.taking(served::whatIf))
                .post("/v1/explain", Documents.taking(served::explain))
                .post("/v1/headroom", Documents.taking(served::headroom))
                .post("/v1/release", Documents.taking(served::release));
    }

    /** How large a cluster is. */
    private record Size(int nodes, long gpus) {}

    private Object replace(String document) {
        Cluster cluster = JsonFormat.CLUSTER.read(document);
        served.replace(cluster);
        return new Size(cluster.size(), cluster.totals().gpus());
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(Service.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
