package io.gpusched.manifests.view;

import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.manifests.dialect.HamiAnnotations;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.model.Node;
import io.gpusched.model.Taint;
import java.util.Map;

/**
 * A node in the library's terms.
 *
 * @param manifest what the API server says of it
 * @param named the dialect that speaks for it
 * @param node the node
 * @param pairScores how well its GPUs are connected in HAMi's terms, by UUID; empty where it does not say
 */
record NodeTranslation(
        NodeManifest manifest, NamedDialect named, Node node, Map<String, Map<String, Integer>> pairScores) {
    /** Kubernetes keeps pods away from cordoned nodes by this taint, which DaemonSets tolerate. */
    private static final Taint CORDON = Taint.noSchedule("node.kubernetes.io/unschedulable", "");

    /**
     * Translates a node.
     *
     * @throws IllegalArgumentException if its dialect is unknown, or a label, an amount or a pair score is illegal
     */
    static NodeTranslation of(NodeManifest manifest, DialectSet dialects) {
        NamedDialect named = dialects.ofNode(manifest);
        Node translated = named.dialect().node(manifest.counting(dialects::isCounted));
        Node.Builder builder = translated.toBuilder().cordoned(false).label(DialectSet.LABEL, named.id());
        if (manifest.cordoned() && !translated.taints().contains(CORDON)) {
            builder.taint(CORDON);
        }
        return new NodeTranslation(manifest, named, builder.build(), pairScores(manifest, named.dialect()));
    }

    private static Map<String, Map<String, Integer>> pairScores(NodeManifest manifest, Dialect dialect) {
        String text = manifest.annotations().get(HamiAnnotations.PAIR_SCORES);
        return dialect instanceof HamiDialect && text != null ? HamiAnnotations.pairScores(text) : Map.of();
    }
}
