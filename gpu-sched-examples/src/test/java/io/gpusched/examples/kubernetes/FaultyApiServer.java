package io.gpusched.examples.kubernetes;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.mockwebserver.http.Buffer;
import io.fabric8.mockwebserver.http.Headers;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * fabric8's API server in memory, that binds pods as the real one does, and of which every so many writes fail: refused
 * with 429 or 500, done and answered with 500, or answered late.
 */
final class FaultyApiServer extends KubernetesCrudDispatcher implements AutoCloseable {
    private final KubernetesMockServer server =
            new KubernetesMockServer(new Context(mapper()), new MockWebServer(), new HashMap<>(), this, false);
    private final Random random;
    private final int percent;

    /** How often each pod was bound, by identity. */
    final Map<String, Integer> bindings = new ConcurrentHashMap<>();

    final AtomicInteger writes = new AtomicInteger();

    /** @param percent how many of a hundred writes of pods fail */
    FaultyApiServer(long seed, int percent) {
        this.random = new Random(seed);
        this.percent = percent;
        server.init();
        Logger.getLogger(MockWebServer.class.getName()).setLevel(Level.OFF);
    }

    KubernetesClient client() {
        try (KubernetesClient any = server.createClient()) {
            Config config = new ConfigBuilder(any.getConfiguration())
                    .withRequestRetryBackoffLimit(0)
                    .build();
            return new KubernetesClientBuilder().withConfig(config).build();
        }
    }

    @Override
    public MockResponse dispatch(RecordedRequest request) {
        String path = Objects.requireNonNullElse(request.getPath(), "");
        // nothing but the test deletes pods, and its own calls are not what is tried
        boolean write = !"GET".equals(request.getMethod()) && !"DELETE".equals(request.getMethod());
        if (!write || !path.contains("/pods/")) {
            return super.dispatch(request);
        }
        writes.incrementAndGet();
        int fault;
        synchronized (random) {
            fault = random.nextInt(100) < percent ? random.nextInt(4) : -1;
        }
        return switch (fault) {
            case 0 -> new MockResponse().setResponseCode(429);
            case 1 -> new MockResponse().setResponseCode(500);
            case 2 -> {
                answer(request, path);
                yield new MockResponse().setResponseCode(500);
            }
            case 3 -> answer(request, path).setBodyDelay(200, TimeUnit.MILLISECONDS);
            default -> answer(request, path);
        };
    }

    private MockResponse answer(RecordedRequest request, String path) {
        return path.endsWith("/binding")
                ? bind(Serialization.unmarshal(request.getUtf8Body(), Binding.class))
                : super.dispatch(request);
    }

    private MockResponse bind(Binding binding) {
        synchronized (bindings) {
            return bindNow(binding);
        }
    }

    private MockResponse bindNow(Binding binding) {
        String path = "/api/v1/namespaces/default/pods/" + binding.getMetadata().getName();
        MockResponse found = super.dispatch(request(HttpMethod.GET, path, ""));
        Pod pod = found.code() == 200 ? Serialization.unmarshal(found.getBody().readUtf8(), Pod.class) : null;
        if (pod == null) {
            return new MockResponse().setResponseCode(404);
        }
        boolean same = pod.getMetadata().getUid().equals(binding.getMetadata().getUid())
                && pod.getMetadata()
                        .getResourceVersion()
                        .equals(binding.getMetadata().getResourceVersion())
                && pod.getSpec().getNodeName() == null;
        if (!same) {
            return new MockResponse().setResponseCode(409);
        }
        bindings.merge(pod.getMetadata().getUid(), 1, Integer::sum);
        Pod bound = new PodBuilder(pod)
                .editMetadata()
                .addToAnnotations(binding.getMetadata().getAnnotations())
                .endMetadata()
                .editSpec()
                .withNodeName(binding.getTarget().getName())
                .endSpec()
                .build();
        super.dispatch(request(HttpMethod.PUT, path, Serialization.asJson(bound)));
        return new MockResponse()
                .setResponseCode(201)
                .setBody("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\"}");
    }

    private static RecordedRequest request(HttpMethod method, String path, String body) {
        return new RecordedRequest(
                "HTTP/1.1", method, path, new Headers.Builder().build(), new Buffer().writeUtf8(body));
    }

    @Override
    public void close() {
        server.destroy();
    }

    /** A mapper that reads and writes objects as the client does. */
    private static ObjectMapper mapper() {
        ObjectMapper mapper = new ObjectMapper();
        KubernetesSerialization unused = new KubernetesSerialization(mapper, true);
        return mapper;
    }
}
