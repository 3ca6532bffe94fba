package io.gpusched.kubernetes.extender;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.fabric8.kubernetes.api.model.Node;
import io.gpusched.kubernetes.extender.wire.FilterArguments;
import io.gpusched.kubernetes.extender.wire.Members;
import io.gpusched.kubernetes.http.HttpProblem;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes that kube-scheduler asks about. One that is not known and was sent as a whole, as simulations do with nodes that
 * do not exist, is taken as it was sent, without pods; nothing is remembered of it.
 *
 * @param cluster what there is, with the nodes that were sent
 * @param sent the nodes as they were sent, by name; null objects where only names were sent
 */
record AskedNodes(Cluster cluster, Map<String, JsonNode> sent) {
    static AskedNodes of(FilterArguments arguments, Cluster known, DialectSet dialects) {
        Map<String, JsonNode> sent = new LinkedHashMap<>();
        if (arguments.names().isPresent()) {
            arguments.names().get().forEach(name -> sent.put(name, NullNode.instance));
            return new AskedNodes(known, sent);
        }
        ClusterBook unknown = new ClusterBook(dialects);
        for (JsonNode json : arguments.nodes()) {
            Node node = Members.model("arguments.Nodes", json, Node.class);
            if (node.getMetadata() == null || node.getMetadata().getName() == null) {
                throw HttpProblem.badRequest("arguments.Nodes must have metadata.name each");
            }
            String name = node.getMetadata().getName();
            sent.put(name, json);
            if (known.node(name).isEmpty()) {
                unknown.putNode(node);
            }
        }
        Cluster cluster = known;
        for (NodeState node : unknown.cluster().nodes()) {
            cluster = cluster.withNode(node.node());
        }
        return new AskedNodes(cluster, sent);
    }

    /** Returns those of some nodes, as they were sent. */
    List<JsonNode> objects(List<String> names) {
        List<JsonNode> objects = new ArrayList<>();
        names.forEach(name -> objects.add(sent.get(name)));
        return objects;
    }
}
