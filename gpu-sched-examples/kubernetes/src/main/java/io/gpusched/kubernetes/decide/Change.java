package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.gpusched.kubernetes.quota.QueueSpec;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.PodId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Something that the API server says, or what became of a write. */
public sealed interface Change {
    /** How deep the fields of an object without a class are nested at most; what is deeper is left out. */
    int DEEPEST = 50;

    /** A node is there, new or changed. */
    record NodePut(Node node) implements Change {}

    /** A node is gone. */
    record NodeGone(String name) implements Change {}

    /** A pod is there, new or changed. */
    record PodPut(Pod pod) implements Change {}

    /** A pod is gone. */
    record PodGone(PodId id, String uid) implements Change {}

    /** A namespace is there, new or changed. */
    record NamespacePut(Namespace namespace) implements Change {}

    /** A namespace is gone. */
    record NamespaceGone(String name) implements Change {}

    /**
     * A group is there, new or changed.
     *
     * @param status its status as the API server holds it; empty if it has none
     * @param version the version of the object
     */
    record GroupPut(GroupSpec group, Map<String, Object> status, String version) implements Change {}

    /** A group is gone. */
    record GroupGone(GroupKey key) implements Change {}

    /** A hyper node of Volcano's is there, new or changed. */
    record HyperNodePut(GenericKubernetesResource object) implements Change {}

    /** A hyper node is gone. */
    record HyperNodeGone(String name) implements Change {}

    /** A priority class is there, new or changed. */
    record PriorityPut(PriorityClass priority) implements Change {}

    /** A priority class is gone. */
    record PriorityGone(String name) implements Change {}

    /** A volume, a claim, a storage class or what a node can attach is there, new or changed. */
    record VolumePut(HasMetadata object) implements Change {}

    /** A volume, a claim, a storage class or what a node can attach is gone. */
    record VolumeGone(HasMetadata object) implements Change {}

    /**
     * An object of dynamic resource allocation is there, new or changed.
     *
     * @param isWhole whether nothing of it is nested deeper than {@link #DEEPEST}, and so left out
     */
    record DevicesPut(YamlNode object, boolean isWhole) implements Change {}

    /** An object of dynamic resource allocation is gone. */
    record DevicesGone(YamlNode object) implements Change {}

    /**
     * A binding was not written: the pod is not bound by it and never will be.
     *
     * @param uid the identity of the pod that was to be bound
     * @param why what the API server said
     * @param allocated the resource claims that have got their devices all the same
     */
    record NotBound(PodId id, String uid, String why, Set<String> allocated) implements Change {
        /** Copies the set. */
        public NotBound {
            allocated = Set.copyOf(allocated);
        }

        /** One without a written claim. */
        public NotBound(PodId id, String uid, String why) {
            this(id, uid, why, Set.of());
        }
    }

    /** A queue is there, new or changed. */
    record QueuePut(QueueSpec queue) implements Change {}

    /** A queue is gone. */
    record QueueGone(String name) implements Change {}

    /** A disruption budget is there, new or changed. */
    record BudgetPut(PodDisruptionBudget budget) implements Change {}

    /** A disruption budget is gone. */
    record BudgetGone(PodDisruptionBudget budget) implements Change {}

    /**
     * No more pods are evicted for a job, and its places are held no longer.
     *
     * @param job the name of the job
     * @param kept a pod whose eviction was refused, if that is why
     * @param why what the API server said
     */
    record RoomGivenUp(String job, Optional<PodId> kept, String why) implements Change {}
}
