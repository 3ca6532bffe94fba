package io.gpusched.kubernetes.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.kubernetes.KubernetesCommands;
import io.gpusched.kubernetes.http.PemKey;
import io.gpusched.kubernetes.http.Reply;
import io.gpusched.kubernetes.http.WebServer;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who reaches the verbs of an extender. */
class ExtenderAccessTest {
    @TempDir
    private Path folder;

    /** A certificate that signs itself, of a server at 127.0.0.1 or of a client. */
    private PemKey certificate(String name) throws IOException, InterruptedException {
        Path key = folder.resolve(name + ".key");
        Path certificate = folder.resolve(name + ".crt");
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")), "no openssl");
        Process openssl = new ProcessBuilder(
                        "/usr/bin/openssl",
                        "req",
                        "-x509",
                        "-newkey",
                        "rsa:2048",
                        "-nodes",
                        "-days",
                        "2",
                        "-subj",
                        "/CN=" + name,
                        "-addext",
                        "subjectAltName=IP:127.0.0.1",
                        "-keyout",
                        key.toString(),
                        "-out",
                        certificate.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        assertThat(openssl.waitFor()).isZero();
        return new PemKey(Files.readString(certificate), Files.readString(key));
    }

    private static String get(int port, PemKey server, Optional<PemKey> client) throws Exception {
        HttpClientOptions options = new HttpClientOptions()
                .setSsl(true)
                .setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(server.certificates())));
        client.ifPresent(key -> options.setKeyCertOptions(new PemKeyCertOptions()
                .addCertValue(Buffer.buffer(key.certificates()))
                .addKeyValue(Buffer.buffer(key.privateKey()))));
        Vertx vertx = Vertx.vertx();
        try {
            return vertx.createHttpClient(options)
                    .request(HttpMethod.GET, port, "127.0.0.1", "/healthz")
                    .compose(HttpClientRequest::send)
                    .compose(HttpClientResponse::body)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(60, TimeUnit.SECONDS)
                    .toString();
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void anAddressThatOthersReach_needsACertificateOfTheClient() {
        StringWriter err = new StringWriter();
        int code =
                KubernetesCommands.commandLine().setErr(new PrintWriter(err)).execute("extender", "--host", "0.0.0.0");
        assertThat(code).isEqualTo(2);
        assertThat(err.toString())
                .contains("0.0.0.0 can be reached by clients other than kube-scheduler, which could bind pods")
                .contains("Maybe name --client-ca");
    }

    @Test
    void aServerWithAClientAuthority_answersThoseAlone_whoseCertificateItSigned() throws Exception {
        PemKey server = certificate("server");
        PemKey scheduler = certificate("kube-scheduler");
        PemKey stranger = certificate("stranger");
        try (WebServer served = WebServer.builder("mtls")
                .get("/healthz", request -> Reply.text("ok"))
                .https(server)
                .clientAuthority(scheduler.certificates())
                .start("127.0.0.1", 0)) {
            assertThatThrownBy(() -> get(served.port(), server, Optional.empty()))
                    .isInstanceOf(ExecutionException.class);
            assertThatThrownBy(() -> get(served.port(), server, Optional.of(stranger)))
                    .isInstanceOf(ExecutionException.class);
            assertThat(get(served.port(), server, Optional.of(scheduler))).isEqualTo("ok");
        }
    }
}
