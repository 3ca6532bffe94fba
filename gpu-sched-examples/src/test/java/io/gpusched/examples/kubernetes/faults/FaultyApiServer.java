package io.gpusched.examples.kubernetes.faults;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.crud.AttributeSet;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.mockwebserver.http.Buffer;
import io.fabric8.mockwebserver.http.Headers;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * fabric8's API server in memory, that binds pods as the real one does, with groups of T9k. Every so many writes of pods fail:
 * refused with 429 or 500, done and answered with 500, or answered late; watches do what {@link WatchFeed} says. Clients have
 * names; each may be killed after a number of writes, and have a clock of its own.
 */
final class FaultyApiServer extends KubernetesCrudDispatcher implements AutoCloseable {
    private static final Pattern VERSION = Pattern.compile("resourceVersion=([0-9]+)");

    private final KubernetesMockServer server =
            new KubernetesMockServer(new Context(mapper()), new MockWebServer(), new HashMap<>(), this, false);
    private final EventLog log = new EventLog();
    private final Random random;
    private final int writePercent;
    private final int watchPercent;
    private final Map<String, WrittenBy> writers = new ConcurrentHashMap<>();

    /** How often each pod was bound, by identity. */
    final Map<String, Integer> bindings = new ConcurrentHashMap<>();

    /**
     * Starts a server.
     *
     * @param writePercent how many of a hundred writes of pods fail
     * @param watchPercent how many of a hundred changes that a watch tells go wrong
     */
    FaultyApiServer(long seed, int writePercent, int watchPercent) {
        this.random = new Random(seed);
        this.writePercent = writePercent;
        this.watchPercent = watchPercent;
        expectCustomResource(new CustomResourceDefinitionContext.Builder()
                .withGroup("scheduler.tensorstack.dev")
                .withVersion("v1beta1")
                .withKind("PodGroup")
                .withPlural("podgroups")
                .withScope("Namespaced")
                .withStatusSubresource(true)
                .build());
        server.init();
        Logger.getLogger(MockWebServer.class.getName()).setLevel(Level.OFF);
    }

    /** Returns a client whom the server knows by this name; the caller closes it. */
    KubernetesClient client(String name) {
        try (KubernetesClient any = server.createClient()) {
            Config config = new ConfigBuilder(any.getConfiguration())
                    .withRequestRetryBackoffLimit(0)
                    .withWatchReconnectInterval(20)
                    .withUserAgent(name)
                    .build();
            return new KubernetesClientBuilder().withConfig(config).build();
        }
    }

    /** Returns what a client has written. */
    WrittenBy writtenBy(String name) {
        return writers.computeIfAbsent(name, any -> new WrittenBy());
    }

    @Override
    public MockResponse dispatch(RecordedRequest request) {
        WrittenBy writer = writtenBy(Objects.requireNonNullElse(request.getHeader("User-Agent"), ""));
        String path = Objects.requireNonNullElse(request.getPath(), "");
        if ("GET".equals(request.getMethod())) {
            return writer.isDead() ? new MockResponse().setResponseCode(403) : read(request, path, writer);
        }
        if (!writer.mayWrite(path)) {
            return new MockResponse().setResponseCode(403);
        }
        // nothing but the test deletes pods, and its own calls are not what is tried
        boolean tried = path.contains("/pods/") && !"DELETE".equals(request.getMethod());
        int fault;
        synchronized (random) {
            fault = tried && random.nextInt(100) < writePercent ? random.nextInt(4) : -1;
        }
        return switch (fault) {
            case 0 -> new MockResponse().setResponseCode(429);
            case 1 -> new MockResponse().setResponseCode(500);
            case 2 -> {
                answer(request, path, writer);
                yield new MockResponse().setResponseCode(500);
            }
            case 3 -> answer(request, path, writer).setBodyDelay(200, TimeUnit.MILLISECONDS);
            default -> answer(request, path, writer);
        };
    }

    private MockResponse read(RecordedRequest request, String path, WrittenBy reader) {
        if (path.contains("watch=true")) {
            Matcher version = VERSION.matcher(path);
            String resources = URI.create(path).getPath();
            return new MockResponse()
                    .withWebSocketUpgrade(new WatchFeed(
                            log,
                            resources.substring(resources.lastIndexOf('/') + 1),
                            version.find() ? Long.parseLong(version.group(1)) : 0,
                            new Random(nextSeed()),
                            watchPercent,
                            () -> !reader.isDead()));
        }
        MockResponse response = super.dispatch(request);
        return path.contains("/leases/") && response.code() == 200
                ? response.setBody(reader.toItsClock(response.getBody().readUtf8()))
                : response;
    }

    private long nextSeed() {
        synchronized (random) {
            return random.nextLong();
        }
    }

    private MockResponse answer(RecordedRequest request, String path, WrittenBy writer) {
        String body = request.getUtf8Body();
        if (path.endsWith("/binding")) {
            return bind(Serialization.unmarshal(body, Binding.class));
        }
        if ("PUT".equals(request.getMethod()) && isOutdated(path, body)) {
            return new MockResponse().setResponseCode(409);
        }
        return super.dispatch(new RecordedRequest(
                "HTTP/1.1",
                request.method(),
                path,
                request.getHeaders(),
                new Buffer().writeUtf8(path.contains("/leases") ? writer.toServerClock(body) : body)));
    }

    /** Whether what is to be replaced has another version by now than the one that the client saw. */
    private boolean isOutdated(String path, String body) {
        MockResponse found = super.dispatch(request(HttpMethod.GET, path.replaceAll("/status$", ""), ""));
        String seen = version(body);
        return found.code() == 200
                && !seen.isEmpty()
                && !seen.equals(version(found.getBody().readUtf8()));
    }

    private static String version(String object) {
        return Objects.requireNonNullElse(
                Serialization.unmarshal(object, GenericKubernetesResource.class)
                        .getMetadata()
                        .getResourceVersion(),
                "");
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
    public void processEvent(
            String path,
            AttributeSet pathAttributes,
            @Nullable AttributeSet oldAttributes,
            @Nullable GenericKubernetesResource resource,
            @Nullable String newState) {
        String existing = oldAttributes == null ? null : map.get(oldAttributes);
        super.processEvent(path, pathAttributes, oldAttributes, resource, newState);
        if (!Objects.equals(existing, newState)) {
            log.add(existing, newState, this::requestResourceVersion);
        }
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
