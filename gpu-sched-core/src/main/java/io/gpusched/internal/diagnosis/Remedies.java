package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.MachineExam;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Taint;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps the node on which the least would have to change, and says what. */
public final class Remedies {
    private final NodeExam exam;
    private final PodDemand demand;
    private final Shortage shortage;
    private @Nullable NodeState nearest;
    private long least = Shortage.IMPOSSIBLE - 1;

    public Remedies(NodeExam exam) {
        this.exam = exam;
        this.demand = exam.demand();
        this.shortage = new Shortage(exam);
    }

    /** Considers a node that might take the request later; of equal ones the first in node order is kept. */
    public void offer(NodeState node) {
        boolean late = nearest != null && NodeAccess.order(node) > NodeAccess.order(nearest);
        long cost = shortage.of(node, late ? least - 1 : least);
        if (cost < least || cost == least && nearest != null && NodeAccess.order(node) < NodeAccess.order(nearest)) {
            least = cost;
            nearest = node;
        }
    }

    /** Returns the node on which the least would have to change, or nothing if none was offered that could do. */
    public Optional<NodeState> nearest() {
        return Optional.ofNullable(nearest);
    }

    /** Returns what would have to change on the nearest node; empty if there is none. */
    public String words() {
        if (nearest == null) {
            return "";
        }
        List<String> parts = new ArrayList<>();
        addNode(nearest, parts);
        if (!demand.gpuContainers().isEmpty()) {
            addGpus(nearest, parts);
        }
        return String.join(" and ", parts);
    }

    private void addNode(NodeState node, List<String> parts) {
        String name = node.name();
        if (node.node().cordoned()) {
            parts.add("uncordon " + name);
        }
        if (node.isHeldWhole()) {
            parts.add("release pod \"" + node.placements().get(0).pod() + "\", which holds all of " + name);
            return;
        }
        if (demand.wholeNode()) {
            return;
        }
        if (node.podCount() >= node.node().maxPods()) {
            parts.add("one pod less on " + name);
        }
        long cpuMillis = demand.resources().cpuMillis() - node.freeCpuMillis();
        if (cpuMillis > 0) {
            parts.add("free " + cpuMillis + "m CPU on " + name);
        }
        long memoryMib = demand.resources().memoryMib() - node.freeMemoryMib();
        if (memoryMib > 0) {
            parts.add("free " + memoryMib + " MiB of memory on " + name);
        }
    }

    private void addGpus(NodeState node, List<String> parts) {
        GpuRequest single = demand.single();
        if (demand.wholeNode()) {
            addWholeNode(node, parts);
        } else if (single == null || !MachineExam.countsDecide(demand)) {
            addLayout(node, parts);
        } else if (single instanceof GpuRequest.Share share) {
            for (int gpu : cheapest(single, node)) {
                addShare(share, node, gpu, parts);
            }
        } else {
            addIdle(single, node, parts);
        }
    }

    private static void addWholeNode(NodeState node, List<String> parts) {
        for (int g = 0; g < node.gpuCount(); g++) {
            addRepair(node, g, parts);
        }
        if (!node.isEmpty() && !node.isHeldWhole()) {
            parts.add("empty " + node.name() + " (" + Asked.count(node.podCount(), "pod")
                    + (node.podCount() == 1 ? " runs there)" : " run there)"));
        }
    }

    private static void addRepair(NodeState node, int gpu, List<String> parts) {
        if (!node.isHealthy(gpu)) {
            parts.add("repair gpu " + gpu + " of " + node.name());
        }
    }

    private void addLayout(NodeState node, List<String> parts) {
        if (node.isHeldWhole() || exam.ofGpus(node) == Code.GROUP) {
            return;
        }
        List<Placement> sorted = new ArrayList<>(node.placements());
        sorted.sort(Comparator.comparing(Placement::pod));
        for (Placement placement : sorted) {
            if (exam.fitsGpus(node.without(placement))) {
                parts.add("release pod \"" + placement.pod() + "\" on " + node.name());
                return;
            }
        }
        parts.add("free the GPUs of " + node.name());
    }

    private static void addIdle(GpuRequest request, NodeState node, List<String> parts) {
        int asked = MachineExam.count(request);
        int missing = asked - Long.bitCount(NodeFit.idleAccepted(request, node));
        if (node.isHeldWhole() || missing <= 0) {
            return;
        }
        int repairs = 0;
        for (int gpu : cheapest(request, node)) {
            repairs += node.isHealthy(gpu) ? 0 : 1;
            addRepair(node, gpu, parts);
        }
        if (missing > repairs) {
            parts.add((missing - repairs) + " more idle GPU" + (missing - repairs == 1 ? "" : "s") + " on "
                    + node.name() + " (has " + (asked - missing) + " of " + asked + ")");
        }
    }

    /** The GPUs that would serve with the least change, as many as asked for, ascending. */
    private static List<Integer> cheapest(GpuRequest request, NodeState node) {
        List<Integer> gpus = new ArrayList<>();
        for (int g = 0; g < node.gpuCount(); g++) {
            gpus.add(g);
        }
        gpus.sort(Comparator.comparingLong(gpu -> Shortage.ofGpu(request, node, gpu)));
        return gpus.stream().limit(MachineExam.count(request)).sorted().toList();
    }

    private static void addShare(GpuRequest.Share share, NodeState node, int gpu, List<String> parts) {
        Gpu device = node.node().gpus().get(gpu);
        String where = " on gpu " + gpu + " of " + node.name();
        addRepair(node, gpu, parts);
        if (!device.healthy() || node.isHeldWhole()) {
            return;
        }
        if (node.isWhole(gpu)) {
            parts.add("free gpu " + gpu + " of " + node.name() + ", which one pod holds whole");
            return;
        }
        add(share.computeMillis() - node.freeComputeMillis(gpu), "m of compute" + where, parts);
        add(share.memory().on(device.memoryMib()) - node.freeMemoryMib(gpu), " MiB of GPU memory" + where, parts);
        add(share.slots() - node.freeSlots(gpu), " of the slots" + where, parts);
    }

    private static void add(long missing, String what, List<String> parts) {
        if (missing > 0) {
            parts.add("free " + missing + what);
        }
    }

    /** The taints of a class that a pod would have to tolerate, as in {@code key=value:NoSchedule}. */
    public static List<String> untolerated(Pod pod, NodeClass nodeClass) {
        List<String> taints = new ArrayList<>();
        for (Taint taint : nodeClass.taints()) {
            if (taint.effect().forbids() && !Admission.tolerates(pod, List.of(taint))) {
                String effect = taint.effect() == Taint.Effect.NO_SCHEDULE ? "NoSchedule" : "NoExecute";
                taints.add(taint.key() + (taint.value().isEmpty() ? "" : "=" + taint.value()) + ":" + effect);
            }
        }
        return taints;
    }
}
