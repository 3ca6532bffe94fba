package io.gpusched.verify;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;

/** What a placement gives is what its pod asked, on devices that it accepts ({@link GpuRequest}, {@link GpuSelector}). */
final class GrantLaws {
    private GrantLaws() {}

    static List<Violation> check(Pod pod, Node node, Placement placement) {
        List<Violation> broken = new ArrayList<>();
        String subject = "pod \"" + pod.id() + "\"";
        if (!placement.pod().equals(pod.id())) {
            broken.add(
                    Violation.of(Law.PLACEMENT_OF_POD, subject, "the placement is of pod \"" + placement.pod() + "\""));
        }
        if (!placement.resources().equals(pod.resources())) {
            broken.add(Violation.of(
                    Law.PLACEMENT_OF_POD, subject, "it holds " + placement.resources() + ", asked " + pod.resources()));
        }
        if (placement.containers().size() != pod.containers().size()) {
            broken.add(Violation.of(Law.GRANT, subject, "containers: " + placement.containers()));
            return broken;
        }
        for (int i = 0; i < pod.containers().size(); i++) {
            container(subject, pod.containers().get(i), placement.containers().get(i), node, broken);
        }
        return broken;
    }

    private static void container(
            String subject, Container asked, ContainerGrant granted, Node node, List<Violation> broken) {
        String what = subject + ", container \"" + asked.name() + "\"";
        if (!asked.name().equals(granted.container()) || asked.kind() != granted.kind()) {
            broken.add(Violation.of(Law.GRANT, what, "the grant is of " + granted));
            return;
        }
        for (int gpu : granted.gpus().indexes()) {
            if (gpu >= node.gpus().size()) {
                broken.add(Violation.of(Law.DEVICE_EXISTS, what, "there is no gpu " + gpu));
                return;
            }
            if (!node.gpus().get(gpu).healthy()) {
                broken.add(Violation.of(
                        Law.GPU_HEALTH, what, "gpu " + gpu + " of node \"" + node.name() + "\" is not healthy"));
            }
        }
        List<Violation> best = new ArrayList<>();
        for (GpuRequest alternative : asked.gpu().alternatives()) {
            List<Violation> wrong = new ArrayList<>();
            request(what, alternative, granted.gpus(), node, wrong);
            if (wrong.isEmpty()) {
                return;
            }
            if (best.isEmpty() || best.get(0).law() == Law.GRANT) {
                best = wrong;
            }
        }
        broken.addAll(best);
    }

    private static void request(String what, GpuRequest asked, GpuGrant granted, Node node, List<Violation> broken) {
        if (!isAsAsked(asked, granted, node)) {
            broken.add(Violation.of(Law.GRANT, what, "it has " + granted + ", asked " + asked));
            return;
        }
        List<Gpu> gpus = granted.indexes().stream().map(node.gpus()::get).toList();
        for (Gpu gpu : gpus) {
            if (!isAccepted(asked.selector(), gpu)) {
                broken.add(Violation.of(Law.GPU_SELECTOR, what, gpu + " is not accepted by " + asked.selector()));
            }
        }
        Bond bond = asked.selector().affinity().required();
        for (Gpu one : gpus) {
            for (Gpu other : gpus) {
                boolean cut = granted instanceof GpuGrant.Partitions;
                if (one.index() < other.index() && !isBound(bond, node, one, other, cut)) {
                    broken.add(Violation.of(
                            Law.GPU_AFFINITY,
                            what,
                            "gpus " + one.index() + " and " + other.index() + " do not share " + bond));
                }
            }
        }
    }

    private static boolean isAsAsked(GpuRequest asked, GpuGrant granted, Node node) {
        if (asked instanceof GpuRequest.Exclusive exclusive) {
            return granted instanceof GpuGrant.Whole whole
                    && whole.gpus().size() == exclusive.count()
                    && whole.gpus().stream().distinct().count() == exclusive.count();
        }
        if (asked instanceof GpuRequest.Share share) {
            return granted instanceof GpuGrant.Shared shared
                    && shared.shares().size() == share.count()
                    && shared.shares().stream()
                            .allMatch(one -> one.equals(part(share, node.gpus().get(one.gpu()))));
        }
        if (asked instanceof GpuRequest.Partition partition) {
            return granted instanceof GpuGrant.Partitions cut
                    && cut.partitions().size() == partition.instances()
                    && cut.partitions().stream()
                            .allMatch(one -> one.profile().equals(partition.profile()) && exists(node, one));
        }
        if (asked instanceof GpuRequest.WholeNode) {
            return granted instanceof GpuGrant.WholeNode all
                    && all.gpuCount() == node.gpus().size()
                    && all.gpuCount() > 0;
        }
        return granted instanceof GpuGrant.None;
    }

    private static boolean exists(Node node, GpuPartition partition) {
        return PartitionLaws.profile(node.gpus().get(partition.gpu()), partition)
                .isPresent();
    }

    /** A percentage of memory is rounded down: 30 percent of 81,559 MiB are 24,467. */
    static GpuShare part(GpuRequest.Share share, Gpu gpu) {
        long mib = share.memory() instanceof GpuMemory.Percent part
                ? Math.floorDiv(part.percent() * gpu.memoryMib(), 100L)
                : ((GpuMemory.Mib) share.memory()).mib();
        return new GpuShare(gpu.index(), share.computeMillis(), mib, share.slots());
    }

    static boolean isAccepted(GpuSelector selector, Gpu gpu) {
        String model = gpu.model().name();
        return (selector.allowedModels().isEmpty() || selector.allowedModels().contains(model))
                && !selector.deniedModels().contains(model)
                && (selector.allowedUuids().isEmpty() || selector.allowedUuids().contains(gpu.uuid()))
                && !selector.deniedUuids().contains(gpu.uuid())
                && gpu.memoryMib() >= selector.minMemoryMib();
    }

    /** All GPUs whose NUMA node is unknown count as one; partitions have no links of their own. */
    private static boolean isBound(Bond bond, Node node, Gpu one, Gpu other, boolean cut) {
        return switch (bond) {
            case NONE -> true;
            case NUMA_NODE -> one.numaNode() == other.numaNode();
            case NVLINK_CLIQUE ->
                cut
                        || !node.links().isNone()
                                && node.links().link(one.index(), other.index()).nvlinks() > 0;
        };
    }
}
