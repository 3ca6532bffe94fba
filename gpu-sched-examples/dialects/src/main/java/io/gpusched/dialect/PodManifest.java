package io.gpusched.dialect;

import io.gpusched.check.Checks;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A pod as a manifest describes it.
 *
 * @param id its name
 * @param labels its labels
 * @param annotations its annotations
 * @param containers its containers, init containers first
 * @param nodeSelector which nodes it accepts
 * @param tolerations which taints it puts up with
 * @param overhead what it takes beside its containers
 * @param rules what it demands and prefers of the pods and nodes around it; its labels are put there too
 * @param claimed what it asks of GPUs beside its containers, by claims for devices, each as a container of its own
 */
public record PodManifest(
        PodId id,
        Map<String, String> labels,
        Map<String, String> annotations,
        List<ContainerManifest> containers,
        NodeSelector nodeSelector,
        List<Toleration> tolerations,
        Resources overhead,
        PodRules rules,
        List<Container> claimed) {
    /** Copies the collections. */
    public PodManifest {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(nodeSelector, "nodeSelector");
        Objects.requireNonNull(overhead, "overhead");
        Objects.requireNonNull(rules, "rules");
        labels = Checks.ascending("labels", labels);
        annotations = Checks.ascending("annotations", annotations);
        containers = Checks.list("containers", containers);
        tolerations = Checks.list("tolerations", tolerations);
        claimed = Checks.list("claimed", claimed);
        rules = labels.isEmpty() && rules.labels().isEmpty() ? rules : rules.withLabels(labels);
    }

    /** A pod without claims. */
    public PodManifest(
            PodId id,
            Map<String, String> labels,
            Map<String, String> annotations,
            List<ContainerManifest> containers,
            NodeSelector nodeSelector,
            List<Toleration> tolerations,
            Resources overhead,
            PodRules rules) {
        this(id, labels, annotations, containers, nodeSelector, tolerations, overhead, rules, List.of());
    }

    /** A pod that takes nothing beside its containers and has no rules. */
    public PodManifest(
            PodId id,
            Map<String, String> labels,
            Map<String, String> annotations,
            List<ContainerManifest> containers,
            NodeSelector nodeSelector,
            List<Toleration> tolerations) {
        this(id, labels, annotations, containers, nodeSelector, tolerations, Resources.NONE, PodRules.NONE);
    }

    /** Returns a pod of these containers that accepts every node without taints. */
    public static PodManifest of(String id, List<ContainerManifest> containers) {
        Objects.requireNonNull(id, "id");
        return new PodManifest(PodId.of(id), Map.of(), Map.of(), containers, NodeSelector.ANY, List.of());
    }

    /** Returns this pod with some resources of its containers counted by name, as {@link ContainerManifest#counting}. */
    public PodManifest counting(Predicate<String> counted) {
        Objects.requireNonNull(counted, "counted");
        List<ContainerManifest> counting = containers.stream()
                .map(container -> container.counting(counted))
                .toList();
        Resources kept = Resources.of(overhead.cpuMillis(), overhead.memoryMib());
        for (String name : overhead.named().names()) {
            kept = counted.test(name) ? kept.with(name, overhead.amount(name)) : kept;
        }
        return new PodManifest(id, labels, annotations, counting, nodeSelector, tolerations, kept, rules, claimed);
    }

    /** Returns this pod with other annotations. */
    public PodManifest withAnnotations(Map<String, String> others) {
        Checks.noNulls("others", others);
        return new PodManifest(id, labels, others, containers, nodeSelector, tolerations, overhead, rules, claimed);
    }

    /** Returns this pod for the nodes that it accepts and this selector accepts too. */
    public PodManifest onNodes(NodeSelector selector) {
        Objects.requireNonNull(selector, "selector");
        return new PodManifest(
                id, labels, annotations, containers, nodeSelector.and(selector), tolerations, overhead, rules, claimed);
    }

    /** Returns this pod asking for these GPUs beside its containers. */
    public PodManifest withClaimed(List<Container> claimed) {
        return new PodManifest(
                id, labels, annotations, containers, nodeSelector, tolerations, overhead, rules, claimed);
    }

    /** Returns this pod with one more label. */
    public PodManifest withLabel(String key, String value) {
        Map<String, String> more = new TreeMap<>(labels);
        more.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
        return new PodManifest(id, more, annotations, containers, nodeSelector, tolerations, overhead, rules, claimed);
    }

    /** Returns this pod where pods are that this term means. */
    public PodManifest near(PodAffinity.Term term) {
        Objects.requireNonNull(term, "term");
        List<PodAffinity.Term> required = new ArrayList<>(rules.affinity().required());
        required.add(term);
        PodRules near =
                rules.withAffinity(new PodAffinity(required, rules.affinity().preferred()));
        return new PodManifest(id, labels, annotations, containers, nodeSelector, tolerations, overhead, near, claimed);
    }

    /** Returns a placement of this pod without what it has by claims: what its containers themselves hold. */
    public Placement withoutClaimed(Placement placement) {
        Objects.requireNonNull(placement, "placement");
        if (claimed.isEmpty()) {
            return placement;
        }
        List<ContainerGrant> own = placement.containers().stream()
                .filter(grant -> claimed.stream().noneMatch(one -> one.name().equals(grant.container())))
                .toList();
        return new Placement(placement.pod(), placement.node(), placement.resources(), own);
    }

    /**
     * Returns CPU and memory of a container, its requests or its limits where no request is given, and what is counted of
     * it by name.
     *
     * @throws IllegalArgumentException if an amount is none or out of range
     */
    public static Resources resources(ContainerManifest container) {
        Objects.requireNonNull(container, "container");
        long cpu = container.requested("cpu", Quantity::millis);
        long memory = container.requested("memory", Quantity::mibCeiling);
        return new Resources(cpu, memory, container.named());
    }
}
