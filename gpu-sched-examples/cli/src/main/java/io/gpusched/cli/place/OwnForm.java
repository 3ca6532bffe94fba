package io.gpusched.cli.place;

import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import java.util.List;

/** A cluster in the library's own form, for other commands than {@code place}. */
public final class OwnForm {
    private OwnForm() {}

    /**
     * Reads a cluster.
     *
     * @throws io.gpusched.manifests.yaml.InputException if it is not in this form; the message names line and field
     */
    public static Cluster cluster(List<YamlNode> documents) {
        return PlainCluster.read(PlaceInput.single(documents));
    }
}
