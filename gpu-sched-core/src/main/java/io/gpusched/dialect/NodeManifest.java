package io.gpusched.dialect;

import io.gpusched.internal.dialect.GfdLabels;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Taint;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A node as a manifest describes it.
 *
 * @param name its name
 * @param labels its labels
 * @param annotations its annotations
 * @param allocatable amounts by resource, as texts
 * @param taints its taints
 * @param cordoned whether new pods are kept away
 */
public record NodeManifest(
        String name,
        Map<String, String> labels,
        Map<String, String> annotations,
        Map<String, String> allocatable,
        List<Taint> taints,
        boolean cordoned) {
    /** Copies the collections. */
    public NodeManifest {
        labels = Collections.unmodifiableMap(new TreeMap<>(labels));
        annotations = Collections.unmodifiableMap(new TreeMap<>(annotations));
        allocatable = Collections.unmodifiableMap(new TreeMap<>(allocatable));
        taints = List.copyOf(taints);
    }

    /** Returns a node of this name with these labels and amounts, without taints. */
    public static NodeManifest of(String name, Map<String, String> labels, Map<String, String> allocatable) {
        return new NodeManifest(name, labels, Map.of(), allocatable, List.of(), false);
    }

    /**
     * Returns an amount of the node, or nothing where it has none.
     *
     * @throws IllegalArgumentException if the text is no amount
     */
    public Optional<Quantity> amount(String resource) {
        return Optional.ofNullable(allocatable.get(resource)).map(Quantity::parse);
    }

    /**
     * Returns a whole amount of the node, or 0.
     *
     * @throws IllegalArgumentException if the text is no whole number
     */
    public long count(String resource) {
        return amount(resource).map(Quantity::wholeNumber).orElse(0L);
    }

    /** Starts the node: name, labels, taints, cordon, CPU, memory and the number of pods; no GPUs yet. */
    public Node.Builder toNode() {
        Node.Builder builder = Node.builder(name).labels(labels).cordoned(cordoned);
        taints.forEach(builder::taint);
        long cpu = amount("cpu").map(Quantity::millis).orElse(0L);
        long memory = amount("memory").map(Quantity::mibFloor).orElse(0L);
        builder.capacity(cpu, memory);
        amount("pods").ifPresent(pods -> builder.maxPods(Math.toIntExact(pods.wholeNumber())));
        return builder;
    }

    /**
     * Returns the kind of the node's NVIDIA GPUs by the labels of GPU feature discovery
     * ({@code nvidia.com/gpu.product}, {@code nvidia.com/gpu.memory} in MiB); an unknown product or memory is called
     * {@code gpu} or 0.
     */
    public GpuModel nvidiaModel() {
        String product = labels.getOrDefault(GfdLabels.PRODUCT, "gpu");
        String memory = labels.getOrDefault(GfdLabels.MEMORY, "0");
        return GpuModel.of("nvidia", product, Quantity.parse(memory).wholeNumber());
    }
}
