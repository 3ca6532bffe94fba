package io.gpusched.manifests.view;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.kai.KaiDialect;
import io.gpusched.dialect.koordinator.KoordinatorDialect;
import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.dialect.nvidia.GpuOperatorDialect;
import io.gpusched.dialect.nvidia.NvidiaSharingDialect;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.manifests.dialect.BoundPod;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.dialect.ResidentPods;
import io.gpusched.manifests.grant.GrantAnnotations;
import io.gpusched.manifests.grant.GrantedPods;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import java.util.Map;
import java.util.Optional;

/**
 * Says what a running pod holds of its node: by our own annotation, else by those of its dialect. One that asks for no GPUs holds
 * none, whatever its annotations claim.
 */
final class RunningPlacement {
    private RunningPlacement() {}

    /**
     * Returns what the pod holds, CPU, memory and the like as it asks: they may be more than the node has left.
     *
     * @param node the node with what runs there already
     * @throws IllegalArgumentException if it cannot be told which GPUs the pod holds
     */
    static Placement of(RunningPod running, NodeState node, NamedDialect named) {
        if (ResidentPods.asksForNoGpus(running.manifest(), named::isCounted)) {
            return ResidentPods.withoutGpus(running.manifest(), node);
        }
        PodManifest manifest = counted(running, node);
        Optional<Placement> granted = GrantedPods.placement(manifest, node, named.dialect());
        if (granted.isPresent()) {
            return granted.get();
        }
        refuseForeign(manifest, named, node);
        Pod pod = named.dialect().pod(manifest);
        return pod.containers().stream().allMatch(container -> container.gpu().isNone())
                ? ResidentPods.withoutGpus(running.manifest(), node)
                : byDialect(manifest, node, named.dialect(), pod);
    }

    private static PodManifest counted(RunningPod running, NodeState node) {
        return running.manifest().counting(resource -> node.capacity().named().amount(resource) > 0);
    }

    /** Returns whether any GPUs of the node, in the number that the pod asks for, may stand for the GPUs that it holds. */
    static boolean isCountedOnly(RunningPod running, NamedDialect named) {
        Map<String, String> annotations = running.manifest().annotations();
        return countsOnly(named.dialect())
                && !annotations.containsKey(GrantAnnotations.GRANT)
                && !annotations.containsKey(KaiDialect.SHARED)
                && !annotations.containsKey(KoordinatorDialect.ALLOCATED);
    }

    /** Returns whether a node says how many of its GPUs can be given out, and not which. */
    static boolean reportsNumber(Dialect dialect) {
        return countsOnly(dialect) || dialect instanceof T9kDialect;
    }

    /** Where the kubelet chooses the devices, only their number counts. */
    private static boolean countsOnly(Dialect dialect) {
        return dialect instanceof DevicePluginDialect
                || dialect instanceof NvidiaSharingDialect
                || dialect instanceof KaiDialect
                || dialect instanceof KoordinatorDialect
                || dialect instanceof GpuOperatorDialect;
    }

    private static Placement byDialect(PodManifest manifest, NodeState node, Dialect dialect, Pod pod) {
        if (!countsOnly(dialect) && !BoundPod.namesGpus(dialect, manifest, node.node())) {
            throw new IllegalArgumentException("no annotation says which GPUs the pod holds");
        }
        Pod bound = BoundPod.of(dialect, manifest, node.node());
        return GpuScheduler.builder()
                .policy(dialect.policy())
                .memory(0)
                .build()
                .place(node, BoundPod.gpusOnly(bound))
                .map(found -> BoundPod.withPartitions(dialect, manifest, node.node(), found))
                .map(found -> new Placement(found.pod(), found.node(), bound.resources(), found.containers()))
                .map(found -> found.withSpec(pod.spec()))
                .orElseThrow(() -> new IllegalArgumentException("the GPUs that it holds are not free"));
    }

    /** Devices that are taken under a name the node's dialect does not know may be any of its GPUs. */
    private static void refuseForeign(PodManifest manifest, NamedDialect named, NodeState node) {
        for (ContainerManifest container : manifest.containers()) {
            for (String resource : container.limits().keySet()) {
                if (Dialects.isDevice(resource)
                        && !named.resources().contains(resource)
                        && node.capacity().named().amount(resource) == 0) {
                    throw new IllegalArgumentException("container \"" + container.name() + "\" holds " + resource
                            + ", which dialect " + named.dialect().name() + " does not count");
                }
            }
        }
    }
}
