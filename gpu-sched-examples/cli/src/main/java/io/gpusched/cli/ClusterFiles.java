package io.gpusched.cli;

import io.gpusched.cli.place.OwnForm;
import io.gpusched.manifests.cluster.ClusterReader;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.yaml.YamlReader;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.simulator.trace.NodeTable;
import java.nio.file.Path;
import java.util.List;

/** Reads the machines of a cluster, whichever form the file has: a node list in CSV, the library's own form, or what kubectl printed. */
final class ClusterFiles {
    private ClusterFiles() {}

    /**
     * Returns the machines, as a simulation takes them: nothing runs there, and taints exclude no job, for jobs of a trace tolerate none.
     *
     * @throws io.gpusched.simulator.trace.TraceException if a CSV file cannot be used
     * @throws io.gpusched.manifests.yaml.InputException if another file cannot be used
     */
    static List<Node> nodes(Path file) {
        if (NodeTable.isOne(file)) {
            return NodeTable.read(file);
        }
        return cluster(file).nodes().stream()
                .map(NodeState::node)
                .map(ClusterFiles::open)
                .toList();
    }

    private static Cluster cluster(Path file) {
        ClusterReader read = YamlReader.read(file, ClusterReader::new);
        return read.firstKind().isPresent()
                ? SeenCluster.of(read.objects()).cluster()
                : OwnForm.cluster(read.otherForm());
    }

    private static Node open(Node node) {
        Node.Builder open = Node.builder(node.name())
                .mode(node.mode())
                .capacity(node.capacity())
                .maxPods(node.maxPods())
                .labels(node.labels())
                .topology(node.topology())
                .links(node.links())
                .cordoned(node.cordoned());
        node.gpus().forEach(open::gpu);
        node.residents().forEach(open::resident);
        return open.build();
    }
}
