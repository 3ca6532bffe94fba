package io.gpusched.kubernetes.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.kubernetes.http.WebServer;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class CertificateMakerTest {
    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

    private static MadeCertificate make(Instant now, String... names) {
        return new CertificateMaker(Clock.fixed(now, ZoneOffset.UTC), Duration.ofDays(90)).make(List.of(names));
    }

    @Test
    void aClientThatTrustsTheAuthority_trustsTheServer_byNameAndByAddress() throws Exception {
        MadeCertificate made = make(Instant.now(), "gpu-sched-webhook.gpu-sched.svc", "localhost", "127.0.0.1");
        try (WebServer server = WebServer.builder("tls").https(made.key()).start("127.0.0.1", 0)) {
            for (String host : List.of("127.0.0.1", "localhost")) {
                X509Certificate served = TlsClient.served(made.authorities(), host, server.port());
                assertThat(served.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
                assertThat(served.getBasicConstraints()).isEqualTo(-1);
            }
        }
    }

    @Test
    void aServerOfAnotherName_orOfAnotherAuthority_isNotTrusted() throws Exception {
        MadeCertificate made = make(Instant.now(), "localhost");
        String others = make(Instant.now(), "localhost").authorities();
        try (WebServer server = WebServer.builder("tls").https(made.key()).start("127.0.0.1", 0)) {
            assertThatThrownBy(() -> TlsClient.served(made.authorities(), "127.0.0.1", server.port()))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> TlsClient.served(others, "localhost", server.port()))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void aCertificate_isDueAfterTwoThirdsOfItsTime() {
        MadeCertificate made = make(NOON, "a");

        assertThat(made.isGoodFor(List.of("a"), NOON.plus(Duration.ofDays(59)))).isTrue();
        assertThat(made.isGoodFor(List.of("a"), NOON.plus(Duration.ofDays(61)))).isFalse();
    }

    @Test
    void aCertificate_isGoodForItsNamesAlone() {
        MadeCertificate made = make(NOON, "a.svc", "10.0.0.1");

        assertThat(made.isGoodFor(List.of("a.svc"), NOON)).isTrue();
        assertThat(made.isGoodFor(List.of("10.0.0.1", "a.svc"), NOON)).isTrue();
        assertThat(made.isGoodFor(List.of("a.svc", "b.svc"), NOON)).isFalse();
    }

    @Test
    void authoritiesWhoseTimeIsOver_areLeftOut() {
        String old = make(NOON, "a").authorities();
        String young = make(NOON.plus(Duration.ofDays(60)), "a").authorities();

        assertThat(MadeCertificate.stillValid(old + young, NOON.plus(Duration.ofDays(80))))
                .isEqualTo(old + young);
        assertThat(MadeCertificate.stillValid(old + young, NOON.plus(Duration.ofDays(91))))
                .isEqualTo(young);
    }

    @Test
    void whatCannotBeMade_isRefused() {
        assertThatThrownBy(() -> make(NOON)).hasMessage("certificate: at least one name is needed");
        assertThatThrownBy(() -> new CertificateMaker(Clock.systemUTC(), Duration.ofMinutes(5)))
                .hasMessage("certificate: its time must be at least 1 h, got PT5M");
        assertThatThrownBy(() -> MadeCertificate.certificates("no PEM")).isInstanceOf(IllegalArgumentException.class);
    }
}
