package io.gpusched.kubernetes.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.kubernetes.decide.Binding;
import io.gpusched.kubernetes.decide.Change;
import io.gpusched.kubernetes.decide.PendingPod;
import io.gpusched.manifests.grant.PodBinding;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people are told of a binding: what became of it, not what was decided. */
class BindWriterTest {
    private static final PodId ID = new PodId("default", "p");

    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<Change> lost = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private int status = 201;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** Bindings are answered with the status, and events with success. */
    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean isEvent = exchange.getRequestURI().getPath().endsWith("/events");
        if (isEvent) {
            events.add(body);
        }
        byte[] words =
                "{\"kind\":\"Status\",\"message\":\"metadata.annotations: Too long\"}".getBytes(StandardCharsets.UTF_8);
        boolean isPod = exchange.getRequestMethod().equals("GET");
        exchange.sendResponseHeaders(isEvent ? 201 : isPod ? 404 : status, words.length);
        exchange.getResponseBody().write(words);
        exchange.close();
    }

    private void bind() {
        Pod pod = new PodBuilder(Manifests.pod(ID.name(), "nvidia.com/gpu", "1"))
                .editMetadata()
                .withUid("u")
                .withResourceVersion("7")
                .endMetadata()
                .build();
        PodBinding write = PodBinding.of(pod, new Placement(ID, "n1", Resources.NONE, List.of()), Map.of(), Map.of());
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .withRequestRetryBackoffLimit(0)
                .build();
        try (KubernetesClient client =
                        new KubernetesClientBuilder().withConfig(config).build();
                ApiWriter writer = new ApiWriter(client, 1, () -> true)) {
            EventWriter words = new EventWriter(writer, "gpu-sched", "one");
            new BindWriter(writer, lost::add, BindCounts.NONE, words)
                    .write(new Binding(new PendingPod(ID, pod, Optional.empty()), write, List.of()));
        }
    }

    @Test
    void aPodThatIsBound_isCalledScheduled() {
        bind();
        assertThat(lost).isEmpty();
        assertThat(events).hasSize(1);
        assertThat(events.get(0)).contains("\"Scheduled\"", "assigned to n1");
    }

    /** As one whose annotations are too long together with the grant. */
    @Test
    void aPodWhoseBindingIsRefused_isNotCalledScheduled_andIsToldWhy() {
        status = 422;
        bind();
        assertThat(lost).hasSize(1);
        assertThat(events).hasSize(1);
        assertThat(events.get(0))
                .contains("\"FailedScheduling\"", "cannot be bound to node n1", "metadata.annotations: Too long");
    }

    @Test
    void aPodThatIsGone_isToldNothing() {
        status = 404;
        bind();
        assertThat(lost).hasSize(1);
        assertThat(events).isEmpty();
    }
}
