package io.gpusched.cli.serve;

import io.gpusched.json.JsonFormat;
import io.gpusched.kubernetes.http.HttpProblem;
import io.gpusched.model.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** Keeps the cluster in a file, so that a service that starts again goes on where it was. */
final class StateFile {
    private final Path path;

    StateFile(Path path) {
        this.path = path;
    }

    /** Returns what the file holds; nothing if there is none. */
    Optional<Cluster> read() throws IOException {
        return Files.exists(path) ? Optional.of(JsonFormat.CLUSTER.read(Files.readString(path))) : Optional.empty();
    }

    /**
     * Replaces the file as a whole.
     *
     * @throws HttpProblem with status 500 if it cannot be written
     */
    void write(Cluster cluster) {
        Path written = Path.of(path + ".new");
        try {
            Files.writeString(written, JsonFormat.CLUSTER.write(cluster));
            Files.move(written, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new HttpProblem(500, "the state cannot be written, so nothing was changed: " + e);
        }
    }
}
