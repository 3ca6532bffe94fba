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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
    private final Set<String> byNumber;

    /**
     * Creates the set.
     *
     * @param dialects the dialects, at least one; the first speaks for nodes without the label
     * @throws IllegalArgumentException if there is none, or two have one name
     */
    public DialectSet(List<NamedDialect> dialects) {
        this(dialects, Set.of());
    }

    /**
     * Creates the set.
     *
     * @param dialects the dialects, at least one; the first speaks for nodes without the label
     * @param byNumber resources of devices that are counted by name all the same, as those of a second vendor on one node
     * @throws IllegalArgumentException if there is none, or two have one name
     */
    public DialectSet(List<NamedDialect> dialects, Set<String> byNumber) {
        this.byNumber = Set.copyOf(byNumber);
        if (dialects.isEmpty()) {
            throw new IllegalArgumentException("dialects: at least one must be named");
        }
        this.first = dialects.get(0);
        for (NamedDialect named : dialects) {
            if (byName.put(named.id(), named) != null) {
                throw new IllegalArgumentException(
                        "dialects: \"" + named.id() + "\" is named twice; nodes could not be distinguished");
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
        return ofLabels(node.labels());
    }

    /**
     * Returns the dialect of a pod.
     *
     * @throws IllegalArgumentException if its label names none of these
     */
    public NamedDialect ofPod(PodManifest pod) {
        if (pod.labels().containsKey(LABEL)) {
            return ofLabels(pod.labels());
        }
        // the first dialect among those with the most known resources of the pod: HAMi shares NVIDIA's name for a GPU
        NamedDialect best = first;
        long most = 0;
        for (NamedDialect named : byName.values()) {
            long known = asked(pod).filter(named.resources()::contains).count();
            best = known > most ? named : best;
            most = Math.max(most, known);
        }
        return best;
    }

    private static Stream<String> asked(PodManifest pod) {
        return pod.containers().stream()
                .flatMap(container ->
                        Stream.concat(container.limits().keySet().stream(), container.requests().keySet().stream()))
                .distinct();
    }

    /** Returns all of them, the first first. */
    public List<NamedDialect> all() {
        return List.copyOf(byName.values());
    }

    /**
     * Returns the dialect that the labels of a node or pod name, the first where they name none.
     *
     * @throws IllegalArgumentException if they name none of these
     */
    public NamedDialect ofLabels(Map<String, String> labels) {
        String name = labels.get(LABEL);
        NamedDialect named = name == null ? first : byName.getOrDefault(name, ofName(name));
        if (named == null) {
            throw new IllegalArgumentException("label " + LABEL + " must be one of " + byName.keySet() + ", got \""
                    + Objects.requireNonNull(name) + "\"");
        }
        return named;
    }

    /** A device plugin may be named without its resource where there is one only; null for none. */
    private @Nullable NamedDialect ofName(String name) {
        List<NamedDialect> named = byName.values().stream()
                .filter(one -> one.dialect().name().equals(name))
                .toList();
        return named.size() == 1 ? named.get(0) : null;
    }

    /** Returns the nodes that a pod of this dialect may go to: any where it asks for no GPUs or all speak alike. */
    public NodeSelector nodesFor(PodManifest pod, NamedDialect named) {
        return byName.size() == 1 || !asks(pod, named)
                ? NodeSelector.ANY
                : NodeSelector.labels(Map.of(LABEL, named.id()));
    }

    /** Returns whether a resource is counted by name: it means GPUs to no system, or is of a second vendor. */
    public boolean isCounted(String resource) {
        return byNumber.contains(resource)
                || !Dialects.isDevice(resource)
                        && byName.values().stream()
                                .noneMatch(named -> named.resources().contains(resource));
    }

    private static boolean asks(PodManifest pod, NamedDialect named) {
        return asked(pod).anyMatch(named.resources()::contains);
    }
}
