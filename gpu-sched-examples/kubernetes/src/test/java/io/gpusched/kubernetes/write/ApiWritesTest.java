package io.gpusched.kubernetes.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ApiWritesTest {
    private static final String PATH = "/api/v1/namespaces/default/pods/p/binding";

    private final List<String> heard = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private int status = 201;
    private String answer = "{}";

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

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        heard.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                + exchange.getRequestHeaders().getFirst("Authorization") + " "
                + exchange.getRequestHeaders().getFirst("User-Agent") + " " + body);
        byte[] words = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, words.length);
        exchange.getResponseBody().write(words);
        exchange.close();
    }

    private void post(UnaryOperator<ConfigBuilder> settings) {
        with(settings, writes -> writes.post(PATH, Map.of("a", 1)));
    }

    private void with(UnaryOperator<ConfigBuilder> settings, Consumer<ApiWrites> write) {
        Config config = settings.apply(new ConfigBuilder(Config.empty())
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .withOauthToken("secret")
                        .withUserAgent("tester")
                        .withRequestTimeout(4_000)
                        .withRequestRetryBackoffLimit(0))
                .build();
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build()) {
            write.accept(ApiWrites.of(client));
        }
    }

    @Test
    void theObject_isPostedOnce_withTokenAndName() {
        post(config -> config);
        assertThat(heard).containsExactly("POST " + PATH + " Bearer secret tester {\"a\":1}");
    }

    @Test
    void anObject_isReplaced_alsoByAClientWithHeadersOfItsOwn() {
        with(config -> config, writes -> writes.put(PATH, Map.of("b", 2)));
        with(config -> config.withCustomHeaders(Map.of("X-Team", "a")), writes -> writes.put(PATH, Map.of("c", 3)));
        assertThat(heard)
                .containsExactly(
                        "PUT " + PATH + " Bearer secret tester {\"b\":2}",
                        "PUT " + PATH + " Bearer secret tester {\"c\":3}");
    }

    @Test
    void anObject_isRead_asTheServerTellsIt_andOneThatIsNotThereIsNull() {
        answer = "{\"a\":1}";
        with(config -> config, writes -> assertThat(writes.get(PATH)).isEqualTo(answer));
        assertThat(heard).containsExactly("GET " + PATH + " Bearer secret tester ");
        status = 404;
        with(config -> config, writes -> assertThat(writes.get(PATH)).isNull());
        with(
                config -> config.withCustomHeaders(Map.of("X-Team", "a")),
                writes -> assertThat(writes.get(PATH)).isNull());
    }

    @Test
    void whatIsWritten_isReturnedAsTheServerTellsIt_andATextIsWrittenAsItStands() {
        answer = "{\"a\":1}";
        with(
                config -> config,
                writes -> assertThat(writes.put(PATH, "{\"b\":2}")).isEqualTo(answer));
        assertThat(heard).containsExactly("PUT " + PATH + " Bearer secret tester {\"b\":2}");
    }

    @Test
    void aRefusal_carriesItsStatusAndWords() {
        status = 409;
        answer =
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":409,\"message\":\"the object has been modified\"}";
        assertThatThrownBy(() -> post(config -> config))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("the object has been modified")
                .extracting(thrown -> ((KubernetesClientException) thrown).getCode())
                .isEqualTo(409);
        assertThat(heard).hasSize(1);
    }

    @Test
    void anAnswerThatIsNoStatus_isNamedByItsNumber() {
        status = 502;
        answer = "<html>bad gateway</html>";
        assertThatThrownBy(() -> post(config -> config))
                .hasMessageContaining("status 502")
                .extracting(thrown -> ((KubernetesClientException) thrown).getCode())
                .isEqualTo(502);
    }

    @Test
    void aServerThatIsNotThere_isNoAnswer() {
        int port = server.getAddress().getPort();
        server.stop(0);
        assertThatThrownBy(() -> post(config -> config.withMasterUrl("http://127.0.0.1:" + port)))
                .isInstanceOf(KubernetesClientException.class)
                .satisfies(thrown -> assertThat(((KubernetesClientException) thrown).getCode())
                        .isLessThan(1));
    }

    @Test
    void aTokenThatIsRefused_isLeftToTheClient() {
        status = 401;
        assertThatThrownBy(() -> post(config -> config))
                .isInstanceOf(KubernetesClientException.class)
                .extracting(thrown -> ((KubernetesClientException) thrown).getCode())
                .isEqualTo(401);
        assertThat(heard).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void aClientWithHeadersOfItsOwn_postsByItself() {
        post(config -> config.withCustomHeaders(Map.of("X-Team", "a")));
        assertThat(heard).singleElement().asString().startsWith("POST " + PATH);
    }
}
