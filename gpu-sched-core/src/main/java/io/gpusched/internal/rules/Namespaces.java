package io.gpusched.internal.rules;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The labels of namespaces. A namespace that is not known has none. Immutable and thread-safe.
 *
 * @param labels the labels by namespace; those without labels are not here
 */
public record Namespaces(Map<String, Map<String, String>> labels) {
    public static final Namespaces NONE = new Namespaces(Map.of());

    public Map<String, String> labelsOf(String namespace) {
        return labels.getOrDefault(namespace, Map.of());
    }

    /** Returns these with other labels of one; O(namespaces). */
    public Namespaces with(String namespace, Map<String, String> value) {
        Map<String, Map<String, String>> changed = new TreeMap<>(labels);
        if (value.isEmpty()) {
            changed.remove(namespace);
        } else {
            changed.put(namespace, Collections.unmodifiableMap(new TreeMap<>(value)));
        }
        return new Namespaces(Collections.unmodifiableMap(changed));
    }
}
