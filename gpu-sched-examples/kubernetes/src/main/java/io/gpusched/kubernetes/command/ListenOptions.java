package io.gpusched.kubernetes.command;

import io.gpusched.kubernetes.certificates.KeyFiles;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a command listens, and by which certificate. */
public final class ListenOptions {
    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "0.0.0.0",
            description = "The address to listen at (default: ${DEFAULT-VALUE}).")
    private String host = "";

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "Serves HTTPS with the certificates in this PEM file, read again when it changes.")
    private @Nullable Path certificates;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "The private key in PEM that goes with --tls-cert.")
    private @Nullable Path privateKey;

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
