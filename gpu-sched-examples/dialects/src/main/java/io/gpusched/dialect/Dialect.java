package io.gpusched.dialect;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The vocabulary of one system: manifests in, environment and annotations out, and the system's way to choose among what
 * fits as a policy. Nothing is decided here; {@link DialectScheduler} puts it to the scheduler.
 *
 * <p>Implementations are immutable and thread-safe.
 */
public interface Dialect {
    /** Returns the system's name, such as {@code nano-gpu}. */
    String name();

    /**
     * Returns a node in the library's terms.
     *
     * @throws IllegalArgumentException if a label or an amount has an illegal value
     */
    Node node(NodeManifest manifest);

    /**
     * Returns a pod in the library's terms. A resource that the dialect does not read is not looked at, unless the manifests of
     * pods and nodes count it by name ({@link PodManifest#counting}, {@link NodeManifest#counting}).
     *
     * @throws RefusedException if the system's rules forbid it whatever the cluster
     */
    Pod pod(PodManifest manifest);

    /**
     * Returns a pod for this snapshot, where what it asks is named by what there is: models by a part of their name, GPUs
     * by the pods that use them. The same as {@link #pod(PodManifest)} unless a system needs it.
     *
     * @throws RefusedException if the system's rules forbid it whatever the cluster
     */
    default Pod pod(PodManifest manifest, Cluster cluster) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(cluster, "cluster");
        return pod(manifest);
    }

    /** Returns how the system chooses among nodes and GPUs that fit, for pods that say nothing about it. */
    PlacementPolicy policy();

    /**
     * Returns how the system chooses for this pod. Policies are values: those of two pods are equal if they choose alike.
     *
     * @throws RefusedException if the pod names a way that the system does not have
     */
    default PlacementPolicy policy(PodManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        return policy();
    }

    /** Returns what the system says of a node on which a pod does not fit; empty where it says nothing of its own. */
    default String refusal(NodeState node, PodManifest manifest) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(manifest, "manifest");
        return "";
    }

    /**
     * Returns the GPUs that a running pod's annotations name for a container; none where they say nothing.
     *
     * @param manifest the pod
     * @param container position of the container in the manifest
     * @param node the node it runs on
     * @throws IllegalArgumentException if an annotation is malformed
     */
    default List<Integer> heldGpus(PodManifest manifest, int container, Node node) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        return List.of();
    }

    /**
     * Returns the hardware partitions that a running pod's annotations name for a container, in their order; none where they say
     * nothing.
     *
     * @param manifest the pod
     * @param container position of the container in the manifest
     * @param node the node it runs on
     * @throws IllegalArgumentException if an annotation is malformed
     */
    default List<GpuPartition> heldPartitions(PodManifest manifest, int container, Node node) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        return List.of();
    }

    /**
     * Returns what the system writes for a pod that was placed.
     *
     * @param manifest the pod
     * @param node its node
     * @param placement where it was placed
     */
    BindingMetadata write(PodManifest manifest, Node node, Placement placement);

    /**
     * Returns the annotations of pods that are grants: all that {@link #write} may write, and all that the system's own parts go by. A
     * {@code *} in a name stands for any text. Only a scheduler may write one: it gives out devices.
     */
    default Set<String> grants() {
        return Set.of();
    }
}
