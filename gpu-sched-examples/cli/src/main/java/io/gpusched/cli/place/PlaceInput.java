package io.gpusched.cli.place;

import io.gpusched.dialect.Dialect;
import io.gpusched.manifests.cluster.ClusterObjects;
import io.gpusched.manifests.cluster.ClusterReader;
import io.gpusched.manifests.cluster.FoundDialects;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.objects.ObjectList;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.PodId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The two files of the command, each in the library's own form or as Kubernetes manifests. */
final class PlaceInput {
    private final List<YamlNode> podDocuments;
    private final Optional<NamedDialect> named;
    private final Notes notes;
    private final Cluster cluster;

    /** The cluster as it was read, where its file holds Kubernetes objects. */
    private final Optional<SeenCluster> seen;

    /**
     * Reads the cluster.
     *
     * @param dialect the dialect that was named; of a cluster of Kubernetes objects it is else what these tell
     * @throws InputException if it cannot be read
     */
    PlaceInput(ClusterReader clusterFile, List<YamlNode> podDocuments, Optional<NamedDialect> dialect, Notes notes) {
        this.podDocuments = podDocuments;
        this.notes = notes;
        this.named = dialect;
        if (clusterFile.firstKind().isPresent()) {
            ClusterObjects objects = clusterFile.objects();
            if (objects.nodes().isEmpty()) {
                throw clusterFile.firstKind().get().error("at least one object must be a Node");
            }
            FoundDialects found = dialect.isPresent()
                    ? FoundDialects.named(List.of(dialect.get()))
                    : SeenCluster.found(objects, podDocuments.toString());
            SeenCluster read = SeenCluster.of(objects, found);
            read.notes().forEach(notes::remark);
            notPlaced(read);
            this.seen = Optional.of(read);
            this.cluster = read.cluster();
        } else {
            this.seen = Optional.empty();
            this.cluster = PlainCluster.read(single(clusterFile.otherForm()));
        }
    }

    private void notPlaced(SeenCluster read) {
        List<String> names = read.waiting().stream()
                .map(pod -> SeenCluster.idOf(pod).toString())
                .toList();
        if (!names.isEmpty()) {
            notes.remark((names.size() == 1 ? "1 pod of the cluster has" : names.size() + " pods of the cluster have")
                    + " no node and " + (names.size() == 1 ? "is" : "are") + " not placed first: "
                    + FitReport.names(names));
        }
    }

    /** Pods that are placed on machines that were read from a table. */
    PlaceInput(Cluster machines, List<YamlNode> podDocuments, Optional<NamedDialect> dialect, Notes notes) {
        this.podDocuments = podDocuments;
        this.notes = notes;
        this.named = dialect;
        this.seen = Optional.empty();
        this.cluster = machines;
    }

    private static boolean isManifest(List<YamlNode> documents) {
        return ObjectList.isOne(documents.get(0));
    }

    /** Returns whether a dialect is of any use. */
    boolean hasManifests() {
        return seen.isPresent() || isManifest(podDocuments);
    }

    /** Returns the dialect that the pods speak, where it is known. */
    Optional<Dialect> dialect() {
        return spoken().map(NamedDialect::dialect);
    }

    private Optional<NamedDialect> spoken() {
        return seen.isPresent() ? seen.map(read -> read.informed(read.dialectOf(podDocuments.toString()))) : named;
    }

    Cluster cluster() {
        return cluster;
    }

    /** Returns when pods of the cluster end, where its file tells. */
    Map<PodId, RunningEnds.End> ends(Cluster placed, Instant now) {
        return seen.map(read -> RunningEnds.of(read.objects(), placed, now.getEpochSecond()))
                .orElse(Map.of());
    }

    /** Returns what is to be placed on this cluster. */
    PlaceRequest asked() {
        if (!isManifest(podDocuments)) {
            return PlainPods.read(single(podDocuments));
        }
        NamedDialect spoken = spoken().orElseThrow(() -> podDocuments
                .get(0)
                .at("kind")
                .error("Kubernetes manifests need --dialect where the cluster is no Kubernetes objects"));
        KubernetesFile file = new KubernetesFile(podDocuments, notes);
        return new KubernetesRequest(file, spoken, notes, cluster, seen).read(file.first(podDocuments));
    }

    /**
     * Returns the one document of a file in a form of our own.
     *
     * @throws InputException if there are more
     */
    static YamlNode single(List<YamlNode> documents) {
        if (documents.size() > 1) {
            throw documents.get(1).error("at most one document is expected in this form");
        }
        return documents.get(0);
    }
}
