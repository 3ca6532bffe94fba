package io.gpusched.kubernetes.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

class CipherOrderTest {
    /** Prints the ciphers that a client of this JVM offers. */
    static final class Offered {
        private Offered() {}

        public static void main(String[] arguments) throws NoSuchAlgorithmException {
            CipherOrder.set();
            String[] suites = SSLContext.getDefault().getDefaultSSLParameters().getCipherSuites();
            System.out.print(String.join(",", suites));
        }
    }

    @Test
    void aClient_offersTheCheapCipherFirst_andTheOthersAfterIt() throws IOException, InterruptedException {
        assertThat(offered()).isEqualTo(String.join(",", CipherOrder.SUITES));
    }

    @Test
    void whatTheJvmWasToldAtItsStart_stays() throws IOException, InterruptedException {
        assertThat(offered("-D" + CipherOrder.PROPERTY + "=TLS_AES_256_GCM_SHA384"))
                .isEqualTo("TLS_AES_256_GCM_SHA384");
    }

    private static String offered(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(options));
        command.addAll(List.of(
                "-cp",
                folder(CipherOrder.class) + File.pathSeparator + folder(Offered.class),
                Offered.class.getName()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return words;
    }

    private static String folder(Class<?> of) {
        return of.getProtectionDomain().getCodeSource().getLocation().getPath();
    }
}
