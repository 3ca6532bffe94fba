package io.gpusched.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.yaml.snakeyaml.Yaml;

/** The manifests of {@code deploy}, in the order in which its kustomizations list them. */
final class DeployFiles {
    static final Path FOLDER = Path.of("..", "..", "deploy").toAbsolutePath().normalize();

    private DeployFiles() {}

    /** Returns the files below a folder that has a kustomization. */
    static List<Path> files(Path folder) throws IOException {
        Map<String, List<String>> kustomization =
                new Yaml().load(Files.readString(folder.resolve("kustomization.yaml")));
        List<Path> files = new ArrayList<>();
        for (String resource : kustomization.get("resources")) {
            Path named = folder.resolve(resource).normalize();
            if (Files.isDirectory(named)) {
                files.addAll(files(named));
            } else {
                files.add(named);
            }
        }
        return files;
    }

    /** Returns the objects of a part, such as {@code webhook}; of everything for an empty name. */
    static List<HasMetadata> objects(KubernetesClient client, String part) throws IOException {
        List<HasMetadata> objects = new ArrayList<>();
        for (Path file : files(FOLDER.resolve(part))) {
            try (InputStream in = Files.newInputStream(file)) {
                objects.addAll(client.load(in).items());
            }
        }
        return objects;
    }

    /** Creates the objects of a part, or brings those up to date that are there. */
    static void apply(KubernetesClient client, String part) throws IOException {
        apply(client, part, any -> true);
    }

    static void apply(KubernetesClient client, String part, Predicate<HasMetadata> wanted) throws IOException {
        for (HasMetadata object : objects(client, part)) {
            if (wanted.test(object)) {
                client.resource(object).forceConflicts().serverSideApply();
            }
        }
    }
}
