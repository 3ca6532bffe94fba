package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.fabric8.kubernetes.client.utils.URLUtils;
import io.gpusched.model.PodId;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes objects to the API server by plain blocking requests: bindings, events and statuses of groups are most of what a
 * scheduler writes, and this way takes a fraction of the CPU that the client takes for them. Where a client is set up with more
 * than a certificate or a token (a proxy, headers, impersonation, a server below a path), all goes through it. Thread-safe.
 */
final class ApiWrites {
    private static final Logger LOG = LoggerFactory.getLogger(ApiWrites.class);

    /** A patch that replaces values; null takes them away. */
    static final String MERGE = "application/merge-patch+json";

    /** A patch that adds to lists of known kinds, such as conditions, by their keys. */
    static final String STRATEGIC = "application/strategic-merge-patch+json";

    /** Below, and where there is none, it is left to the client. */
    private static final int SHORTEST_TIMEOUT_MILLIS = 100;

    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final int BAD_REQUEST = 400;

    /** How many idle connections to one server are kept by this process, 5 unless told; a new one costs a handshake. */
    private static final String IDLE_CONNECTIONS = "http.maxConnections";

    /** For clients that are told not to look at the server's name. */
    private static final HostnameVerifier ANY_NAME = (name, session) -> true;

    private final KubernetesClient client;
    private final Config config;
    private final boolean isPlain;
    private final URL server;
    private final @Nullable SSLSocketFactory sockets;

    private ApiWrites(KubernetesClient client, boolean isPlain, @Nullable SSLSocketFactory sockets) {
        this.client = client;
        this.config = client.getConfiguration();
        this.isPlain = isPlain;
        this.server = client.getMasterUrl();
        this.sockets = sockets;
    }

    /** Returns writes to the server of a client, with its credentials and time-outs. */
    static ApiWrites of(KubernetesClient client) {
        Config config = client.getConfiguration();
        if (!isPlain(config)) {
            return new ApiWrites(client, false, null);
        }
        if (System.getProperty(IDLE_CONNECTIONS) == null) {
            System.setProperty(IDLE_CONNECTIONS, String.valueOf(config.getMaxConcurrentRequests()));
        }
        try {
            return new ApiWrites(client, true, SSLUtils.sslContext(config).getSocketFactory());
        } catch (IOException | GeneralSecurityException e) {
            LOG.atDebug().setCause(e).log("no plain requests");
            return new ApiWrites(client, false, null);
        }
    }

    private static boolean isPlain(Config config) {
        return URI.create(config.getMasterUrl()).getPath().replace("/", "").isEmpty()
                && config.getRequestTimeout() != null
                && config.getRequestTimeout() >= SHORTEST_TIMEOUT_MILLIS
                && config.getHttpProxy() == null
                && config.getHttpsProxy() == null
                && config.getImpersonateUsername() == null
                && config.getUsername() == null
                && config.getTlsServerName() == null
                && (config.getCustomHeaders() == null
                        || config.getCustomHeaders().isEmpty());
    }

    /**
     * Creates an object.
     *
     * @param path such as {@code /api/v1/namespaces/default/events}
     * @return what the server says of it
     * @throws KubernetesClientException with the status of the answer if that is none of success, with one below 1 if there was
     *     none
     */
    String post(String path, Object object) {
        return write("POST", path, object);
    }

    /**
     * Replaces an object, or a part of it that has a path of its own; else as {@link #post}.
     *
     * @param path such as {@code /apis/scheduling.k8s.io/v1beta1/namespaces/default/podgroups/g/status}
     */
    String put(String path, Object object) {
        return write("PUT", path, object);
    }

    /** Returns an object; null if it is not there. Else as {@link #post}. */
    @Nullable
    String get(String path) {
        try {
            return request("GET", path, null);
        } catch (KubernetesClientException e) {
            if (e.getCode() == NOT_FOUND) {
                return null;
            }
            throw e;
        }
    }

    /**
     * Changes a part of an object, through the client; else as {@link #post}.
     *
     * @param path such as {@code /api/v1/namespaces/default/pods/p/status}
     * @param form {@link #MERGE} or {@link #STRATEGIC}
     */
    void patch(String path, String form, Object change) {
        HttpRequest request = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(URLUtils.join(config.getMasterUrl(), path))
                .method("PATCH", form, client.getKubernetesSerialization().asJson(change))
                .build();
        HttpResponse<String> answer;
        try {
            answer = client.getHttpClient()
                    .sendAsync(request, String.class)
                    .get(config.getRequestTimeout(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KubernetesClientException(path + ": " + e, e);
        } catch (ExecutionException | TimeoutException e) {
            throw new KubernetesClientException(path + ": " + e, e);
        }
        if (!answer.isSuccessful()) {
            throw refused(path, answer.code(), Objects.requireNonNullElse(answer.body(), ""));
        }
    }

    /**
     * Changes the status and annotations of a pod, unless another has its name by now; else as {@link #post}.
     *
     * @param annotations a null takes one away
     * @param status the fields to change; a null takes one away
     */
    void patchPod(PodId pod, String uid, Map<String, @Nullable String> annotations, Map<String, ?> status) {
        Map<String, Object> metadata = Map.of("uid", uid, "annotations", annotations);
        patch(
                "/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name() + "/status",
                STRATEGIC,
                Map.of("metadata", metadata, "status", status));
    }

    /** A text is JSON as it stands. */
    private String write(String method, String path, Object object) {
        String json = object instanceof String text
                ? text
                : client.getKubernetesSerialization().asJson(object);
        return Objects.requireNonNullElse(request(method, path, json), "");
    }

    private @Nullable String request(String method, String path, @Nullable String json) {
        Optional<String> answer = Optional.empty();
        if (isPlain) {
            try {
                answer = send(method, path, json);
            } catch (IOException e) {
                throw new KubernetesClientException(path + ": " + e, e);
            }
        }
        return answer.isPresent() ? answer.get() : client.raw(path, method, json);
    }

    /** Returns the answer; empty after 401, for the client knows how to get another token. */
    private Optional<String> send(String method, String path, @Nullable String body) throws IOException {
        HttpURLConnection request = (HttpURLConnection) new URL(server, path).openConnection(Proxy.NO_PROXY);
        if (request instanceof HttpsURLConnection secure && sockets != null) {
            secure.setSSLSocketFactory(sockets);
            if (config.isTrustCerts() || config.isDisableHostnameVerification()) {
                secure.setHostnameVerifier(ANY_NAME);
            }
        }
        int quarter = config.getRequestTimeout() / 4;
        request.setConnectTimeout(quarter);
        request.setReadTimeout(config.getRequestTimeout() - quarter);
        request.setInstanceFollowRedirects(false);
        request.setUseCaches(false);
        request.setRequestMethod(method);
        headers().forEach(request::setRequestProperty);
        if (body != null) {
            request.setDoOutput(true);
            try (OutputStream out = request.getOutputStream()) {
                out.write(body.getBytes(StandardCharsets.UTF_8));
            }
        }
        int code = request.getResponseCode();
        String answer = read(code < BAD_REQUEST ? request.getInputStream() : request.getErrorStream());
        if (code >= 300 && code != UNAUTHORIZED) {
            throw refused(path, code, answer);
        }
        return code == UNAUTHORIZED ? Optional.empty() : Optional.of(answer);
    }

    private Map<String, String> headers() {
        Map<String, String> headers = Map.of(
                "Content-Type", "application/json",
                "Accept", "application/json",
                "User-Agent", Objects.requireNonNullElse(config.getUserAgent(), "gpu-sched"));
        String token = token().orElse("");
        if (token.isEmpty()) {
            return headers;
        }
        Map<String, String> all = new HashMap<>(headers);
        all.put("Authorization", "Bearer " + token);
        return all;
    }

    private Optional<String> token() {
        if (config.getOauthTokenProvider() != null) {
            return Optional.ofNullable(config.getOauthTokenProvider().getToken());
        }
        return Optional.ofNullable(config.getOauthToken()).or(() -> Optional.ofNullable(config.getAutoOAuthToken()));
    }

    /** To its end, so that the connection can be used again. */
    private static String read(@Nullable InputStream answer) throws IOException {
        if (answer == null) {
            return "";
        }
        try (answer) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private KubernetesClientException refused(String path, int code, String answer) {
        String message = path + ": status " + code;
        try {
            Status status = client.getKubernetesSerialization().unmarshal(answer, Status.class);
            return new KubernetesClientException(
                    status == null || status.getMessage() == null ? message : status.getMessage(), code, status);
        } catch (RuntimeException e) {
            return new KubernetesClientException(message, code, null);
        }
    }
}
