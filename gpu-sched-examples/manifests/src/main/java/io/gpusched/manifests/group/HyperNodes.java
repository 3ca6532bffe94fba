package io.gpusched.manifests.group;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.gpusched.dialect.NodeManifest;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Volcano's tree of hyper nodes as labels of nodes: for each tier that there is, {@code gpu-sched.io/hyper-node-tier-N} names the
 * topmost hyper node of tier N or lower that a node belongs to. Of several on one tier it is the first by name. Not thread-safe.
 */
public final class HyperNodes {
    /** The API of hyper nodes. */
    public static final String API_GROUP = "topology.volcano.sh";

    /** The version of that API. */
    public static final String VERSION = "v1alpha1";

    /** The highest tier that is looked at. */
    public static final int HIGHEST_TIER = 15;

    private static final String LABEL = "gpu-sched.io/hyper-node-tier-";

    private final Map<String, HyperNode> byName = new TreeMap<>();
    private HyperNodeIndex index = HyperNodeIndex.EMPTY;
    private boolean indexed = true;

    /** Returns the label of a tier. */
    public static String label(int tier) {
        return LABEL + tier;
    }

    /**
     * Takes note of a hyper node, new or changed.
     *
     * @return whether it consists of something else than before
     */
    public boolean put(GenericKubernetesResource object) {
        HyperNode hyperNode =
                HyperNode.of(Fields.of(object.getAdditionalProperties()).at("spec"));
        boolean changed = !hyperNode.equals(byName.put(object.getMetadata().getName(), hyperNode));
        indexed &= !changed;
        return changed;
    }

    /** Takes note that a hyper node is gone. */
    public void remove(String name) {
        byName.remove(name);
        indexed = false;
    }

    /** Returns a node with a label for each tier. */
    public NodeManifest extend(NodeManifest node) {
        if (byName.isEmpty()) {
            return node;
        }
        if (!indexed) {
            index = new HyperNodeIndex(byName);
            indexed = true;
        }
        Map<String, String> labels = new HashMap<>(node.labels());
        index.topmost(node).forEach((tier, name) -> labels.put(label(tier), name));
        return new NodeManifest(
                node.name(),
                labels,
                node.annotations(),
                node.allocatable(),
                node.taints(),
                node.cordoned(),
                node.named());
    }
}
