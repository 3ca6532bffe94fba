package io.gpusched.workload;

import io.gpusched.model.GroupMembership;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A pod that is to be placed: its containers, what they ask, and which nodes it accepts.
 *
 * @param id its name
 * @param spec what it asks, which pods that ask for the same may share
 * @param group the group that it is a member of by itself, so that it stays as close to the members that run as the group's
 *     locality says; empty for most pods, those of a {@link PodGroup} included
 */
public record Pod(PodId id, PodSpec spec, Optional<GroupMembership> group) {
    /** Checks that nothing is missing. */
    public Pod {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(spec, "spec");
        Objects.requireNonNull(group, "group");
    }

    /** A pod that is in no group by itself. */
    public Pod(PodId id, PodSpec spec) {
        this(id, spec, Optional.empty());
    }

    /**
     * Creates a pod; the lists are copied.
     *
     * @param id its name
     * @param containers its containers, init containers included, in their order; at least one
     * @param nodeSelector which nodes it accepts
     * @param tolerations which taints it tolerates
     * @param overhead what it takes in addition to its containers, for example for its sandbox
     * @throws IllegalArgumentException if there is no container, two have the same name, more than one asks for the
     *     whole node, one asks for the whole node and another for GPUs, or their CPU or memory sums up to more than
     *     {@link Resources#MAX}
     */
    public Pod(
            PodId id,
            List<Container> containers,
            NodeSelector nodeSelector,
            List<Toleration> tolerations,
            Resources overhead) {
        this(id, PodSpec.of(id, containers, nodeSelector, tolerations, overhead));
    }

    /** A pod that takes nothing beside its containers. */
    public Pod(PodId id, List<Container> containers, NodeSelector nodeSelector, List<Toleration> tolerations) {
        this(id, containers, nodeSelector, tolerations, Resources.NONE);
    }

    /**
     * Returns the pod that a placement serves, as it was when it was placed, with its {@linkplain #group() group}; nothing if the
     * placement was made by hand and does not tell. Schedulers' placements always do.
     */
    public static Optional<Pod> of(Placement placement) {
        Objects.requireNonNull(placement, "placement");
        return placement
                .spec()
                .filter(PodSpec.class::isInstance)
                .map(spec -> new Pod(placement.pod(), (PodSpec) spec, placement.group()));
    }

    /** Returns a pod of one container, named {@code main}, that accepts every node without taints. */
    public static Pod of(String id, Resources resources, GpuRequest gpu) {
        Objects.requireNonNull(id, "id");
        return builder(id).container(Container.of("main", resources, gpu)).build();
    }

    /** Starts a pod of this name (see {@link PodId#of}) that accepts every node without taints. */
    public static Builder builder(String id) {
        Objects.requireNonNull(id, "id");
        return new Builder(PodId.of(id));
    }

    /**
     * Returns this pod with other containers.
     *
     * @throws IllegalArgumentException as the constructor does
     */
    public Pod withContainers(List<Container> containers) {
        Objects.requireNonNull(containers, "containers");
        return new Pod(id, containers, nodeSelector(), tolerations(), overhead())
                .withRules(spec.rules())
                .withGroup(group);
    }

    /** Returns this pod under another name. */
    public Pod withId(PodId other) {
        Objects.requireNonNull(other, "other");
        return new Pod(other, spec, group);
    }

    /** Returns this pod under other rules. */
    public Pod withRules(PodRules rules) {
        Objects.requireNonNull(rules, "rules");
        return new Pod(id, spec.withRules(rules), group);
    }

    /** Returns this pod as a member of a group by itself, or, if that is empty, of none. */
    public Pod withGroup(Optional<GroupMembership> membership) {
        Objects.requireNonNull(membership, "membership");
        return membership.equals(group) ? this : new Pod(id, spec, membership);
    }

    /**
     * Returns what must be free, as Kubernetes counts it. Of each resource it is the overhead plus
     * the greater of two sums: that of the containers that run together in the end (ordinary ones and sidecars), and the
     * largest of any init container with the sidecars before it.
     *
     * <p>A sidecar of 1 core, an init container of 3 after it and an ordinary container of 2: max(1 + 2, 3 + 1) = 4 cores.
     */
    public Resources resources() {
        return spec.resources();
    }

    /** Returns its containers, init containers included, in their order; at least one. */
    public List<Container> containers() {
        return spec.containers();
    }

    /** Returns which nodes it accepts. */
    public NodeSelector nodeSelector() {
        return spec.nodeSelector();
    }

    /** Returns which taints it tolerates. */
    public List<Toleration> tolerations() {
        return spec.tolerations();
    }

    /** Returns what it takes in addition to its containers. */
    public Resources overhead() {
        return spec.overhead();
    }

    /** Returns what it demands and prefers of the pods and nodes around it. */
    public PodRules rules() {
        return spec.rules();
    }

    /**
     * Returns whether the other pod asks for the same; the names of pods and containers are not compared, and neither are
     * {@linkplain #rules() rules}, which no policy sees.
     */
    public boolean asksTheSame(Pod other) {
        Objects.requireNonNull(other, "other");
        List<Container> containers = containers();
        if (containers.size() != other.containers().size()
                || !nodeSelector().equals(other.nodeSelector())
                || !tolerations().equals(other.tolerations())
                || !overhead().equals(other.overhead())) {
            return false;
        }
        for (int i = 0; i < containers.size(); i++) {
            Container mine = containers.get(i);
            Container theirs = other.containers().get(i);
            if (mine.kind() != theirs.kind()
                    || !mine.resources().equals(theirs.resources())
                    || !mine.gpu().equals(theirs.gpu())) {
                return false;
            }
        }
        return true;
    }

    /** Returns a hash that agrees with {@link #asksTheSame}. */
    public int requestHash() {
        int hash = (nodeSelector().hashCode() * 31 + tolerations().hashCode()) * 31
                + overhead().hashCode();
        for (Container container : containers()) {
            hash = hash * 31 + container.resources().hashCode();
            hash = hash * 31 + container.gpu().hashCode();
            hash = hash * 31 + container.kind().name().hashCode();
        }
        return hash;
    }

    /** Collects what a pod asks. May be used again after {@link #build()}. Not thread-safe. */
    public static final class Builder {
        private final PodId id;
        private final List<Container> containers = new ArrayList<>();
        private NodeSelector nodeSelector = NodeSelector.ANY;
        private final List<Toleration> tolerations = new ArrayList<>();
        private Resources overhead = Resources.NONE;
        private PodRules rules = PodRules.NONE;

        private Builder(PodId id) {
            this.id = id;
        }

        /** Adds a container. */
        public Builder container(Container container) {
            Objects.requireNonNull(container, "container");
            containers.add(container);
            return this;
        }

        /** Adds an ordinary container. */
        public Builder container(String name, Resources resources, GpuRequest gpu) {
            Objects.requireNonNull(name, "name");
            return container(Container.of(name, resources, gpu));
        }

        /** Adds a selector; the node must match this one and those of earlier calls. */
        public Builder nodeSelector(NodeSelector selector) {
            Objects.requireNonNull(selector, "selector");
            nodeSelector = nodeSelector.and(selector);
            return this;
        }

        /** Adds a toleration. */
        public Builder toleration(Toleration toleration) {
            Objects.requireNonNull(toleration, "toleration");
            tolerations.add(toleration);
            return this;
        }

        /** Sets what the pod takes beside its containers; the last call counts. */
        public Builder overhead(Resources value) {
            Objects.requireNonNull(value, "value");
            overhead = value;
            return this;
        }

        /** Sets what the pod demands and prefers of the pods and nodes around it; the last call counts. */
        public Builder rules(PodRules value) {
            Objects.requireNonNull(value, "value");
            rules = value;
            return this;
        }

        /**
         * Builds the pod.
         *
         * @throws IllegalArgumentException as the constructor of {@link Pod} does
         */
        public Pod build() {
            return new Pod(id, containers, nodeSelector, tolerations, overhead).withRules(rules);
        }
    }
}
