package io.gpusched.cli.look;

import com.fasterxml.jackson.databind.DeserializationFeature;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpusched.manifests.objects.ModelMapper;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.manifests.yaml.YamlReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What {@code kubectl get nodes,pods -A -o json} printed, or the same in YAML; other kinds may stand there too. */
final class ClusterFile {
    /** What the kubelet takes where nothing else is configured. */
    private static final String KUBELET_PODS = "110";

    private ClusterFile() {}

    static ClusterObjects read(Path file) {
        boolean isInput = file.toString().equals(YamlReader.STANDARD_INPUT);
        String name = isInput ? "standard input" : file.toString();
        try {
            byte[] bytes = isInput ? System.in.readAllBytes() : Files.readAllBytes(file);
            List<HasMetadata> objects = new ArrayList<>();
            add(name, serialization().unmarshal(new ByteArrayInputStream(bytes)), objects);
            return ClusterObjects.of(objects, Optional.empty());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        } catch (InputException e) {
            throw e;
        } catch (RuntimeException e) {
            String problem = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new InputException(name, 0, "", "must be what kubectl prints with -o json or -o yaml: " + problem);
        }
    }

    private static KubernetesSerialization serialization() {
        return new KubernetesSerialization(
                ModelMapper.ofServer().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES), true);
    }

    /** A node that is written by hand may leave out how many pods it takes. */
    private static Node roomy(Node node) {
        boolean isStated =
                node.getStatus() == null || node.getStatus().getAllocatable().containsKey("pods");
        return isStated
                ? node
                : node.edit()
                        .editStatus()
                        .addToAllocatable("pods", new Quantity(KUBELET_PODS))
                        .endStatus()
                        .build();
    }

    private static void add(String name, Object read, List<HasMetadata> objects) {
        if (read instanceof Collection<?> documents) {
            documents.forEach(document -> add(name, document, objects));
        } else if (read instanceof KubernetesResourceList<?> list) {
            list.getItems().forEach(item -> add(name, item, objects));
        } else if (read instanceof Node node) {
            objects.add(roomy(node));
        } else if (read instanceof HasMetadata object) {
            objects.add(object);
        } else {
            throw new InputException(name, 0, "", "must hold objects of Kubernetes");
        }
    }
}
