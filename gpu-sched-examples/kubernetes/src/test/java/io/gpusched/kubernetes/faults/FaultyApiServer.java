package io.gpusched.kubernetes.faults;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
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
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * fabric8's API server in memory, that binds pods as the real one does, with groups of T9k. Of what clients ask, every so much
 * goes wrong in one of the ways of {@link Fault}, unless the test itself asks. Clients have names; each may be killed after a
 * number of writes, be cut off for a while, and have a clock of its own.
 */
final class FaultyApiServer extends KubernetesCrudDispatcher implements AutoCloseable {
    /** After this clients give up, where answers may come too late. */
    private static final int TIMEOUT_MILLIS = 800;

    /** After this they do where answers come as soon as the machine lets them. */
    private static final int PATIENT_MILLIS = 120_000;

    private static final String LEASES = "/leases/";

    private static final Pattern VERSION = Pattern.compile("resourceVersion=([0-9]+)");

    private static final Pattern OBJECT_VERSION = Pattern.compile("\"resourceVersion\":\"([0-9]+)\"");
    private static final Pattern LIST_VERSION = Pattern.compile("(\"metadata\": \\{\"resourceVersion\": )\"[0-9]+\"");

    private final KubernetesMockServer server =
            new KubernetesMockServer(new Context(mapper()), new MockWebServer(), new HashMap<>(), this, false);
    private final EventLog log = new EventLog();

    /** What goes wrong. */
    final Faults faults;

    private volatile int restored;
    private volatile Predicate<String> unserved = path -> false;
    private final Map<String, WrittenBy> writers = new ConcurrentHashMap<>();

    /** Lists that may be older than what was written before them. */
    final Queue<String> listsFromCache = new ConcurrentLinkedQueue<>();

    /** The bindings that were asked for by replicas that did not hold the Lease, done or refused; without a Lease, all. */
    final Queue<String> triedWithoutLease = new ConcurrentLinkedQueue<>();

    private final LeaseHistory leases = new LeaseHistory(
            name -> !writtenBy(name).isDead() && !writtenBy(name).isCutOff(LEASES));
    private final BoundPods bound = new BoundPods(super::dispatch);

    /** Starts a server. */
    FaultyApiServer(Faults faults) {
        this.faults = faults;
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

    /** Sets the paths that the server does not have. */
    void setUnserved(Predicate<String> paths) {
        unserved = paths;
    }

    /** Returns a copy of all objects, as a backup of etcd is. */
    Map<AttributeSet, String> backup() {
        return Map.copyOf(map);
    }

    /** Puts a backup in the place of all objects, as etcd is restored: watches end, and lists are of a version before those seen. */
    void restore(Map<AttributeSet, String> backup) {
        map.clear();
        log.clear();
        map.putAll(backup);
        restored++;
    }

    /** Returns a client whom the server knows by this name; the caller closes it. */
    KubernetesClient client(String name) {
        try (KubernetesClient any = server.createClient()) {
            Config config = new ConfigBuilder(any.getConfiguration())
                    .withRequestRetryBackoffLimit(0)
                    .withRequestTimeout(
                            faults.answerTooLate() && !WrittenBy.TEST.equals(name) ? TIMEOUT_MILLIS : PATIENT_MILLIS)
                    .withWatchReconnectInterval(20)
                    .withUserAgent(name)
                    .build();
            return new KubernetesClientBuilder().withConfig(config).build();
        }
    }

    /** Returns what was bound. */
    BoundPods bound() {
        return bound;
    }

    /** Returns who held the Lease. */
    LeaseHistory leases() {
        return leases;
    }

    /** Returns what a client has written. */
    WrittenBy writtenBy(String name) {
        return writers.computeIfAbsent(name, WrittenBy::new);
    }

    @Override
    public MockResponse dispatch(RecordedRequest request) {
        WrittenBy writer = writtenBy(Objects.requireNonNullElse(request.getHeader("User-Agent"), ""));
        String path = Objects.requireNonNullElse(request.getPath(), "");
        boolean isRead = "GET".equals(request.getMethod());
        if (unserved.test(path)) {
            return status(404);
        }
        if (path.endsWith("/selfsubjectaccessreviews")) {
            return new MockResponse().setResponseCode(201).setBody("{\"status\":{\"allowed\":true}}");
        }
        if (isRead && (writer.isDead() || writer.isCutOff(path))) {
            return status(503);
        }
        if (isRead) {
            return path.contains("watch=true") ? watch(path, writer) : read(request, path, writer);
        }
        if (!writer.mayWrite(path)) {
            return status(403);
        }
        if (path.endsWith("/binding") && !leases.mayStillWrite(writer.name())) {
            triedWithoutLease.add(
                    path + " by " + writer.name() + ", while the Lease is of \"" + leases.holder() + "\"");
        }
        return writer.isCutOff(path) ? status(503) : write(request, path, writer);
    }

    private static MockResponse status(int code) {
        return new MockResponse().setResponseCode(code);
    }

    private MockResponse write(RecordedRequest request, String path, WrittenBy writer) {
        Optional<Fault> fault = writer.isTest() ? Optional.empty() : faults.ofWrite();
        fault.ifPresent(faults::count);
        if (fault.isEmpty()) {
            return answer(request, path, writer);
        }
        return switch (fault.get()) {
            case WRITE_TOO_MANY -> status(429);
            case WRITE_FAILED -> status(500);
            case WRITE_CONFLICT -> status(409);
            case WRITE_DONE_AND_CALLED_FAILED -> {
                answer(request, path, writer);
                yield status(500);
            }
            case WRITE_LATE -> answer(request, path, writer).setBodyDelay(200, TimeUnit.MILLISECONDS);
            default -> answer(request, path, writer).setBodyDelay(TIMEOUT_MILLIS + 200, TimeUnit.MILLISECONDS);
        };
    }

    private MockResponse watch(String path, WrittenBy reader) {
        Optional<Fault> fault = reader.isTest() ? Optional.empty() : faults.ofWatch();
        fault.ifPresent(faults::count);
        if (fault.isPresent()) {
            return status(fault.get() == Fault.WATCH_REFUSED_GONE ? 410 : 429);
        }
        Matcher version = VERSION.matcher(path);
        String resources = URI.create(path).getPath();
        int life = restored;
        return new MockResponse()
                .withWebSocketUpgrade(new WatchFeed(
                        log,
                        resources.substring(resources.lastIndexOf('/') + 1),
                        version.find() ? Long.parseLong(version.group(1)) : 0,
                        faults,
                        () -> !reader.isDead() && !reader.isCutOff(path) && life == restored));
    }

    private MockResponse read(RecordedRequest request, String path, WrittenBy reader) {
        if (path.contains("resourceVersion=0")) {
            listsFromCache.add(path);
        }
        Optional<Fault> fault = reader.isTest() ? Optional.empty() : faults.ofRead();
        fault.ifPresent(faults::count);
        MockResponse response = super.dispatch(request);
        if (path.contains(LEASES) && response.code() == 200) {
            reader.looked();
            response.setBody(reader.toItsClock(response.getBody().readUtf8()));
        }
        if (restored > 0 && path.startsWith("/api/v1/pods")) {
            response.setBody(asNewAsItsPods(response.getBody().readUtf8()));
        }
        if (fault.isEmpty()) {
            return response;
        }
        return switch (fault.get()) {
            case READ_TOO_MANY -> status(429);
            case READ_FAILED -> status(500);
            case READ_GONE -> status(410);
            default -> response.setBodyDelay(100, TimeUnit.MILLISECONDS);
        };
    }

    /** Of a restored server, a list of pods is as new as its newest pod. */
    private static String asNewAsItsPods(String list) {
        long newest = OBJECT_VERSION
                .matcher(list)
                .results()
                .mapToLong(version -> Long.parseLong(version.group(1)))
                .max()
                .orElse(1);
        return LIST_VERSION.matcher(list).replaceFirst("$1\"" + newest + "\"");
    }

    private MockResponse answer(RecordedRequest request, String path, WrittenBy writer) {
        String body = request.getUtf8Body();
        if (path.endsWith("/binding")) {
            return bound.bind(Serialization.unmarshal(body, Binding.class));
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
        MockResponse found = super.dispatch(BoundPods.request(HttpMethod.GET, path.replaceAll("/status$", ""), ""));
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

    @Override
    public void processEvent(
            String path,
            AttributeSet pathAttributes,
            @Nullable AttributeSet oldAttributes,
            @Nullable GenericKubernetesResource resource,
            @Nullable String newState) {
        String existing = oldAttributes == null ? null : map.get(oldAttributes);
        super.processEvent(path, pathAttributes, oldAttributes, resource, newState);
        if (newState != null && newState.contains("\"kind\":\"Lease\"")) {
            leases.written(newState);
        }
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
