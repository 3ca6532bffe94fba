package io.gpusched.dialect;

import io.gpusched.check.Checks;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a system writes for a placed pod.
 *
 * @param environment environment variables by container name, in the pod's order of containers
 * @param annotations annotations of the pod
 * @param labels labels of the pod
 */
public record BindingMetadata(
        Map<String, Map<String, String>> environment, Map<String, String> annotations, Map<String, String> labels) {
    /** Nothing. */
    public static final BindingMetadata NOTHING = new BindingMetadata(Map.of(), Map.of(), Map.of());

    /** Copies the maps. */
    public BindingMetadata {
        Checks.noNulls("environment", environment);
        Map<String, Map<String, String>> copy = new LinkedHashMap<>();
        environment.forEach((name, values) -> copy.put(name, Collections.unmodifiableMap(new TreeMap<>(values))));
        environment = Collections.unmodifiableMap(copy);
        annotations = Checks.ascending("annotations", annotations);
        labels = Checks.ascending("labels", labels);
    }

    /** Returns environment variables alone. */
    public static BindingMetadata environment(Map<String, Map<String, String>> environment) {
        return new BindingMetadata(environment, Map.of(), Map.of());
    }
}
