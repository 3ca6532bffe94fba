package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.GpuNeed;
import io.gpusched.internal.fit.GpuTake;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.policy.FirstFit;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells what about a machine keeps a request away for good, whatever runs there. */
final class StaticFilter {
    private final PodDemand demand;
    private final LayoutSteps steps;

    /** What the containers ask, each request once. */
    private final List<GpuRequest> requests;

    private final GpuNeed need;

    StaticFilter(PodDemand demand, LayoutSteps steps) {
        this.demand = demand;
        this.steps = steps;
        this.requests =
                demand.gpuContainers().stream().map(Container::gpu).distinct().toList();
        this.need = GpuNeed.of(demand.gpuContainers());
    }

    List<GpuRequest> requests() {
        return requests;
    }

    /** Returns how many GPUs the ordinary containers hold whole together. */
    int ordinaryWhole() {
        return need.ordinaryWhole();
    }

    /** Returns the least number of GPUs of a node that could ever do. */
    int gpusNeeded() {
        return need.gpus();
    }

    /** Returns what about a machine of this class with these GPUs and this capacity keeps the request away, or null. */
    @Nullable
    Code of(NodeClass nodeClass, List<Gpu> gpus, Resources capacity) {
        if (!Admission.admitsMode(demand, nodeClass)) {
            return Code.NODE_MODE;
        }
        if (gpus.size() < need.gpus()) {
            return Code.TOO_FEW_GPUS;
        }
        if (!acceptsGpus(gpus)) {
            return Code.GPU_SELECTOR;
        }
        if (!demand.resources().fitsIn(capacity) || nodeClass.maxPods() == 0) {
            return Code.NODE_TOO_SMALL;
        }
        return requests.isEmpty() || fitsEmpty(nodeClass, gpus) ? null : Code.GPU_TOO_SMALL;
    }

    private boolean acceptsGpus(List<Gpu> gpus) {
        for (GpuRequest request : requests) {
            if (countAccepted(request, gpus)
                    < (request instanceof GpuRequest.WholeNode ? gpus.size() : request.count())) {
                return false;
            }
        }
        return true;
    }

    /** How many of the GPUs a request accepts; UUIDs count only where the pod looks at any. */
    int countAccepted(GpuRequest request, List<Gpu> gpus) {
        int accepted = 0;
        for (int i = 0; i < gpus.size(); i++) {
            boolean accepts = demand.looksAtUuids()
                    ? request.selector().accepts(gpus.get(i))
                    : request.selector().acceptsModel(gpus.get(i));
            accepted += accepts ? 1 : 0;
        }
        return accepted;
    }

    /** Whether these GPUs would do if nothing ran there and all were healthy. */
    private boolean fitsEmpty(NodeClass nodeClass, List<Gpu> gpus) {
        GpuRequest single = demand.single();
        return single != null && demand.countsDecide()
                ? isServed(single, gpus, false)
                : fitsAlone(
                        nodeClass,
                        gpus.stream().map(gpu -> gpu.withHealthy(true)).toList());
    }

    /** Whether the healthy ones among a node's GPUs would do if nothing ran there. */
    boolean fitsHealthy(NodeState node) {
        List<Gpu> gpus = node.node().gpus();
        GpuRequest single = demand.single();
        return single != null && demand.countsDecide()
                ? isServed(single, gpus, true)
                : fitsAlone(node.nodeClass(), gpus);
    }

    /** Whether enough of some GPUs would do for a request for which they have only to be counted. */
    private boolean isServed(GpuRequest single, List<Gpu> gpus, boolean healthyOnly) {
        int usable = 0;
        for (int g = 0; g < gpus.size(); g++) {
            boolean serves = single.selector().accepts(gpus.get(g)) && GpuTake.fitsOnIdle(single, gpus.get(g));
            usable += serves && (gpus.get(g).healthy() || !healthyOnly) ? 1 : 0;
        }
        return usable >= (demand.wholeNode() ? gpus.size() : single.count());
    }

    /** Whether the request fits on such a machine if nothing ran there; yes where the steps do not tell. */
    private boolean fitsAlone(NodeClass nodeClass, List<Gpu> gpus) {
        Node.Builder machine = Node.builder("empty")
                .mode(nodeClass.mode())
                .capacity(demand.resources())
                .maxPods(1);
        gpus.forEach(machine::gpu);
        machine.links(nodeClass.links());
        NodeState empty = Cluster.of(List.of(machine.build())).node(0);
        return steps.fits(some -> LayoutSearch.best(demand, empty, FirstFit.of(), some) != null)
                != LayoutSteps.Answer.NO;
    }
}
