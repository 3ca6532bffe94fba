package io.gpusched.internal.access;

import io.gpusched.internal.index.ClusterStore;
import io.gpusched.model.Cluster;

/** What a cluster keeps to itself and the machinery needs; as {@link NodeAccess}. */
public abstract class ClusterAccess {
    private static final ClusterAccess ACCESS =
            Secrets.of(ClusterAccess.class, "io.gpusched.model.ModelSecrets$OfClusters");

    /** Returns everything that a snapshot is made of. */
    public static ClusterStore store(Cluster cluster) {
        return ACCESS.storeOf(cluster);
    }

    protected abstract ClusterStore storeOf(Cluster cluster);
}
