package io.gpusched.model;

import io.gpusched.check.Checks;
import io.gpusched.internal.persistent.TextHash;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The name of a pod, unique among all pods of a cluster. */
public final class PodId implements Comparable<PodId> {
    /** The namespace where none is given. */
    public static final String DEFAULT_NAMESPACE = "default";

    private final String namespace;
    private final String name;

    /** Worked out once: snapshots find pods by it, and tenants may choose names of equal hash codes. */
    private final int hash;

    /**
     * Creates the id of a pod.
     *
     * @param namespace the namespace, not blank, without a slash
     * @param name the name within the namespace, not blank, without a slash
     * @throws IllegalArgumentException if a text is blank or holds a slash
     */
    public PodId(String namespace, String name) {
        this.namespace = Checks.notBlank("pod", "namespace", namespace);
        this.name = Checks.notBlank("pod", "name", name);
        if (namespace.indexOf('/') >= 0 || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException(
                    "pod: neither namespace nor name may hold a slash, got \"" + namespace + "\" and \"" + name + "\"");
        }
        this.hash = Long.hashCode(TextHash.of(TextHash.of(namespace), name));
    }

    /**
     * Returns the id of {@code "name"} in the default namespace, or of {@code "namespace/name"}.
     *
     * @throws IllegalArgumentException if a part is blank or there is more than one slash
     */
    public static PodId of(String text) {
        Objects.requireNonNull(text, "text");
        int slash = text.indexOf('/');
        return slash < 0
                ? new PodId(DEFAULT_NAMESPACE, text)
                : new PodId(text.substring(0, slash), text.substring(slash + 1));
    }

    /** Returns the namespace. */
    public String namespace() {
        return namespace;
    }

    /** Returns the name within the namespace. */
    public String name() {
        return name;
    }

    /** Orders by namespace, then by name. */
    @Override
    public int compareTo(PodId other) {
        Objects.requireNonNull(other, "other");
        int order = namespace.compareTo(other.namespace);
        return order != 0 ? order : name.compareTo(other.name);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof PodId id
                        && hash == id.hash
                        && name.equals(id.name)
                        && namespace.equals(id.namespace);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Returns {@code name} in the default namespace, {@code namespace/name} elsewhere. */
    @Override
    public String toString() {
        return namespace.equals(DEFAULT_NAMESPACE) ? name : namespace + "/" + name;
    }
}
