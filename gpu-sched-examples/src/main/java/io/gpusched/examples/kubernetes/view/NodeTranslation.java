package io.gpusched.examples.kubernetes.view;

import io.gpusched.dialect.NodeManifest;
import io.gpusched.examples.dialect.NamedDialect;
import io.gpusched.model.Node;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import java.util.ArrayList;
import java.util.List;

/**
 * A node in the library's terms.
 *
 * @param manifest what the API server says of it
 * @param named the dialect that speaks for it
 * @param node the node
 */
record NodeTranslation(NodeManifest manifest, NamedDialect named, Node node) {
    /** Kubernetes keeps pods away from cordoned nodes by this taint, which DaemonSets tolerate. */
    private static final Taint CORDON = Taint.noSchedule("node.kubernetes.io/unschedulable", "");

    /**
     * Translates a node.
     *
     * @param levels node labels that groups of pods stay within, from wide to narrow
     * @throws IllegalArgumentException if its dialect is unknown or a label or amount is illegal
     */
    static NodeTranslation of(NodeManifest manifest, DialectSet dialects, List<String> levels) {
        NamedDialect named = dialects.ofNode(manifest);
        Node translated = named.dialect().node(manifest.counting(dialects::isCounted));
        Node.Builder builder = translated.toBuilder()
                .cordoned(false)
                .label(DialectSet.LABEL, named.dialect().name())
                .topology(topology(manifest, levels));
        if (manifest.cordoned() && !translated.taints().contains(CORDON)) {
            builder.taint(CORDON);
        }
        return new NodeTranslation(manifest, named, builder.build());
    }

    /** A node without one of the labels stands outside of the domains below it. */
    private static Topology topology(NodeManifest manifest, List<String> levels) {
        List<Topology.Domain> path = new ArrayList<>();
        for (String level : levels) {
            String name = manifest.labels().getOrDefault(level, "");
            if (!name.isBlank()) {
                path.add(new Topology.Domain(level, name));
            }
        }
        return new Topology(path);
    }
}
