package io.gpusched.cli.place;

import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.manifests.dialect.HamiAnnotations;
import io.gpusched.manifests.dialect.PairScores;
import io.gpusched.manifests.yaml.YamlNode;

/** What dialects have to know of all nodes of a file together. */
final class NodeKnowledge {
    private NodeKnowledge() {}

    /** Returns a dialect with what it has to know of all nodes of a cluster together. */
    static Dialect of(KubernetesFile cluster, Dialect dialect) {
        if (!(dialect instanceof HamiDialect)) {
            return dialect;
        }
        PairScores scores = new PairScores();
        for (YamlNode node : cluster.ofKind("Node")) {
            YamlNode metadata = node.at("metadata");
            YamlNode text = metadata.at("annotations").at(HamiAnnotations.PAIR_SCORES);
            if (text.isPresent()) {
                scores.put(metadata.at("name").text(), text.build(() -> HamiAnnotations.pairScores(text.text())));
            }
        }
        return scores.informed(dialect);
    }
}
