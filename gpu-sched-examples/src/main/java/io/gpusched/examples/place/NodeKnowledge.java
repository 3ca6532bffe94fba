package io.gpusched.examples.place;

import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.hami.HamiTopology;
import io.gpusched.examples.dialect.HamiAnnotations;
import io.gpusched.examples.yaml.YamlNode;
import java.util.HashMap;
import java.util.Map;

/** What dialects have to know of all nodes of a file together. */
final class NodeKnowledge {
    private NodeKnowledge() {}

    /** Returns a dialect with what it has to know of all nodes of a cluster together. */
    static Dialect of(KubernetesFile cluster, Dialect dialect) {
        if (!(dialect instanceof HamiDialect hami)) {
            return dialect;
        }
        Map<String, Map<String, Integer>> scores = new HashMap<>();
        for (YamlNode node : cluster.ofKind("Node")) {
            YamlNode text = node.at("metadata").at("annotations").at(HamiAnnotations.PAIR_SCORES);
            if (text.isPresent()) {
                scores.putAll(text.build(() -> HamiAnnotations.pairScores(text.text())));
            }
        }
        return hami.withTopology(new HamiTopology(scores));
    }
}
