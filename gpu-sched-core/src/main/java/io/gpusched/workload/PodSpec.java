package io.gpusched.workload;

import io.gpusched.check.Checks;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All of a {@link Pod} but its name: pods made by {@link Pod#withId} share one, and so do their placements.
 *
 * <p>Immutable and thread-safe; equal if all they ask is, the names of containers included.
 */
public final class PodSpec implements Placement.Spec {
    private static final int MAX_CONTAINERS = 1_000;

    private static final int MOST_COMBINATIONS = 64;

    private final List<Container> containers;
    private final NodeSelector nodeSelector;
    private final List<Toleration> tolerations;
    private final Resources overhead;
    private final Resources resources;
    private final PodRules rules;
    private final boolean concernsOthers;

    /** Worked out when first asked for; 0 until then. */
    private int hash;

    /** The containers and tolerations must not change any more. */
    private PodSpec(
            PodId id,
            List<Container> containers,
            NodeSelector nodeSelector,
            List<Toleration> tolerations,
            Resources overhead) {
        this.containers = containers;
        this.nodeSelector = nodeSelector;
        this.tolerations = tolerations;
        this.overhead = overhead;
        this.resources = sum(id, containers, overhead);
        this.rules = PodRules.NONE;
        this.concernsOthers = false;
    }

    private PodSpec(PodSpec plain, PodRules rules) {
        this.containers = plain.containers;
        this.nodeSelector = plain.nodeSelector;
        this.tolerations = plain.tolerations;
        this.overhead = plain.overhead;
        this.resources = plain.resources;
        this.rules = rules;
        this.concernsOthers = rules.concernsOthers();
    }

    /** Copies the lists and checks what a pod of this name asks. */
    static PodSpec of(
            PodId id,
            List<Container> containers,
            NodeSelector nodeSelector,
            List<Toleration> tolerations,
            Resources overhead) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(nodeSelector, "nodeSelector");
        Objects.requireNonNull(overhead, "overhead");
        List<Container> copy = Checks.list("containers", containers);
        List<Toleration> tolerated = Checks.list("tolerations", tolerations);
        if (copy.isEmpty() || copy.size() > MAX_CONTAINERS) {
            Checks.inRange(what(id), "number of containers", copy.size(), 1, MAX_CONTAINERS);
        }
        checkNames(id, copy);
        checkRequests(id, copy, overhead);
        NodeSelector selector = nodeSelector.terms().isEmpty() ? NodeSelector.ANY : nodeSelector;
        return new PodSpec(id, copy, selector, tolerated, overhead);
    }

    private static String what(PodId id) {
        return "pod \"" + id + "\"";
    }

    private static void checkNames(PodId id, List<Container> containers) {
        if (containers.size() == 1) {
            return;
        }
        Set<String> names = new HashSet<>();
        for (Container container : containers) {
            if (!names.add(container.name())) {
                throw new IllegalArgumentException(
                        what(id) + ": two containers have the name \"" + container.name() + "\"");
            }
        }
    }

    private static void checkRequests(PodId id, List<Container> containers, Resources overhead) {
        long cpuMillis = overhead.cpuMillis();
        long memoryMib = overhead.memoryMib();
        int wholeNodes = 0;
        int gpuContainers = 0;
        long combinations = 1;
        for (int i = 0; i < containers.size(); i++) {
            Container container = containers.get(i);
            cpuMillis += container.resources().cpuMillis();
            memoryMib += container.resources().memoryMib();
            wholeNodes += container.gpu() instanceof GpuRequest.WholeNode ? 1 : 0;
            gpuContainers += container.gpu().isNone() ? 0 : 1;
            combinations *= combinations <= MOST_COMBINATIONS
                    ? container.gpu().alternatives().size()
                    : 1;
        }
        if (cpuMillis > Resources.MAX || memoryMib > Resources.MAX) {
            Checks.inRange(what(id), "sum of cpuMillis", cpuMillis, 0, Resources.MAX);
            Checks.inRange(what(id), "sum of memoryMib", memoryMib, 0, Resources.MAX);
        }
        if (combinations > MOST_COMBINATIONS) {
            throw new IllegalArgumentException(what(id) + ": the alternatives of its containers must have at most "
                    + MOST_COMBINATIONS + " combinations, got " + combinations + " or more");
        }
        if (wholeNodes > 1 || wholeNodes == 1 && gpuContainers > 1) {
            throw new IllegalArgumentException(
                    what(id) + ": at most one container may ask for the whole node, and then no "
                            + "other may ask for gpus; got " + wholeNodes + " for the whole node and " + gpuContainers
                            + " with gpu requests");
        }
    }

    private static Resources sum(PodId id, List<Container> containers, Resources overhead) {
        if (containers.size() == 1 && overhead.equals(Resources.NONE)) {
            return containers.get(0).resources();
        }
        try {
            return sum(containers).plus(overhead);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(what(id) + ": " + e.getMessage(), e);
        }
    }

    private static Resources sum(List<Container> containers) {
        Resources sum = Resources.NONE;
        Resources sidecars = Resources.NONE;
        Resources init = Resources.NONE;
        for (Container container : containers) {
            if (container.kind() == ContainerKind.INIT) {
                init = init.max(sidecars.plus(container.resources()));
            } else {
                sum = sum.plus(container.resources());
                sidecars = container.kind() == ContainerKind.SIDECAR ? sidecars.plus(container.resources()) : sidecars;
            }
        }
        return sum.max(init);
    }

    /** Returns the containers, init containers included, in their order; at least one. */
    public List<Container> containers() {
        return containers;
    }

    /** Returns which nodes the pod accepts. */
    public NodeSelector nodeSelector() {
        return nodeSelector;
    }

    /** Returns which taints it tolerates. */
    public List<Toleration> tolerations() {
        return tolerations;
    }

    /** Returns what it takes in addition to its containers. */
    public Resources overhead() {
        return overhead;
    }

    /** Returns what it demands and prefers of the pods and nodes around it. */
    public PodRules rules() {
        return rules;
    }

    @Override
    public boolean concernsOthers() {
        return concernsOthers;
    }

    /** Returns this under other rules. */
    @SuppressWarnings("ReferenceEquality") // most pods have none
    PodSpec withRules(PodRules other) {
        return other == rules ? this : new PodSpec(this, other.equals(PodRules.NONE) ? PodRules.NONE : other);
    }

    /** As {@link Pod#resources()}. */
    @Override
    public Resources resources() {
        return resources;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof PodSpec that
                        && containers.equals(that.containers)
                        && Objects.equals(nodeSelector, that.nodeSelector)
                        && tolerations.equals(that.tolerations)
                        && Objects.equals(overhead, that.overhead)
                        && Objects.equals(rules, that.rules);
    }

    @Override
    public int hashCode() {
        int known = hash;
        if (known == 0) {
            known = containers.hashCode() * 31 + hash(nodeSelector, NodeSelector.ANY);
            known = (known * 31 + tolerations.hashCode()) * 31 + overhead.hashCode();
            known = known * 31 + hash(rules, PodRules.NONE);
            hash = known;
        }
        return known;
    }

    /** The hash of what most pods have as usual, which is one object, is told at once. */
    @SuppressWarnings("ReferenceEquality")
    private static int hash(Object value, Object usual) {
        return value == usual ? 0 : value.hashCode();
    }

    @Override
    public String toString() {
        return containers.size() + (containers.size() == 1 ? " container, " : " containers, ") + resources;
    }
}
