package io.gpusched.cli.look;

import io.gpusched.fuzz.FuzzFile;
import io.gpusched.manifests.cluster.ClusterObjects;
import io.gpusched.manifests.cluster.FoundDialects;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.yaml.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What {@code kubectl get -o json} printed becomes a snapshot or is refused. */
public final class ExportFuzz {
    private static final Path FILE = FuzzFile.ending(".json");

    private ExportFuzz() {}

    /** Reads one text. */
    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        Files.write(FILE, data);
        try {
            ClusterObjects objects = ClusterObjects.read(FILE);
            SeenCluster.of(objects, FoundDialects.of(objects.nodes())).cluster();
        } catch (InputException | IllegalArgumentException refused) {
            // as documented
        }
    }
}
