package io.gpusched.fuzz;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Node;
import io.gpusched.model.PodId;
import io.gpusched.workload.NodeSelector;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Labels, annotations and amounts of nodes and pods, as each dialect reads them. A line {@code what key=value} says one: {@code na} an
 * annotation of the node, {@code nl} a label and {@code nr} a resource of it, {@code pa} and {@code pr} those of the pod.
 */
public final class DialectFuzz {
    private static final List<Dialect> DIALECTS = Dialects.known().stream()
            .flatMap(name -> Dialects.find(name).stream())
            .map(named -> named.dialect())
            .toList();

    private DialectFuzz() {}

    /** Reads one text, by each dialect. */
    public static void fuzzerTestOneInput(byte[] data) {
        Map<String, Map<String, String>> said = said(new String(data, StandardCharsets.UTF_8));
        NodeManifest node = new NodeManifest("n1", of(said, "nl"), of(said, "na"), of(said, "nr"), List.of(), false);
        ContainerManifest container = new ContainerManifest("c", ContainerKind.ORDINARY, Map.of(), of(said, "pr"));
        PodManifest pod = new PodManifest(
                PodId.of("p"), Map.of(), of(said, "pa"), List.of(container), NodeSelector.ANY, List.of());
        DIALECTS.forEach(dialect -> read(dialect, node, pod));
    }

    private static Map<String, String> of(Map<String, Map<String, String>> said, String what) {
        return said.getOrDefault(what, Map.of());
    }

    private static Map<String, Map<String, String>> said(String text) {
        Map<String, Map<String, String>> said = new HashMap<>();
        text.lines().forEach(line -> {
            String[] words = line.split("[ =]", 3);
            if (words.length == 3) {
                said.computeIfAbsent(words[0], any -> new HashMap<>()).put(words[1], words[2]);
            }
        });
        return said;
    }

    private static void read(Dialect dialect, NodeManifest manifest, PodManifest pod) {
        Node node = null;
        try {
            node = dialect.node(manifest);
        } catch (IllegalArgumentException refused) {
            // as documented
        }
        try {
            dialect.policy(pod);
            dialect.pod(pod, node == null ? Cluster.of(List.of()) : Cluster.of(List.of(node)));
        } catch (IllegalArgumentException refused) {
            // as documented
        }
        if (node != null) {
            try {
                dialect.heldGpus(pod, 0, node);
                dialect.heldPartitions(pod, 0, node);
            } catch (IllegalArgumentException refused) {
                // as documented
            }
        }
    }
}
