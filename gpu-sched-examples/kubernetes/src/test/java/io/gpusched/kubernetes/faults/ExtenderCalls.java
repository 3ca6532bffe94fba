package io.gpusched.kubernetes.faults;

import io.gpusched.kubernetes.extender.ExtenderProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.stream.Collectors;

/** What kube-scheduler and the kubelet ask of an extender. */
final class ExtenderCalls {
    private ExtenderCalls() {}

    /** Asks which of these nodes have room for half a GPU. */
    static HttpResponse<String> filter(ExtenderProcess extender, String... nodes) {
        String names = Arrays.stream(nodes).collect(Collectors.joining("\",\"", "\"", "\""));
        return post(
                extender,
                "filter",
                "{\"Pod\":{\"metadata\":{\"name\":\"p\",\"namespace\":\"default\",\"uid\":\"u\"},\"spec\":{\"containers\":"
                        + "[{\"name\":\"main\",\"resources\":{\"limits\":{\"nano-gpu/gpu-percent\":\"50\"}}}]}},"
                        + "\"NodeNames\":[" + names + "]}");
    }

    static HttpResponse<String> get(ExtenderProcess extender, String path) {
        return send(extender, path, HttpRequest.newBuilder().GET());
    }

    static HttpResponse<String> post(ExtenderProcess extender, String verb, String body) {
        return send(
                extender,
                "scheduler/" + verb,
                HttpRequest.newBuilder()
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static HttpResponse<String> send(ExtenderProcess extender, String path, HttpRequest.Builder request) {
        URI uri = URI.create("http://127.0.0.1:" + extender.server().port() + "/" + path);
        try {
            return HttpClient.newHttpClient().send(request.uri(uri).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
