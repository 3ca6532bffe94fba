package io.gpusched.kubernetes.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.kubernetes.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WebServerLoadTest {
    private static final int CONNECTIONS = 200;
    private static final int REQUESTS_EACH = 20;

    /** All requests are under way before the first answer is read, and nothing of them is lost or mixed up. */
    @Test
    void twoHundredConnections_getEachTheirOwnAnswers() throws IOException {
        AtomicInteger handled = new AtomicInteger();
        try (WebServer server = WebServer.builder("load")
                .limits(HttpLimits.DEFAULT.withTimes(Duration.ofMinutes(2), Duration.ofMinutes(2)))
                .post("/echo", request -> {
                    handled.incrementAndGet();
                    return new Reply(200, "text/plain", request.body());
                })
                .start("127.0.0.1", 0)) {
            List<RawClient> clients = new ArrayList<>();
            for (int c = 0; c < CONNECTIONS; c++) {
                clients.add(RawClient.to(server));
            }
            for (int r = 0; r < REQUESTS_EACH; r++) {
                for (int c = 0; c < CONNECTIONS; c++) {
                    String body = body(c, r);
                    clients.get(c).say(RawClient.post("/echo", body.length()) + body);
                }
                for (int c = 0; c < CONNECTIONS; c++) {
                    assertThat(clients.get(c).answer())
                            .startsWith("HTTP/1.1 200 ")
                            .endsWith("\n" + body(c, r));
                }
            }
            for (RawClient client : clients) {
                client.close();
            }
        }
        assertThat(handled).hasValue(CONNECTIONS * REQUESTS_EACH);
    }

    private static String body(int client, int request) {
        return "client " + client + " request " + request + " " + "x".repeat(client * 10);
    }

    /** What all bodies hold together is bounded, and given back when they are answered or their clients go. */
    @Test
    void bodiesThatAreNeverFinished_doNotUseUpTheMemoryOfTheOthersForGood() throws IOException {
        Duration patient = Duration.ofMinutes(2);
        HttpLimits limits = new HttpLimits(10_000, 50_000, CONNECTIONS, CONNECTIONS, patient, patient, 2);
        try (WebServer server = WebServer.builder("memory")
                .limits(limits)
                .post("/length", request -> Reply.text("" + request.body().length()))
                .start("127.0.0.1", 0)) {
            List<RawClient> unfinished = new ArrayList<>();
            for (int c = 0; c < 5; c++) {
                RawClient client = RawClient.to(server);
                unfinished.add(client.say(RawClient.post("/length", 10_000)).say("x".repeat(9_999)));
            }
            assertThat(untilStatus(server, "503")).contains("too much");
            for (RawClient client : unfinished) {
                client.close();
            }
            assertThat(untilStatus(server, "200")).endsWith("1000");
        }
    }

    /** Asks again until this is the status: the server sees what the others did a moment later. */
    private static String untilStatus(WebServer server, String status) {
        AtomicReference<String> answer = new AtomicReference<>("");
        Await.until("an answer " + status, () -> {
            try (RawClient client = RawClient.to(server)) {
                client.say(RawClient.post("/length", 1_000) + "x".repeat(1_000));
                answer.set(client.answer());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return answer.get().startsWith("HTTP/1.1 " + status);
        });
        return answer.get();
    }
}
