package io.gpusched.kubernetes.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.kubernetes.http.WebServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFilesTest {
    @TempDir
    private Path folder;

    private MadeCertificate write() throws IOException {
        MadeCertificate made = new CertificateMaker(Clock.systemUTC(), Duration.ofDays(1)).make(List.of("localhost"));
        Files.writeString(certificates(), made.key().certificates());
        Files.writeString(privateKey(), made.key().privateKey());
        return made;
    }

    private Path certificates() {
        return folder.resolve("tls.crt");
    }

    private Path privateKey() {
        return folder.resolve("tls.key");
    }

    @Test
    void filesThatChange_areServedFromThenOn() throws Exception {
        write();
        try (KeyFiles files = KeyFiles.of(certificates(), privateKey());
                WebServer server = files.secure(WebServer.builder("files")).start("127.0.0.1", 0)) {
            MadeCertificate renewed = write();

            files.renew(server);

            assertThat(TlsClient.served(renewed.authorities(), "localhost", server.port()))
                    .isNotNull();
        }
    }

    @Test
    void filesThatCannotBeUsed_leaveTheOldCertificate() throws Exception {
        MadeCertificate first = write();
        try (KeyFiles files = KeyFiles.of(certificates(), privateKey());
                WebServer server = files.secure(WebServer.builder("files")).start("127.0.0.1", 0)) {
            Files.writeString(certificates(), "half a certif");

            files.renew(server);

            assertThat(TlsClient.served(first.authorities(), "localhost", server.port()))
                    .isNotNull();
        }
    }

    @Test
    void withoutFiles_aServerStaysPlain() throws Exception {
        try (KeyFiles files = KeyFiles.of(null, null)) {
            assertThat(files.isPresent()).isFalse();
            WebServer.Builder server = WebServer.builder("plain");
            assertThat(files.secure(server)).isSameAs(server);
        }
    }

    @Test
    void oneFileWithoutTheOther_isRefused() {
        assertThatThrownBy(() -> KeyFiles.of(certificates(), null))
                .hasMessage("--tls-cert and --tls-key go together; only one of them is given");
    }

    @Test
    void aFileThatIsMissing_isAnErrorThatNamesIt() {
        assertThatThrownBy(() -> KeyFiles.of(certificates(), privateKey()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tls.crt");
    }
}
