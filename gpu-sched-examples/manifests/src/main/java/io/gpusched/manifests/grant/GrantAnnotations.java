package io.gpusched.manifests.grant;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import java.util.Map;
import java.util.TreeMap;

/**
 * The annotations that a bound pod carries: the grant, the environment of its containers, and what the dialect writes.
 *
 * <p>A container reads a variable by {@code valueFrom.fieldRef} on its annotation, so that GPUs reach it without a device
 * plugin: container {@code main} has {@code NVIDIA_VISIBLE_DEVICES} in the annotation
 * {@code main.env.gpu-sched.io/NVIDIA_VISIBLE_DEVICES}.
 */
public final class GrantAnnotations {
    /** Pod annotation: which part of which GPU each container holds, as {@link GrantRecord} writes it. */
    public static final String GRANT = "gpu-sched.io/grant";

    static final String ENVIRONMENT = ".env.gpu-sched.io/";

    private GrantAnnotations() {}

    /**
     * Returns the annotation that holds an environment variable of a container.
     *
     * @param container the container's name, a DNS label as Kubernetes demands
     * @param variable the variable's name, at most 63 letters, digits and underscores
     */
    public static String variable(String container, String variable) {
        return container + ENVIRONMENT + variable;
    }

    /** Returns whether an annotation holds an environment variable of a container. */
    public static boolean isVariable(String annotation) {
        return annotation.contains(ENVIRONMENT);
    }

    /**
     * Returns all annotations of a pod that is bound.
     *
     * @param placement where it goes
     * @param node its node
     * @param metadata what its dialect writes
     */
    public static Map<String, String> of(Placement placement, Node node, BindingMetadata metadata) {
        Map<String, String> annotations = new TreeMap<>(metadata.annotations());
        metadata.environment()
                .forEach((container, variables) ->
                        variables.forEach((name, value) -> annotations.put(variable(container, name), value)));
        if (!placement.gpus().isEmpty() || placement.holdsWholeNode()) {
            annotations.put(GRANT, GrantRecord.write(placement, node));
        }
        return annotations;
    }
}
