package io.gpusched.cli.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.json.JsonFormat;
import io.gpusched.kubernetes.http.Handler;
import io.gpusched.kubernetes.http.HttpProblem;
import io.gpusched.kubernetes.http.Reply;
import io.gpusched.kubernetes.http.Request;
import io.gpusched.kubernetes.http.WebServer;
import io.gpusched.model.Cluster;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** The operations of the service, as its OpenAPI document describes them. */
final class Service {
    private static final Set<String> OPEN = Set.of("/", "/healthz", "/openapi.json");

    private final ServedCluster served;

    /**
     * Creates the service.
     *
     * @param keep is given each new state before it is answered
     */
    Service(Cluster cluster, Consumer<Cluster> keep) {
        this.served = new ServedCluster(cluster, keep);
    }

    /** Adds the operations to a server; clients need the token, where there is one, for all that tells of the cluster. */
    WebServer.Builder on(WebServer.Builder server, Optional<String> token) {
        token.ifPresent(secret -> server.token(secret, OPEN));
        return server.problems(Documents::problem)
                .get("/", any -> Reply.of("text/html; charset=utf-8", resource("index.html")))
                .get("/openapi.json", any -> Reply.of("application/json", resource("openapi.json")))
                .get("/healthz", any -> Reply.text("ok\n"))
                .get("/v1/cluster", this::cluster)
                .post("/v1/cluster", changing(List.of("cluster"), body -> replace(body.toString())))
                .post("/v1/place", changing(List.of("pod", "group"), served::place))
                .post("/v1/what-if", asking(List.of("pod", "group", "without", "cordoned"), served::whatIf))
                .post("/v1/explain", asking(List.of("pod", "node"), served::explain))
                .post(
                        "/v1/headroom",
                        request -> Documents.answer(() -> served.headroom(Documents.object(request, List.of("pod")))))
                .post("/v1/release", changing(List.of("pods"), served::release));
    }

    /** The cluster, or nothing where the client has it already. */
    private Reply cluster(Request request) {
        synchronized (served) {
            boolean has = Optional.ofNullable(request.headers().get("if-none-match"))
                    .filter(this::names)
                    .isPresent();
            return tagged(
                    has
                            ? new Reply(304, "application/json", Buffer.buffer())
                            : Documents.answer(() -> JsonFormat.CLUSTER.write(served.now())));
        }
    }

    private Handler asking(List<String> fields, Function<JsonNode, Object> operation) {
        return request -> {
            synchronized (served) {
                return tagged(Documents.answer(() -> operation.apply(Documents.object(request, fields))));
            }
        };
    }

    /** An operation that is refused where the client says by {@code If-Match} that it knows another state. */
    private Handler changing(List<String> fields, Function<JsonNode, Object> operation) {
        Handler change = asking(fields, operation);
        return request -> {
            synchronized (served) {
                String known = request.headers().get("if-match");
                return known == null || names(known)
                        ? change.handle(request)
                        : tagged(Documents.problem(new HttpProblem(
                                412,
                                "the cluster has changed: If-Match is " + known + ", its tag is " + served.tag())));
            }
        };
    }

    /** Returns whether a list of tags names the state of this moment. */
    private boolean names(String tags) {
        return Arrays.stream(tags.split(","))
                .map(String::strip)
                .anyMatch(tag -> tag.equals("*") || tag.equals(served.tag()));
    }

    private Reply tagged(Reply reply) {
        return reply.withHeader("ETag", served.tag());
    }

    /** How large a cluster is. */
    private record Size(int nodes, long gpus) {}

    private Object replace(String document) {
        Cluster cluster = JsonFormat.CLUSTER.strict().read(document);
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
