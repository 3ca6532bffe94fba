package io.gpusched.model;

import io.gpusched.internal.access.ClusterAccess;
import io.gpusched.internal.index.ClusterStore;

/** Hands to the machinery what a cluster shows to nobody else. Made by {@link ClusterAccess}, by its name. */
final class ClusterSecrets extends ClusterAccess {
    ClusterSecrets() {}

    @Override
    protected ClusterStore storeOf(Cluster cluster) {
        return cluster.store();
    }
}
