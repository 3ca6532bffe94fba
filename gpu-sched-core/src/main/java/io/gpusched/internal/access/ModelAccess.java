package io.gpusched.internal.access;

import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.model.Cluster;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one way from the machinery to what {@code model} keeps to itself, as the JDK shares secrets between its packages:
 * {@code model} hands in an implementation when its classes are loaded.
 */
public abstract class ModelAccess {
    private static @Nullable ModelAccess instance;

    /** Hands in the implementation. */
    public static void set(ModelAccess access) {
        instance = access;
    }

    /** Returns the implementation; whoever holds a snapshot has loaded it. */
    public static ModelAccess instance() {
        return Objects.requireNonNull(instance, "instance");
    }

    /** Returns the index of a snapshot. */
    public abstract ClusterIndex index(Cluster cluster);
}
