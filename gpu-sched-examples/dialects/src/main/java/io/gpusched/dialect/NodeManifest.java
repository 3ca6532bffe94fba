package io.gpusched.dialect;

import io.gpusched.check.Checks;
import io.gpusched.dialect.internal.GfdLabels;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.amount.NamedAmounts;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A node as a manifest describes it.
 *
 * @param name its name
 * @param labels its labels
 * @param annotations its annotations
 * @param allocatable amounts by resource, as texts
 * @param taints its taints
 * @param cordoned whether new pods are kept away
 * @param named what it has of resources that the library counts by name, whatever the dialect
 */
public record NodeManifest(
        String name,
        Map<String, String> labels,
        Map<String, String> annotations,
        Map<String, String> allocatable,
        List<Taint> taints,
        boolean cordoned,
        NamedAmounts named) {
    private static final Set<String> FIELDS = Set.of("cpu", "memory", "pods");

    /** Copies the collections. */
    public NodeManifest {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(named, "named");
        labels = Checks.ascending("labels", labels);
        annotations = Checks.ascending("annotations", annotations);
        allocatable = Checks.ascending("allocatable", allocatable);
        taints = Checks.list("taints", taints);
    }

    /** A node without resources counted by name. */
    public NodeManifest(
            String name,
            Map<String, String> labels,
            Map<String, String> annotations,
            Map<String, String> allocatable,
            List<Taint> taints,
            boolean cordoned) {
        this(name, labels, annotations, allocatable, taints, cordoned, NamedAmounts.NONE);
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
        Objects.requireNonNull(resource, "resource");
        String text = allocatable.get(resource);
        return text == null
                ? Optional.empty()
                : Optional.of(Quantity.read("node \"" + name + "\"", resource, text, Function.identity()));
    }

    /** An amount of the node, or 0. */
    private long amount(String resource, Function<Quantity, Long> as) {
        String text = allocatable.get(resource);
        return text == null ? 0 : Quantity.read("node \"" + name + "\"", resource, text, as);
    }

    /**
     * Returns a whole amount of the node, or 0.
     *
     * @throws IllegalArgumentException if the text is no whole number
     */
    public long count(String resource) {
        Objects.requireNonNull(resource, "resource");
        return amount(resource, Quantity::wholeNumber);
    }

    /** Returns whether an amount of a resource is reported, be it 0. */
    public boolean reports(String resource) {
        Objects.requireNonNull(resource, "resource");
        return allocatable.containsKey(resource);
    }

    /**
     * Returns this node with some of its resources counted by name, rounded down to whole numbers.
     *
     * @param counted whether a resource other than CPU, memory and pods is counted
     * @throws IllegalArgumentException if an amount of these is none, or out of range
     */
    public NodeManifest counting(Predicate<String> counted) {
        Objects.requireNonNull(counted, "counted");
        Map<String, Long> amounts = new TreeMap<>();
        allocatable.forEach((resource, text) -> {
            if (isOther(resource) && counted.test(resource)) {
                amounts.put(resource, amount(resource, Quantity::wholeFloor));
            }
        });
        return new NodeManifest(name, labels, annotations, allocatable, taints, cordoned, NamedAmounts.of(amounts));
    }

    /** Whether a resource has no field of its own. */
    static boolean isOther(String resource) {
        return !FIELDS.contains(resource);
    }

    /** Starts the node: name, labels, taints, cordon, CPU, memory, other resources and the number of pods; no GPUs yet. */
    public Node.Builder toNode() {
        Node.Builder builder = Node.builder(name).labels(labels).cordoned(cordoned);
        taints.forEach(builder::taint);
        long cpu = amount("cpu", Quantity::millis);
        long memory = amount("memory", Quantity::mibFloor);
        builder.capacity(new Resources(cpu, memory, named));
        if (allocatable.containsKey("pods")) {
            builder.maxPods((int) Checks.inRange("node \"" + name + "\"", "pods", count("pods"), 0, Integer.MAX_VALUE));
        }
        return builder;
    }

    /**
     * Returns the kind of the node's NVIDIA GPUs by the labels of GPU feature discovery
     * ({@code nvidia.com/gpu.product}, {@code nvidia.com/gpu.memory} in MiB), else by those of GKE, EKS, AKS and OpenShift; an unknown product or memory is called
     * {@code gpu} or 0.
     */
    public GpuModel nvidiaModel() {
        String product = GfdLabels.product(labels).orElse("gpu");
        String memory = GfdLabels.memory(labels).orElse("0");
        return GpuModel.of("nvidia", product, Quantity.parse(memory).wholeNumber());
    }
}
