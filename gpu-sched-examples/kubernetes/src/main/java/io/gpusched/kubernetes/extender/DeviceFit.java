package io.gpusched.kubernetes.extender;

import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Unschedulable;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Optional;

/** Puts one pod to the library, node by node: whether and how it fits, how good that is, and why not. For one thread. */
final class DeviceFit {
    private final Dialect dialect;
    private final PodManifest manifest;
    private final Pod pod;

    /** What dialects say of a node is said of its GPUs, so only where this fits. */
    private final Pod withoutGpus;

    private final PlacementPolicy policy;
    private final GpuScheduler scheduler;
    private final GpuScheduler anyPolicy = GpuScheduler.create();

    private DeviceFit(Dialect dialect, PodManifest manifest, Cluster cluster) {
        this.dialect = dialect;
        this.manifest = manifest;
        this.pod = dialect.pod(manifest, cluster);
        this.withoutGpus = withoutGpus(pod);
        this.policy = dialect.policy(manifest);
        this.scheduler = GpuScheduler.builder().policy(policy).memory(0).build();
    }

    /**
     * Returns how a pod fits.
     *
     * @param manifest the pod with what is asked of it
     * @param cluster what there is
     * @throws io.gpusched.dialect.RefusedException if the dialect's rules forbid the pod whatever the cluster
     */
    static DeviceFit of(Dialect dialect, PodManifest manifest, Cluster cluster) {
        return new DeviceFit(dialect, manifest, cluster);
    }

    private static Pod withoutGpus(Pod pod) {
        return pod.withContainers(pod.containers().stream()
                .map(container ->
                        new Container(container.name(), container.kind(), container.resources(), GpuRequest.none()))
                .toList());
    }

    /** Returns the pod's best place on a node, if it has room. */
    Optional<Placement> place(NodeState node) {
        return scheduler.place(node, pod);
    }

    /** Returns what the dialect thinks of a place; higher is better. */
    long score(NodeState node, Placement placement) {
        return policy.score(node, node.with(placement), pod);
    }

    /** Returns why the pod does not fit on a node that has no room for it. */
    Refusal refusal(NodeState node) {
        Cluster alone = Cluster.of(List.of(node.node()), node.placements());
        String words = anyPolicy.place(node, withoutGpus).isPresent() ? dialect.refusal(node, manifest) : "";
        if (anyPolicy.schedule(alone, pod) instanceof Unschedulable none) {
            Diagnosis diagnosis = none.diagnosis();
            return new Refusal(words.isEmpty() ? FailureWords.of(diagnosis) : words, diagnosis.couldFitLater());
        }
        return new Refusal(words.isEmpty() ? "refused by " + policy : words, true);
    }

    /**
     * Why a node does not take a pod.
     *
     * @param words for a person
     * @param couldFitLater whether it could once enough pods leave the node
     */
    record Refusal(String words, boolean couldFitLater) {}
}
