package io.gpusched.kubernetes.faults;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.mockwebserver.http.Buffer;
import io.fabric8.mockwebserver.http.Headers;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Binds pods as the real API server does, and remembers how often. */
final class BoundPods {
    private final Function<RecordedRequest, MockResponse> server;

    /** How often each pod was bound, by identity. */
    final Map<String, Integer> bindings = new ConcurrentHashMap<>();

    /**
     * Creates it.
     *
     * @param server answers a request as it is
     */
    BoundPods(Function<RecordedRequest, MockResponse> server) {
        this.server = server;
    }

    /** Binds a pod. */
    MockResponse bind(Binding binding) {
        synchronized (bindings) {
            return bindNow(binding);
        }
    }

    private MockResponse bindNow(Binding binding) {
        String path = "/api/v1/namespaces/default/pods/" + binding.getMetadata().getName();
        MockResponse found = server.apply(request(HttpMethod.GET, path, ""));
        Pod pod = found.code() == 200 ? Serialization.unmarshal(found.getBody().readUtf8(), Pod.class) : null;
        if (pod == null) {
            return status(404);
        }
        boolean same =
                isNullOr(binding.getMetadata().getUid(), pod.getMetadata().getUid())
                        && isNullOr(
                                binding.getMetadata().getResourceVersion(),
                                pod.getMetadata().getResourceVersion());
        if (!same || pod.getSpec().getNodeName() != null) {
            return status(409);
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
        server.apply(request(HttpMethod.PUT, path, Serialization.asJson(bound)));
        return new MockResponse()
                .setResponseCode(201)
                .setBody("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Success\"}");
    }

    /** What a write does not name is no precondition. */
    private static boolean isNullOr(@Nullable String stated, String actual) {
        return stated == null || stated.equals(actual);
    }

    static RecordedRequest request(HttpMethod method, String path, String body) {
        return new RecordedRequest(
                "HTTP/1.1", method, path, new Headers.Builder().build(), new Buffer().writeUtf8(body));
    }

    private static MockResponse status(int code) {
        return new MockResponse().setResponseCode(code);
    }
}
