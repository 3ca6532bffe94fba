package io.gpusched.kubernetes.command;

import io.gpusched.kubernetes.certificates.KeyFiles;
import io.gpusched.kubernetes.http.WebServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a command listens, and by which certificate. */
public final class ListenOptions {
    /** Creates the options of a command that listens at this address where none is given. */
    public ListenOptions(String host) {
        this.host = host;
    }

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = "The address to listen at (default: ${DEFAULT-VALUE}).")
    private String host;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "Serves HTTPS with the certificates in this PEM file, read again when it changes.")
    private @Nullable Path certificates;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "The private key in PEM that goes with --tls-cert.")
    private @Nullable Path privateKey;

    @Option(
            names = "--client-ca",
            paramLabel = "FILE",
            description =
                    "Serves only clients with a certificate signed by an authority of this PEM file; with --tls-cert.")
    private @Nullable Path clientAuthority;

    /** Returns whether clients need a certificate. */
    public boolean asksForCertificates() {
        return clientAuthority != null;
    }

    /**
     * Makes a server serve HTTPS as the options say.
     *
     * @throws IllegalArgumentException if clients need a certificate and the server has none, or it cannot be read
     */
    public WebServer.Builder secure(KeyFiles key, WebServer.Builder server) {
        WebServer.Builder secured = key.secure(server);
        if (clientAuthority == null) {
            return secured;
        }
        if (!key.isPresent()) {
            throw new IllegalArgumentException("--client-ca goes with --tls-cert and --tls-key");
        }
        try {
            return secured.clientAuthority(Files.readString(clientAuthority));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "--client-ca: cannot read " + clientAuthority + ": " + e.getMessage(), e);
        }
    }

    /** Returns the address. */
    public String host() {
        return host;
    }

    /**
     * Opens the certificate's files.
     *
     * @throws IOException if they cannot be read, or one is given without the other
     */
    public KeyFiles open() throws IOException {
        return KeyFiles.of(certificates, privateKey);
    }
}
