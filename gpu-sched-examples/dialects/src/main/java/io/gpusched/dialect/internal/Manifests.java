package io.gpusched.dialect.internal;

import io.gpusched.check.Checks;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.Quantity;
import io.gpusched.dialect.RefusedException;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Builds pods from manifests. */
public final class Manifests {
    private Manifests() {}

    /**
     * Returns a pod whose containers ask what the function says.
     *
     * @throws RefusedException if the function refuses a container; the message then names the pod too
     */
    public static Pod translate(
            PodManifest manifest, Function<ContainerManifest, GpuRequest> request, List<Toleration> moreTolerations) {
        List<Container> containers = new ArrayList<>();
        for (ContainerManifest container : manifest.containers()) {
            containers.add(new Container(
                    container.name(), container.kind(), PodManifest.resources(container), request.apply(container)));
        }
        return build(manifest, containers, manifest.nodeSelector(), moreTolerations);
    }

    public static Pod translate(PodManifest manifest, Function<ContainerManifest, GpuRequest> request) {
        return translate(manifest, request, List.of());
    }

    public static Pod build(
            PodManifest manifest, List<Container> containers, NodeSelector selector, List<Toleration> more) {
        List<Toleration> tolerations = new ArrayList<>(manifest.tolerations());
        tolerations.addAll(more);
        List<Container> all = new ArrayList<>(containers);
        all.addAll(manifest.claimed());
        return new Pod(manifest.id(), all, selector, tolerations, manifest.overhead()).withRules(manifest.rules());
    }

    /** How a node is called in messages. */
    public static String name(NodeManifest node) {
        return "node \"" + node.name() + "\"";
    }

    /**
     * Returns a whole number that a label or an annotation states.
     *
     * @throws IllegalArgumentException if it is none, or out of range, naming whose it is and the field
     */
    public static int whole(String what, String field, String text) {
        long number;
        try {
            number = Quantity.parse(text).wholeNumber();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(what + ": " + field + ": " + e.getMessage(), e);
        }
        return whole(what, field, number);
    }

    /**
     * Returns a number that counts something.
     *
     * @throws IllegalArgumentException if it is out of range, naming whose it is and the field
     */
    public static int whole(String what, String field, long number) {
        return (int) Checks.inRange(what, field, number, 0, Integer.MAX_VALUE);
    }

    /** Returns the GPU indexes of an annotation such as {@code 0,2}; none where it is absent or negative. */
    public static List<Integer> indexes(PodManifest manifest, String annotation) {
        String text = manifest.annotations().getOrDefault(annotation, "");
        List<Integer> indexes = new ArrayList<>();
        for (String index : text.startsWith("-") ? new String[0] : text.split(",", -1)) {
            if (!index.isBlank()) {
                indexes.add(whole("pod \"" + manifest.id() + "\"", "annotation " + annotation, index));
            }
        }
        return indexes;
    }

    /** Returns what {@link #indexes(PodManifest, String)} reads: the indexes of the GPUs of a grant, joined by commas. */
    public static String indexes(GpuGrant grant) {
        return grant.indexes().stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Returns what a GPU is called that no label or annotation names. */
    public static String unnamed(String node, int index) {
        return node + "-gpu-" + index;
    }

    /** Returns how a runtime is told of a node's GPU: by its UUID, or by its index where the cluster names no UUID. */
    public static String deviceId(Node node, int index) {
        String uuid = node.gpus().get(index).uuid();
        return uuid.equals(unnamed(node.name(), index)) ? String.valueOf(index) : uuid;
    }

    /** Returns {@code container "main"}, as messages name it. */
    public static String name(ContainerManifest container) {
        return "container \"" + container.name() + "\"";
    }

    /** Returns the amount as an {@code int}, or refuses it. */
    public static int within(ContainerManifest container, String resource, long amount, long min, long max) {
        if (amount < min || amount > max) {
            throw new RefusedException(
                    name(container), resource + " must be in " + min + ".." + max + ", got " + amount);
        }
        return (int) amount;
    }
}
