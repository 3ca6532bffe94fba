package io.gpusched.kubernetes.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.gpusched.kubernetes.http.WebServer;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(crud = true)
class CertificateKeeperTest {
    private static final List<String> NAMES = List.of("localhost", "127.0.0.1");

    /** Time that a test moves on. */
    private static final class MovingClock extends Clock {
        private Instant now = Instant.now().minus(Duration.ofDays(61));

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    @SuppressWarnings("unused") // set by the extension
    private KubernetesClient client;

    private final MovingClock clock = new MovingClock();

    @BeforeEach
    void addConfiguration() {
        client.admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .resource(new MutatingWebhookConfigurationBuilder()
                        .withNewMetadata()
                        .withName("gpu-sched")
                        .endMetadata()
                        .addNewWebhook()
                        .withName("pods.gpu-sched.io")
                        .withNewClientConfig()
                        .withUrl("https://127.0.0.1/mutate")
                        .endClientConfig()
                        .endWebhook()
                        .build())
                .create();
    }

    private CertificateKeeper keeper(List<String> names) {
        return CertificateKeeper.of(client, "gpu-sched", "tls", "gpu-sched", names, clock, Duration.ofDays(90));
    }

    private String bundle() {
        String encoded = client.admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .withName("gpu-sched")
                .get()
                .getWebhooks()
                .get(0)
                .getClientConfig()
                .getCaBundle();
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.US_ASCII);
    }

    private Secret secret() {
        return client.secrets().inNamespace("gpu-sched").withName("tls").get();
    }

    @Test
    void theFirst_makesACertificate_sharesIt_andTellsWhomToTrust() {
        try (CertificateKeeper keeper = keeper(NAMES)) {
            assertThat(bundle()).isEqualTo(keeper.authorities());
            assertThat(secret().getType()).isEqualTo("kubernetes.io/tls");
        }
    }

    @Test
    void theSecondReplica_servesTheSameCertificate() {
        try (CertificateKeeper first = keeper(NAMES);
                CertificateKeeper second = keeper(NAMES)) {
            assertThat(second.authorities()).isEqualTo(first.authorities());
        }
    }

    /** The other replica serves the old certificate a little longer. */
    @Test
    void renewing_isSeenByClientsThatKeepTheirTrust_andTheOldCertificateStaysTrusted() throws Exception {
        try (CertificateKeeper renewing = keeper(NAMES);
                CertificateKeeper late = keeper(NAMES);
                WebServer server =
                        renewing.secure(WebServer.builder("renewing")).start("127.0.0.1", 0);
                WebServer other = late.secure(WebServer.builder("late")).start("127.0.0.1", 0)) {
            X509Certificate before = TlsClient.served(bundle(), "localhost", server.port());
            clock.now = clock.now.plus(Duration.ofDays(61));

            renewing.look(server);

            X509Certificate after = TlsClient.served(bundle(), "localhost", server.port());
            assertThat(after).isNotEqualTo(before);
            assertThat(TlsClient.served(bundle(), "localhost", other.port())).isEqualTo(before);
            late.look(other);
            assertThat(TlsClient.served(bundle(), "localhost", other.port())).isEqualTo(after);
        }
    }

    @Test
    void aLookBeforeItIsTime_changesNothing() throws Exception {
        try (CertificateKeeper keeper = keeper(NAMES);
                WebServer server = keeper.secure(WebServer.builder("early")).start("127.0.0.1", 0)) {
            String version = secret().getMetadata().getResourceVersion();
            clock.now = clock.now.plus(Duration.ofDays(59));

            keeper.look(server);

            assertThat(secret().getMetadata().getResourceVersion()).isEqualTo(version);
        }
    }

    @Test
    void aTrustThatSomebodyOverwrote_isWrittenAgain() throws Exception {
        try (CertificateKeeper keeper = keeper(NAMES);
                WebServer server = keeper.secure(WebServer.builder("trust")).start("127.0.0.1", 0)) {
            client.admissionRegistration()
                    .v1()
                    .mutatingWebhookConfigurations()
                    .withName("gpu-sched")
                    .edit(now -> {
                        now.getWebhooks().get(0).getClientConfig().setCaBundle("AAAA");
                        return now;
                    });

            keeper.look(server);

            assertThat(bundle()).isEqualTo(keeper.authorities());
        }
    }

    @Test
    void otherNames_needAnotherCertificate() {
        try (CertificateKeeper first = keeper(NAMES);
                CertificateKeeper second = keeper(List.of("localhost", "gpu-sched.svc"))) {
            assertThat(second.authorities()).isNotEqualTo(first.authorities()).endsWith(first.authorities());
        }
    }

    @Test
    void aSecretThatHoldsNoCertificate_isMadeAnew() {
        try (CertificateKeeper first = keeper(NAMES)) {
            client.secrets().inNamespace("gpu-sched").withName("tls").edit(now -> {
                now.getData().put("tls.crt", "AAAA");
                return now;
            });
            try (CertificateKeeper second = keeper(NAMES)) {
                assertThat(second.authorities()).isNotEqualTo(first.authorities());
            }
        }
    }

    @Test
    void aConfigurationThatIsMissing_isNamed() {
        assertThatThrownBy(() -> CertificateKeeper.of(client, "gpu-sched", "tls", "missing", NAMES))
                .hasMessage("there is no MutatingWebhookConfiguration \"missing\"");
    }
}
