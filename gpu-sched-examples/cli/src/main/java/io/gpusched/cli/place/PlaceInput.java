package io.gpusched.cli.place;

import io.gpusched.dialect.Dialect;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.PodId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The two files of the command, each in the library's own form or as Kubernetes manifests. */
final class PlaceInput {
    private final List<YamlNode> clusterDocuments;
    private final List<YamlNode> podDocuments;
    private final Optional<NamedDialect> named;
    private final Notes notes;

    /** The cluster, where its file is no document. */
    private final Optional<Cluster> machines;

    PlaceInput(
            List<YamlNode> clusterDocuments, List<YamlNode> podDocuments, Optional<NamedDialect> dialect, Notes notes) {
        this.clusterDocuments = clusterDocuments;
        this.podDocuments = podDocuments;
        this.notes = notes;
        this.machines = Optional.empty();
        this.named = isManifest(clusterDocuments) ? dialect.map(this::knowing) : dialect;
    }

    /** Pods that are placed on machines that were read from a table. */
    PlaceInput(Cluster machines, List<YamlNode> podDocuments, Optional<NamedDialect> dialect, Notes notes) {
        this.clusterDocuments = List.of();
        this.podDocuments = podDocuments;
        this.notes = notes;
        this.machines = Optional.of(machines);
        this.named = dialect;
    }

    private static boolean isManifest(List<YamlNode> documents) {
        return documents.get(0).at("kind").isPresent();
    }

    private NamedDialect knowing(NamedDialect dialect) {
        KubernetesFile file = new KubernetesFile(clusterDocuments, notes);
        return new NamedDialect(NodeKnowledge.of(file, dialect.dialect()), dialect.resources());
    }

    /** Returns whether a dialect is of any use. */
    boolean hasManifests() {
        return machines.isEmpty() && isManifest(clusterDocuments) || isManifest(podDocuments);
    }

    /** Returns the dialect, where one was named. */
    Optional<Dialect> dialect() {
        return named.map(NamedDialect::dialect);
    }

    Cluster cluster() {
        if (machines.isPresent()) {
            return machines.get();
        }
        if (!isManifest(clusterDocuments)) {
            return PlainCluster.read(single(clusterDocuments));
        }
        KubernetesFile file = new KubernetesFile(clusterDocuments, notes);
        return new KubernetesCluster(needed(clusterDocuments), notes).read(file, file.first(clusterDocuments));
    }

    /** Returns when pods of the cluster end, where its file tells. */
    Map<PodId, RunningEnds.End> ends(Cluster cluster, Instant now) {
        return machines.isPresent() || !isManifest(clusterDocuments)
                ? Map.of()
                : RunningEnds.of(new KubernetesFile(clusterDocuments, notes), cluster, now.getEpochSecond());
    }

    /** Returns what is to be placed on this cluster. */
    PlaceRequest asked(Cluster cluster) {
        if (!isManifest(podDocuments)) {
            return PlainPods.read(single(podDocuments));
        }
        KubernetesFile file = new KubernetesFile(podDocuments, notes);
        return new KubernetesRequest(file, needed(podDocuments), notes, NamedDialect.counted(cluster))
                .read(file.first(podDocuments));
    }

    private NamedDialect needed(List<YamlNode> documents) {
        return named.orElseThrow(() -> documents.get(0).at("kind").error("Kubernetes manifests need --dialect"));
    }

    /**
     * Returns the one document of a file in a form of our own.
     *
     * @throws io.gpusched.manifests.yaml.InputException if there are more
     */
    static YamlNode single(List<YamlNode> documents) {
        if (documents.size() > 1) {
            throw documents.get(1).error("at most one document is expected in this form");
        }
        return documents.get(0);
    }
}
