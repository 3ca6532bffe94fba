package io.gpusched.internal.access;

import io.gpusched.internal.partition.PartitionTable;
import io.gpusched.model.Gpu;
import io.gpusched.model.partition.PartitionGeometry;
import org.jspecify.annotations.Nullable;

/** What a geometry keeps to itself and the machinery needs; as {@link NodeAccess}. */
public abstract class PartitionAccess {
    private static final PartitionAccess ACCESS =
            Secrets.of(PartitionAccess.class, "io.gpusched.model.partition.PartitionSecrets");

    /** Returns how the states of devices of this geometry, which cuts something, are written. */
    public static PartitionTable table(PartitionGeometry geometry) {
        return ACCESS.tableOf(geometry);
    }

    /** Returns how the states of a GPU are written, or null if it cannot be cut. */
    public static @Nullable PartitionTable table(Gpu gpu) {
        return gpu.partitions().isNone() ? null : table(gpu.partitions());
    }

    protected abstract PartitionTable tableOf(PartitionGeometry geometry);
}
