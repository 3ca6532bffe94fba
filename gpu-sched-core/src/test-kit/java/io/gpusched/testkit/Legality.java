package io.gpusched.testkit;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.model.Taint;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.Toleration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules of what may go where, written down once more as plainly as possible. */
public final class Legality {
    private Legality() {}

    /** Whether what a placement takes is free on its node and admitted by it. */
    static boolean fits(Placement placement, ModelNode node) {
        if (node.isHeldWhole()
                || node.placements().size() >= node.node().maxPods()
                || placement.containers().stream().anyMatch(grant -> !isAdmitted(grant.gpus(), node))) {
            return false;
        }
        if (ModelNode.isWholeNode(placement)) {
            if (!node.placements().isEmpty()
                    || !placement.resources().fitsIn(node.node().capacity())) {
                return false;
            }
        } else if (placement.resources().cpuMillis() > node.freeCpuMillis()
                || placement.resources().memoryMib() > node.freeMemoryMib()
                || placement.resources().named().names().stream()
                        .anyMatch(name -> placement.resources().amount(name) > node.free(name))) {
            return false;
        }
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            if (!isAgreed(placement, node.gpu(gpu)) || !isFree(ModelNode.takenBy(placement, gpu), node, gpu)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the node has such GPUs and its mode allows such a grant. */
    private static boolean isAdmitted(GpuGrant grant, ModelNode node) {
        if (grant instanceof GpuGrant.None) {
            return true;
        }
        if (grant instanceof GpuGrant.WholeNode all && all.gpuCount() != node.gpuCount()) {
            return false;
        }
        NodeMode mode = node.node().mode();
        boolean admitted = grant instanceof GpuGrant.Shared ? mode != NodeMode.EXCLUSIVE : mode != NodeMode.SHARED;
        return admitted && grant.indexes().stream().allMatch(gpu -> gpu < node.gpuCount());
    }

    /** Whether containers that run side by side do not quarrel over a GPU, and each alone stays within the device. */
    private static boolean isAgreed(Placement placement, Gpu gpu) {
        Taken sum = Taken.NOTHING;
        Taken sidecars = Taken.NOTHING;
        int whole = 0;
        int holders = 0;
        for (ContainerGrant container : placement.containers()) {
            Taken one = ModelNode.takenBy(container.gpus(), gpu.index());
            if (!isWithin(one, gpu)) {
                return false;
            }
            if (container.kind() == ContainerKind.INIT) {
                boolean alone = one.isNothing() || sidecars.isNothing() || !one.whole() && !sidecars.whole();
                if (!alone || !isWithin(sidecars.plus(one), gpu)) {
                    return false;
                }
            } else {
                sidecars = container.kind() == ContainerKind.SIDECAR ? sidecars.plus(one) : sidecars;
                sum = sum.plus(one);
                whole += one.whole() ? 1 : 0;
                holders += one.isNothing() ? 0 : 1;
            }
        }
        return isWithin(sum, gpu) && (whole == 0 || holders == 1);
    }

    private static boolean isWithin(Taken taken, Gpu gpu) {
        return taken.compute() <= gpu.computeMillis()
                && taken.memory() <= gpu.memoryMib()
                && taken.slots() <= gpu.slots();
    }

    private static boolean isFree(Taken asked, ModelNode node, int gpu) {
        Taken taken = node.taken(gpu);
        if (asked.isNothing()) {
            return true;
        }
        if (!node.isHealthy(gpu) || taken.whole() || asked.whole() && !taken.isNothing()) {
            return false;
        }
        return isWithin(taken.plus(asked), node.gpu(gpu));
    }

    private static final Taint CORDON = Taint.noSchedule("node.kubernetes.io/unschedulable", "");

    /** Whether a pod may go to a node at all: cordon, taints and labels. */
    public static boolean isWelcome(Pod pod, ModelNode node) {
        return (!node.node().cordoned() || isTolerated(CORDON, pod.tolerations()))
                && node.node().taints().stream().allMatch(taint -> isTolerated(taint, pod.tolerations()))
                && isSelected(pod.nodeSelector(), node.node().labels());
    }

    private static boolean isTolerated(Taint taint, List<Toleration> tolerations) {
        return taint.effect() == Taint.Effect.PREFER_NO_SCHEDULE
                || tolerations.stream()
                        .anyMatch(t -> (t.key().isEmpty() || t.key().equals(taint.key()))
                                && t.value().map(taint.value()::equals).orElse(true)
                                && t.effect()
                                        .map(effect -> effect == taint.effect())
                                        .orElse(true));
    }

    private static boolean isSelected(NodeSelector selector, Map<String, String> labels) {
        return selector.terms().isEmpty()
                || selector.terms().stream()
                        .anyMatch(term -> term.requirements().stream().allMatch(r -> isMet(r, labels.get(r.key()))));
    }

    private static boolean isMet(NodeRequirement requirement, @Nullable String label) {
        return switch (requirement.operator()) {
            case IN -> label != null && requirement.values().contains(label);
            case NOT_IN -> label == null || !requirement.values().contains(label);
            case EXISTS -> label != null;
            case DOES_NOT_EXIST -> label == null;
            case GT ->
                isNumber(label)
                        && Long.parseLong(label)
                                > Long.parseLong(requirement.values().get(0));
            case LT ->
                isNumber(label)
                        && Long.parseLong(label)
                                < Long.parseLong(requirement.values().get(0));
        };
    }

    private static boolean isNumber(@Nullable String label) {
        return label != null && label.matches("-?[0-9]+");
    }

    /** Whether a container accepts what it would be granted: models, UUIDs, device memory and NUMA nodes. */
    static boolean isAccepted(Container container, List<Integer> gpus, ModelNode node) {
        GpuRequest request = container.gpu();
        if (request instanceof GpuRequest.None) {
            return true;
        }
        GpuSelector selector = request.selector();
        long numaNodes =
                gpus.stream().map(gpu -> node.gpu(gpu).numaNode()).distinct().count();
        return (selector.affinity().required() == Bond.NONE || numaNodes == 1)
                && gpus.stream().allMatch(gpu -> isAccepted(selector, node.gpu(gpu)));
    }

    private static boolean isAccepted(GpuSelector selector, Gpu gpu) {
        return (selector.allowedModels().isEmpty()
                        || selector.allowedModels().contains(gpu.model().name()))
                && !selector.deniedModels().contains(gpu.model().name())
                && (selector.allowedUuids().isEmpty() || selector.allowedUuids().contains(gpu.uuid()))
                && !selector.deniedUuids().contains(gpu.uuid())
                && gpu.memoryMib() >= selector.minMemoryMib();
    }
}
