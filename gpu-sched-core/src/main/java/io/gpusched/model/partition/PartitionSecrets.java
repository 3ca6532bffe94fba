package io.gpusched.model.partition;

import io.gpusched.internal.access.PartitionAccess;
import io.gpusched.internal.partition.PartitionTable;

/** Hands to the machinery what this package shows to nobody else. Made by {@link PartitionAccess}, by its name. */
final class PartitionSecrets extends PartitionAccess {
    PartitionSecrets() {}

    @Override
    protected PartitionTable tableOf(PartitionGeometry geometry) {
        return geometry.table();
    }
}
