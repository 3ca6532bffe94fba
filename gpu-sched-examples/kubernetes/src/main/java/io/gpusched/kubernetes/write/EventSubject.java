package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Objects;

/**
 * What an event is about.
 *
 * @param apiVersion the version of its API, such as {@code v1}
 * @param kind its kind
 * @param namespace its namespace, empty if it has none
 * @param name its name
 * @param uid its identity, empty if not known
 */
public record EventSubject(String apiVersion, String kind, String namespace, String name, String uid) {
    /** Returns an object as a subject. */
    public static EventSubject of(HasMetadata object) {
        return new EventSubject(
                object.getApiVersion(),
                object.getKind(),
                Objects.requireNonNullElse(object.getMetadata().getNamespace(), ""),
                object.getMetadata().getName(),
                Objects.requireNonNullElse(object.getMetadata().getUid(), ""));
    }

    /** Returns the namespace in which the event is kept. */
    String eventNamespace() {
        return namespace.isEmpty() ? "default" : namespace;
    }
}
