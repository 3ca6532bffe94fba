package io.gpusched.cli;

import io.gpusched.fuzz.FuzzFile;
import io.gpusched.manifests.yaml.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of queues is read or refused. */
public final class QueueFuzz {
    private static final Path FILE = FuzzFile.ending(".yaml");

    private QueueFuzz() {}

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
