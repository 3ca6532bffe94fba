package io.gpusched.manifests.view;

import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.workload.NodeSelector;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The dialects of a cluster. A node speaks the one that its label {@value #LABEL} names, or the first. A pod speaks the one
 * that its label names, or the first that knows a resource it asks for, or the first; if it asks for GPUs, it goes to nodes
 * of its dialect alone. Immutable and thread-safe.
 */
public final class DialectSet {
    /** Label of nodes, and of pods where their resources do not tell: the dialect's name. */
    public static final String LABEL = "gpu-sched.io/dialect";

    private final Map<String, NamedDialect> byName = new LinkedHashMap<>();
    private final NamedDialect first;

    /**
     * Creates the set.
     *
     * @param dialects the dialects, at least one; the first speaks for nodes without the label
     * @throws IllegalArgumentException if there is none, or two have one name
     */
    public DialectSet(List<NamedDialect> dialects) {
        if (dialects.isEmpty()) {
            throw new IllegalArgumentException("dialects: at least one must be named");
        }
        this.first = dialects.get(0);
        for (NamedDialect named : dialects) {
            if (byName.put(named.dialect().name(), named) != null) {
                throw new IllegalArgumentException(
                        "dialects: \"" + named.dialect().name() + "\" is named twice; nodes could not be told apart");
            }
        }
    }

    /** Returns the first, which speaks for nodes that name none. */
    public NamedDialect first() {
        return first;
    }

    /**
     * Returns the dialect of a node.
     *
     * @throws IllegalArgumentException if its label names none of these
     */
    public NamedDialect ofNode(NodeManifest node) {
        return labelled(node.labels());
    }

    /**
     * Returns the dialect of a pod.
     *
     * @throws IllegalArgumentException if its label names none of these
     */
    public NamedDialect ofPod(PodManifest pod) {
        if (pod.labels().containsKey(LABEL)) {
            return labelled(pod.labels());
        }
        return byName.values().stream()
                .filter(named -> asks(pod, named))
                .findFirst()
                .orElse(first);
    }

    private NamedDialect labelled(Map<String, String> labels) {
        String name = labels.get(LABEL);
        NamedDialect named = name == null ? first : byName.get(name);
        if (named == null) {
            throw new IllegalArgumentException("label " + LABEL + " must be one of " + byName.keySet() + ", got \""
                    + Objects.requireNonNull(name) + "\"");
        }
        return named;
    }

    /** Returns the nodes that a pod of this dialect may go to: any where it asks for no GPUs or all speak alike. */
    public NodeSelector nodesFor(PodManifest pod, NamedDialect named) {
        return byName.size() == 1 || !asks(pod, named)
                ? NodeSelector.ANY
                : NodeSelector.labels(Map.of(LABEL, named.dialect().name()));
    }

    /** Returns whether a resource is counted by name: it means GPUs to no system. */
    public boolean isCounted(String resource) {
        return !Dialects.isDevice(resource)
                && byName.values().stream().noneMatch(named -> named.resources().contains(resource));
    }

    private static boolean asks(PodManifest pod, NamedDialect named) {
        return pod.containers().stream()
                .anyMatch(container -> knowsOne(named, container.limits().keySet())
                        || knowsOne(named, container.requests().keySet()));
    }

    private static boolean knowsOne(NamedDialect named, Set<String> resources) {
        return resources.stream().anyMatch(named.resources()::contains);
    }
}
