package io.gpusched.kubernetes.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.gpusched.kubernetes.evict.Room;
import io.gpusched.manifests.grant.NominationRecord;
import io.gpusched.model.PodId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of room for which the server does not let a pod go. */
class RoomWriterTest {
    private static final PodId VICTIM = new PodId("default", "victim");

    /** Each is an answer of a server for good: a policy, a missing right, two budgets on one pod, a webhook that is down. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "403 | admission policy: no | 1",
                "403 | pods \"victim\" is forbidden: no right | 1",
                "422 | no | 1",
                "429 | admission webhook \"w\" denied the request | 3",
                "500 | This pod has more than one PodDisruptionBudget | 3",
                "500 | failed calling webhook \"w\" | 3"
            })
    void aVictimWhoseEvictionIsRefused_isGivenUp_andNamed(int code, String message, int attempts) throws Exception {
        AtomicInteger asked = new AtomicInteger();
        BlockingQueue<String> heard = new ArrayBlockingQueue<>(10);
        HttpServer server = server(code, message, asked);
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .withRequestRetryBackoffLimit(0)
                .build();
        try (KubernetesClient client =
                        new KubernetesClientBuilder().withConfig(config).build();
                ApiWriter writer = new ApiWriter(client, 1, () -> true)) {
            new RoomWriter(writer, new Listener(heard))
                    .make(new Room("job", List.of(), List.of(new NominationRecord.Victim(VICTIM, "u"))));
            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("job Optional[" + VICTIM + "] " + message);
        } finally {
            server.stop(0);
        }
        assertThat(asked).hasValue(attempts);
    }

    private static HttpServer server(int code, String message, AtomicInteger asked) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.incrementAndGet();
            exchange.getRequestBody().readAllBytes();
            byte[] status = ("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":" + code + ",\"message\":\""
                            + message.replace("\"", "\\\"") + "\"}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(code, status.length);
            exchange.getResponseBody().write(status);
            exchange.close();
        });
        server.start();
        return server;
    }

    private record Listener(BlockingQueue<String> heard) implements RoomListener {
        @Override
        public void evicted(NominationRecord.Victim victim, String job) {
            heard.add("evicted");
        }

        @Override
        public void blocked(String job) {
            heard.add("blocked");
        }

        @Override
        public void givenUp(String job, Optional<PodId> kept, String why) {
            heard.add(job + " " + kept + " " + why);
        }
    }
}
