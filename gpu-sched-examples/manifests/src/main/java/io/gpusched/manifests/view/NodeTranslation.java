package io.gpusched.manifests.view;

import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.manifests.dialect.HamiAnnotations;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.model.Node;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import java.util.ArrayList;
import java.util.List;
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

    /** Kubernetes itself taints with such keys nodes that are not to be used, such as {@code node.kubernetes.io/not-ready}. */
    private static final List<String> UNUSABLE = List.of("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/");

    /**
     * Translates a node.
     *
     * @param levels node labels that groups of pods stay within, from wide to narrow
     * @param closes whether a node that is not to be used takes no pods at all, those included that tolerate its taints
     * @throws IllegalArgumentException if its dialect is unknown, or a label, an amount or a pair score is illegal
     */
    static NodeTranslation of(NodeManifest manifest, DialectSet dialects, List<String> levels, boolean closes) {
        NamedDialect named = dialects.ofNode(manifest);
        Node translated = named.dialect().node(manifest.counting(dialects::isCounted));
        Node.Builder builder = translated.toBuilder()
                .cordoned(closes && isUnusable(manifest, translated))
                .label(DialectSet.LABEL, named.dialect().name())
                .topology(topology(manifest, levels));
        if (manifest.cordoned() && !translated.taints().contains(CORDON)) {
            builder.taint(CORDON);
        }
        return new NodeTranslation(manifest, named, builder.build(), pairScores(manifest, named.dialect()));
    }

    private static boolean isUnusable(NodeManifest manifest, Node translated) {
        return manifest.cordoned()
                || translated.taints().stream()
                        .filter(taint -> taint.effect().forbids())
                        .anyMatch(taint -> UNUSABLE.stream().anyMatch(taint.key()::startsWith));
    }

    private static Map<String, Map<String, Integer>> pairScores(NodeManifest manifest, Dialect dialect) {
        String text = manifest.annotations().get(HamiAnnotations.PAIR_SCORES);
        return dialect instanceof HamiDialect && text != null ? HamiAnnotations.pairScores(text) : Map.of();
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
