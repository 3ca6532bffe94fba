package io.gpusched.cli.look;

import io.gpusched.kubernetes.yaml.InputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What {@code kubectl get -o json} printed becomes a snapshot or is refused. */
public final class ExportFuzz {
    private static final Path FILE = file();

    private ExportFuzz() {}

    private static Path file() {
        try {
            return Files.createTempFile("fuzz", ".json");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads one text. */
    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        Files.write(FILE, data);
        try {
            ClusterObjects objects = ClusterFile.read(FILE);
            SeenCluster.of(objects, FoundDialects.of(objects.nodes())).cluster();
        } catch (InputException | IllegalArgumentException refused) {
            // as documented
        }
    }
}
