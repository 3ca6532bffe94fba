package io.gpusched.kubernetes.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.kubernetes.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebServerTest {
    private static final Duration PATIENT = Duration.ofMinutes(2);

    /** No time is over in a test that is not about times, however busy the machine is. */
    private static final HttpLimits LIMITS =
            HttpLimits.DEFAULT.withBodyBytes(10_000).withTimes(PATIENT, PATIENT).withConnections(40);

    private final AtomicInteger answered = new AtomicInteger();
    private WebServer server;

    @BeforeEach
    void start() throws IOException {
        server = serve(LIMITS);
    }

    private WebServer serve(HttpLimits limits) throws IOException {
        return WebServer.builder("test")
                .limits(limits)
                .get("/healthz", request -> Reply.text("ok"))
                .post("/length", request -> {
                    answered.incrementAndGet();
                    return Reply.text("" + request.body().length());
                })
                .post("/json", request -> Reply.json(request.json()))
                .post("/broken", request -> {
                    throw new IllegalStateException("a defect");
                })
                .start("127.0.0.1", 0);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aPortOutOfRange_isRefusedWithTheRange() {
        assertThatThrownBy(() -> WebServer.builder("test").start("127.0.0.1", 65_536))
                .hasMessage("port must be in 0..65535, got 65536");
    }

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** The server hears a little later than the client that a connection is closed. */
    private void awaitServes() {
        Await.until("served", () -> {
            try {
                return send("POST", "/length", "abc").body().equals("3");
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    private void assertServes() throws Exception {
        assertThat(send("POST", "/length", "abc").body()).isEqualTo("3");
    }

    @Test
    void aRoute_answersWithTheBodyAndTypeOfItsReply() throws Exception {
        HttpResponse<String> response = send("GET", "/healthz", "");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("ok");
        assertThat(response.headers().firstValue("Content-Type")).contains("text/plain; charset=utf-8");
    }

    @Test
    void aPathThatIsNotServed_is404AndNamesThoseThatAre() throws Exception {
        HttpResponse<String> response = send("GET", "/health", "");

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.body()).contains("/health", "/healthz", "/length");
    }

    @Test
    void anotherMethodThanTheRoutes_is405AndNamesTheRight() throws Exception {
        HttpResponse<String> response = send("DELETE", "/length", "");

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.body()).isEqualTo("/length takes POST, got DELETE\n");
    }

    @Test
    void badJson_is400AndSaysWhere() throws Exception {
        HttpResponse<String> response = send("POST", "/json", "{\"a\":\n 1,}");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("must be JSON in line 2");
    }

    @Test
    void anEmptyBodyOrMoreThanOneValue_is400() throws Exception {
        assertThat(send("POST", "/json", "").statusCode()).isEqualTo(400);
        assertThat(send("POST", "/json", "{} {}").statusCode()).isEqualTo(400);
    }

    @Test
    void jsonNestedTooDeeply_is400_notTheEndOfTheServer() throws Exception {
        assertThat(send("POST", "/json", "[".repeat(9_000)).statusCode()).isEqualTo(400);
        assertServes();
    }

    @Test
    void json_comesBackAsItWasSent() throws Exception {
        assertThat(send("POST", "/json", "{\"a\":[1,null,\"é\"]}").body()).isEqualTo("{\"a\":[1,null,\"é\"]}");
    }

    @Test
    void aDefectOfAHandler_is500WithoutItsDetails_andTheServerGoesOn() throws Exception {
        HttpResponse<String> response = send("POST", "/broken", "");

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body()).doesNotContain("a defect");
        assertServes();
    }

    @Test
    void aBodyAsLongAsAllowed_isAccepted_oneByteMoreIs413() throws Exception {
        assertThat(send("POST", "/length", "x".repeat(10_000)).body()).isEqualTo("10000");
        HttpResponse<String> response = send("POST", "/length", "x".repeat(10_001));
        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(response.body()).contains("10000 bytes");
    }

    @Test
    void aBodyOf100Megabytes_isRefusedByItsDeclaredLength_withoutReadingIt() throws Exception {
        try (RawClient client = RawClient.to(server)) {
            client.say(RawClient.post("/length", 100_000_000));
            assertThat(client.answer()).startsWith("HTTP/1.1 413 ");
        }
        assertThat(answered).hasValue(0);
        assertServes();
    }

    @Test
    void aChunkedBodyOf100Megabytes_isRefusedWhenItPassesTheLimit() throws Exception {
        try (RawClient client = RawClient.to(server)) {
            client.say("POST /length HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
                    .sayRepeatedly("186a0\r\n" + "x".repeat(100_000) + "\r\n", 1_000);
            assertThat(client.answer()).startsWith("HTTP/1.1 413 ");
            assertThat(client.isClosedByServer()).isTrue();
        }
        assertServes();
    }

    @Test
    void aBodyThatTrickles_is408_howeverRegularItsBytesAre() throws Exception {
        try (WebServer hasty = serve(LIMITS.withTimes(Duration.ofSeconds(1), PATIENT));
                RawClient client = RawClient.to(hasty)) {
            client.say(RawClient.post("/length", 1_000));
            CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> {
                try {
                    return client.answer();
                } catch (IOException e) {
                    return e.toString();
                }
            });
            for (int i = 0; i < 900 && !answer.isDone(); i++) {
                client.sayRepeatedly("x", 1);
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertThat(answer.get(2, TimeUnit.MINUTES))
                    .startsWith("HTTP/1.1 408 ")
                    .contains("1000 ms");
        }
        assertThat(answered).hasValue(0);
    }

    @Test
    void aHeadThatTrickles_closesTheConnection() throws Exception {
        try (WebServer hasty = serve(LIMITS.withTimes(Duration.ofMillis(400), PATIENT));
                RawClient client = RawClient.to(hasty)) {
            client.say("POST /length HTTP/1.1\r\nHost:");
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void aHeadThatIsNoHttp_is400() throws Exception {
        try (RawClient client = RawClient.to(server)) {
            client.say("this is no request\r\n\r\n");
            assertThat(client.answer()).matches("(?s)HTTP/1\\.[01] 400 .*");
        }
        assertServes();
    }

    @Test
    void aHeadWithoutEnd_isRefusedWhenItIsTooLong() throws Exception {
        try (RawClient client = RawClient.to(server)) {
            client.say("GET /healthz HTTP/1.1\r\nA: ").sayRepeatedly("x".repeat(1_000), 100);
            assertThat(client.answer()).startsWith("HTTP/1.1 431 ");
        }
        assertServes();
    }

    @Test
    void aConnection_servesManyRequests() throws Exception {
        try (RawClient client = RawClient.to(server)) {
            for (int i = 0; i < 3; i++) {
                client.say(RawClient.post("/length", 2) + "ab");
                assertThat(client.answer()).startsWith("HTTP/1.1 200 ").endsWith("2");
            }
        }
    }

    @Test
    void aConnection_isClosedWhenIdle() throws Exception {
        try (WebServer hasty = serve(LIMITS.withTimes(PATIENT, Duration.ofMillis(400)));
                RawClient client = RawClient.to(hasty)) {
            client.say(RawClient.post("/length", 2) + "ab");
            assertThat(client.answer()).startsWith("HTTP/1.1 200 ").endsWith("2");
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void requestsSentWithoutWaiting_areAnsweredInTheirOrder() throws Exception {
        try (RawClient client = RawClient.to(server)) {
            client.say(RawClient.post("/length", 2) + "ab" + RawClient.post("/length", 3) + "abc");
            assertThat(client.answer()).endsWith("2");
            assertThat(client.answer()).endsWith("3");
        }
    }

    @Test
    void aClientThatAsksBeforeItSends_isToldToGoOn_orThatItIsTooMuch() throws Exception {
        try (RawClient client = RawClient.to(server)) {
            client.say("POST /length HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
            assertThat(client.answer()).startsWith("HTTP/1.1 100 ");
            client.say("ab");
            assertThat(client.answer()).endsWith("2");
        }
        try (RawClient client = RawClient.to(server)) {
            client.say("POST /length HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 10001\r\n\r\n");
            assertThat(client.answer()).startsWith("HTTP/1.1 413 ");
        }
    }

    @Test
    void aClientThatGoesAwayInTheMiddle_leavesNothingBehind() throws Exception {
        for (int i = 0; i < 50; i++) {
            try (RawClient client = RawClient.to(server)) {
                client.say(RawClient.post("/length", 9_000)).say("x".repeat(5_000));
            }
        }
        awaitServes();
        assertThat(answered).hasValue(1);
    }

    @Test
    void moreConnectionsThanAllowed_are503_andServedAgainWhenOthersGo() throws Exception {
        List<RawClient> many = new ArrayList<>();
        try {
            for (int i = 0; i < 60; i++) {
                many.add(RawClient.to(server));
            }
            many.get(59).say(RawClient.post("/length", 1) + "a");
            assertThat(many.get(59).answer()).startsWith("HTTP/1.1 503 ").contains("40 connections");
            many.get(0).say(RawClient.post("/length", 1) + "a");
            assertThat(many.get(0).answer()).startsWith("HTTP/1.1 200 ");
        } finally {
            for (RawClient client : many) {
                client.close();
            }
        }
        awaitServes();
    }

    @Test
    void idleConnections_leaveAllRequestsToOthers_andOneRequestTooManyIs503() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        WebServer.Builder builder = WebServer.builder("few")
                .limits(HttpLimits.DEFAULT.withConnections(20).withRequests(1))
                .get("/quick", request -> Reply.text("done"))
                .get("/slow", request -> {
                    begun.countDown();
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return Reply.text("done");
                });
        List<RawClient> clients = new ArrayList<>();
        try (WebServer few = builder.start("127.0.0.1", 0)) {
            for (int i = 0; i < 12; i++) {
                clients.add(RawClient.to(few));
            }
            RawClient slow = clients.get(10).say("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
            begun.await();
            RawClient refused = clients.get(11).say("GET /quick HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(refused.answer()).startsWith("HTTP/1.1 503 ").contains("more than 1 requests at one time");
            end.countDown();
            assertThat(slow.answer()).startsWith("HTTP/1.1 200 ");
        } finally {
            end.countDown();
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void closing_answersWhatIsWorkedAt() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        WebServer slow = WebServer.builder("slow")
                .get("/slow", request -> {
                    begun.countDown();
                    try {
                        TimeUnit.MILLISECONDS.sleep(300);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return Reply.text("done");
                })
                .start("127.0.0.1", 0);
        try (RawClient client = RawClient.to(slow)) {
            client.say("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
            begun.await();
            slow.close();
            assertThat(client.answer()).startsWith("HTTP/1.1 200 ").endsWith("done");
        }
    }

    @Test
    void aPortThatIsTaken_isAnErrorThatNamesIt() {
        int taken = server.port();

        assertThatThrownBy(() -> WebServer.builder("second").start("127.0.0.1", taken))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("second: cannot listen at 127.0.0.1:" + taken);
    }
}
