package io.gpusched.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Asks what a process of this machine serves by HTTP. */
final class Fetch {
    private Fetch() {}

    /** Returns the text that is served on the loopback address, whatever its status. */
    static String text(int port, String path) {
        try {
            return answer("127.0.0.1", port, path).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the answer to a GET. */
    static HttpResponse<String> answer(String host, int port, String path) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}
