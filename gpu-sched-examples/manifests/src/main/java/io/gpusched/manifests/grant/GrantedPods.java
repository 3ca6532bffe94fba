package io.gpusched.manifests.grant;

import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Optional;

/** Says what running pods hold that carry a grant of ours, whatever their dialect would say. */
public final class GrantedPods {
    /** Knows no GPUs, and refuses no pod. */
    private static final Dialect PLAIN = DevicePluginDialect.of("gpu-sched.io/none");

    private GrantedPods() {}

    /**
     * Returns what a pod holds by its grant, or nothing if it has none.
     *
     * @param manifest the pod, with the resources that are counted by name
     * @param node the node that it runs on
     * @throws GrantException if the grant cannot be read, or is not one of this pod on this node
     */
    public static Optional<Placement> placement(PodManifest manifest, NodeState node, Dialect dialect) {
        String grant = manifest.annotations().get(GrantAnnotations.GRANT);
        if (grant == null) {
            return Optional.empty();
        }
        List<ContainerGrant> grants = GrantRecord.read(grant, manifest, node.node());
        Pod shape = shape(manifest, dialect);
        check(shape, grants);
        return Optional.of(new Placement(manifest.id(), node.name(), shape.resources(), grants).withSpec(shape.spec()));
    }

    /** A change of a pod's annotations must not give away what the pod holds. */
    private static void check(Pod shape, List<ContainerGrant> grants) {
        for (int c = 0; c < grants.size(); c++) {
            GpuRequest asked = shape.containers().get(c).gpu();
            GpuGrant held = grants.get(c).gpus();
            if (isLess(held, asked) || isMore(held, asked)) {
                throw new GrantException("container \"" + grants.get(c).container() + "\" asks for " + asked
                        + ", the grant names " + number(held));
            }
        }
    }

    private static boolean isLess(GpuGrant held, GpuRequest asked) {
        return asked instanceof GpuRequest.WholeNode
                ? !(held instanceof GpuGrant.WholeNode)
                : asked.alternatives().stream().allMatch(shape -> number(held) < number(shape));
    }

    /** Where the dialect refuses by now what it allowed before, it is not known what was asked. */
    private static boolean isMore(GpuGrant held, GpuRequest asked) {
        return !asked.isNone()
                && !(asked instanceof GpuRequest.WholeNode)
                && asked.alternatives().stream().allMatch(shape -> number(held) > number(shape));
    }

    /** Returns the most GPUs, parts of GPUs or partitions that any alternative of a request is for. */
    public static int most(GpuRequest asked) {
        return asked.alternatives().stream().mapToInt(GrantedPods::number).max().orElse(0);
    }

    /** How many GPUs, parts of GPUs or partitions a request is for. The settings of a dialect change amounts, but not this. */
    private static int number(GpuRequest asked) {
        return asked instanceof GpuRequest.Partition partitions ? partitions.instances() : asked.count();
    }

    private static int number(GpuGrant held) {
        if (held instanceof GpuGrant.WholeNode whole) {
            return whole.gpuCount();
        }
        return held instanceof GpuGrant.Partitions cut
                ? cut.partitions().size()
                : held.indexes().size();
    }

    /** The dialect may refuse by now what it allowed before. */
    private static Pod shape(PodManifest manifest, Dialect dialect) {
        try {
            return dialect.pod(manifest);
        } catch (IllegalArgumentException e) {
            return PLAIN.pod(manifest);
        }
    }
}
