package io.gpusched.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.kubernetes.command.ListenAddress;
import io.gpusched.kubernetes.extender.ExtenderProcess;
import io.gpusched.kubernetes.http.PemKey;
import io.gpusched.manifests.view.DialectSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * What those can do who reach an extender, on a real API server with a stock kube-scheduler that shows its certificate: the rows of
 * docs/threat-model.md about it.
 */
class ExtenderTenantsOnControlPlaneTest {
    private static final String PERCENT = "nano-gpu/gpu-percent";
    private static final String PASSWORD = "changeit";

    @RegisterExtension
    static final TestPlane plane = TestPlane.own();

    @TempDir
    static Path folder;

    private static KubernetesClient client;
    private static ExtenderProcess extender;

    private final ClusterCalls calls = plane.calls();

    @BeforeAll
    static void start() throws Exception {
        client = plane.client();
        ExtenderControlPlaneTest.grantRights(client);
        plane.addNodes(Manifests.node("n1", Map.of(), Map.of(PERCENT, "200")));
        PemKey server = certificate("server");
        PemKey scheduler = certificate("kube-scheduler");
        certificate("stranger");
        extender = plane.closing(ExtenderProcess.start(
                plane.clientOf("gpu-sched-extender"),
                new DialectSet(List.of(TestPlane.dialect("nano-gpu"))),
                "gpu-sched",
                new ListenAddress("127.0.0.1", 0),
                Optional.empty(),
                builder -> builder.https(server).clientAuthority(scheduler.certificates())));
        plane.plane().startScheduler(configuration());
    }

    /** A certificate that signs itself, of a server at 127.0.0.1 or of a client. */
    private static PemKey certificate(String name) throws IOException, InterruptedException {
        run(
                "openssl",
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
                file(name, "key"),
                "-out",
                file(name, "crt"));
        run(
                "openssl",
                "pkcs12",
                "-export",
                "-in",
                file(name, "crt"),
                "-inkey",
                file(name, "key"),
                "-out",
                file(name, "p12"),
                "-passout",
                "pass:" + PASSWORD);
        return new PemKey(Files.readString(Path.of(file(name, "crt"))), Files.readString(Path.of(file(name, "key"))));
    }

    private static String file(String name, String kind) {
        return folder.resolve(name + "." + kind).toString();
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin", command[0])), "no " + command[0]);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        assertThat(process.waitFor()).isZero();
    }

    /** As the command prints it for files that kube-scheduler finds. */
    private static String configuration() {
        StringWriter out = new StringWriter();
        List<String> arguments = new ArrayList<>(List.of("extender", "--print-config", "--dialect", "nano-gpu"));
        arguments.addAll(List.of("--url", url(), "--ca-file", file("server", "crt")));
        arguments.addAll(
                List.of("--cert-file", file("kube-scheduler", "crt"), "--key-file", file("kube-scheduler", "key")));
        int code =
                KubernetesCommands.commandLine().setOut(new PrintWriter(out)).execute(arguments.toArray(String[]::new));
        assertThat(code).isZero();
        return out.toString();
    }

    private static String url() {
        return "https://127.0.0.1:" + extender.server().port();
    }

    private static HttpResponse<String> post(String as, String verb, String body) throws Exception {
        return HttpClient.newBuilder()
                .sslContext(context(as))
                .build()
                .send(
                        HttpRequest.newBuilder(URI.create(url() + "/scheduler/" + verb))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    /** A client that trusts the server, and shows a certificate if it has a name. */
    private static SSLContext context(String as) throws GeneralSecurityException, IOException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "server", keys("server").getCertificate(keys("server").aliases().nextElement()));
        trust.init(trusted);
        KeyManager[] shown = {};
        if (!as.isEmpty()) {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keys(as), PASSWORD.toCharArray());
            shown = factory.getKeyManagers();
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(shown, trust.getTrustManagers(), new SecureRandom());
        return context;
    }

    private static KeyStore keys(String name) throws GeneralSecurityException, IOException {
        return KeyStore.getInstance(Path.of(file(name, "p12")).toFile(), PASSWORD.toCharArray());
    }

    private static String binding(Pod pod) {
        return "{\"PodName\":\"%s\",\"PodNamespace\":\"default\",\"PodUID\":\"%s\",\"Node\":\"n1\"}"
                .formatted(pod.getMetadata().getName(), pod.getMetadata().getUid());
    }

    private static Pod of(String scheduler, Pod pod) {
        pod.getSpec().setSchedulerName(scheduler);
        return pod;
    }

    @Test
    void kubeScheduler_bindsWithTheSettingsThatArePrinted_andNobodyWithoutItsCertificate() throws Exception {
        calls.create(Manifests.pod("mine", PERCENT, "30"));
        calls.awaitBound("mine");
        assertThat(calls.annotation("mine", "gpu-sched.io/grant")).contains("n1");

        Pod other = calls.create(of("nobody", Manifests.pod("waits", PERCENT, "30")));
        assertThatThrownBy(() -> post("", "bind", binding(other))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> post("stranger", "bind", binding(other))).isInstanceOf(IOException.class);
        assertThat(calls.nodeOf("waits")).isEmpty();
    }

    @Test
    void aPodOfAnotherScheduler_orWithoutGpus_isNotBound_evenForKubeScheduler() throws Exception {
        Pod foreign = calls.create(of("another", Manifests.pod("foreign", PERCENT, "30")));
        assertThat(post("kube-scheduler", "bind", binding(foreign)).body()).contains("another");
        Pod plain = calls.create(of("gpu-sched", Manifests.pod("plain-0", Map.of("nvidia.com/none", "1"))));
        assertThat(post("kube-scheduler", "bind", binding(plain)).body()).contains("it asks for none of");
        assertThat(calls.nodeOf("foreign") + calls.nodeOf("plain-0")).isEmpty();
    }

    @Test
    void aGrantThatIsChangedLater_givesNothingAway_andAnEventSaysSo() throws Exception {
        calls.create(Manifests.pod("holder", PERCENT, "100"));
        calls.awaitBound("holder");
        client.pods().inNamespace("default").withName("holder").edit(pod -> {
            var annotations = pod.getMetadata().getAnnotations();
            String grant = annotations.get("gpu-sched.io/grant");
            String there = grant.contains("gpu-0") ? "gpu-0" : "gpu-1";
            annotations.put("gpu-sched.io/grant", grant.replace(there, there.equals("gpu-0") ? "gpu-1" : "gpu-0"));
            annotations.put("nano-gpu/container-main", there.equals("gpu-0") ? "1" : "0");
            return pod;
        });
        calls.awaitEvent("GrantChanged", "holder");
        String held = calls.annotation("holder", "nano-gpu/container-main");

        calls.create(Manifests.pod("next", PERCENT, "60"));
        calls.awaitBound("next");
        assertThat(calls.annotation("next", "nano-gpu/container-main"))
                .as("the GPU that the changed grant names is free, the one that was granted is not")
                .isEqualTo(held);
    }

    /** One that listens on the loopback address alone is not reached at another one of the same machine. */
    @Test
    void aHealthPort_isReachedWhereItIsServedAlone_andServesNoVerb() throws Exception {
        try (ExtenderProcess probed = ExtenderProcess.start(
                plane.clientOf("gpu-sched-extender"),
                new DialectSet(List.of(TestPlane.dialect("nano-gpu"))),
                "gpu-sched",
                new ListenAddress("127.0.0.1", 0),
                Optional.of(new ListenAddress("127.0.0.1", 0)),
                builder -> builder)) {
            int healthPort = probed.healthPort();
            assertThat(Fetch.answer("127.0.0.1", healthPort, "/healthz").statusCode())
                    .isEqualTo(200);
            assertThat(Fetch.answer("127.0.0.1", healthPort, "/scheduler/bind").statusCode())
                    .isEqualTo(404);
            assertThatThrownBy(() -> Fetch.answer("127.0.0.2", healthPort, "/healthz"))
                    .isInstanceOf(ConnectException.class);
            int port = probed.server().port();
            assertThatThrownBy(() -> Fetch.answer("127.0.0.2", port, "/healthz"))
                    .isInstanceOf(ConnectException.class);
        }
        var kube = plane.run(TestPlane.settings("nano-gpu")
                .withSchedulerName("another")
                .withHealthHost("127.0.0.1")
                .withHealthPort(0));
        assertThat(Fetch.answer("127.0.0.1", kube.healthPort(), "/healthz").statusCode())
                .isEqualTo(200);
        assertThatThrownBy(() -> Fetch.answer("127.0.0.2", kube.healthPort(), "/healthz"))
                .isInstanceOf(ConnectException.class);
    }
}
