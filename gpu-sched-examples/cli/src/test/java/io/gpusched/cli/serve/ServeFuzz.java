package io.gpusched.cli.serve;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.kubernetes.http.Reply;
import io.gpusched.kubernetes.http.Request;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** What is posted to {@code serve} is answered, or refused by the client's fault; never a fault of the server. */
public final class ServeFuzz {
    private static final Set<Integer> DOCUMENTED = Set.of(200, 400, 404, 409);

    private static final List<String> FIELDS = List.of("pod", "group", "without", "cordoned", "node", "pods");

    private static final Cluster CLUSTER = Cluster.of(List.of(Node.builder("n1")
            .capacity(8_000, 8_192)
            .gpus(2, GpuModel.of("nvidia", "a100", 40_960))
            .build()));

    private ServeFuzz() {}

    /** Posts one body to each operation. */
    public static void fuzzerTestOneInput(byte[] data) {
        Request request = new Request("/v1", Buffer.buffer(data));
        ServedCluster served = new ServedCluster(CLUSTER, changed -> {});
        for (Function<JsonNode, Object> operation : List.<Function<JsonNode, Object>>of(
                served::whatIf, served::explain, served::headroom, served::place, served::release)) {
            Reply reply = Documents.answer(() -> operation.apply(Documents.object(request, FIELDS)));
            if (!DOCUMENTED.contains(reply.status())) {
                throw new IllegalStateException("status " + reply.status() + ": " + reply.body());
            }
        }
    }
}
