package io.gpusched.cli;

import io.gpusched.kubernetes.yaml.InputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of queues is read or refused. */
public final class QueueFuzz {
    private static final Path FILE = file();

    private QueueFuzz() {}

    private static Path file() {
        try {
            return Files.createTempFile("fuzz", ".yaml");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads one text. */
    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        Files.write(FILE, data);
        try {
            QueueFile.read(FILE);
        } catch (InputException refused) {
            // as documented
        }
    }
}
