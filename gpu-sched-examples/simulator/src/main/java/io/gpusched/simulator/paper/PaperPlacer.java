package io.gpusched.simulator.paper;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Placement;
import io.gpusched.simulator.PodPlacer;
import io.gpusched.simulator.TypicalShape;
import io.gpusched.simulator.trace.TracePod;
import io.gpusched.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Places pods as the paper's experiments did: a plain scan over all nodes in order of rank. Not thread-safe. */
final class PaperPlacer implements PodPlacer {
    private final PaperNodes nodes;
    private final PaperPolicy policy;
    private final int[] feasible;
    private final Map<TypicalShape, PaperRequest> requests = new HashMap<>();

    PaperPlacer(Workload workload, List<Integer> ranks, PaperPolicy policy) {
        this(new PaperNodes(workload, ranks), policy);
    }

    PaperPlacer(PaperNodes nodes, PaperPolicy policy) {
        this.nodes = nodes;
        this.policy = policy;
        this.feasible = new int[nodes.size];
    }

    @Override
    public Optional<Placement> place(Cluster cluster, TracePod pod) {
        nodes.update(cluster);
        PaperRequest request = request(pod);
        int count = 0;
        for (int rank = 0; rank < nodes.size; rank++) {
            if (nodes.fits(rank, request)) {
                feasible[count++] = rank;
            }
        }
        if (count == 0) {
            return Optional.empty();
        }
        int rank = policy.choose(nodes, feasible, count, request);
        GpuGrant grant = grant(rank, request);
        return Optional.of(new Placement(
                pod.pod().id(),
                nodes.name(rank),
                pod.pod().resources(),
                List.of(ContainerGrant.of(pod.pod().containers().get(0).name(), grant))));
    }

    private PaperRequest request(TracePod pod) {
        PaperRequest known = requests.computeIfAbsent(TypicalShape.of(pod), this::newRequest);
        return new PaperRequest(known.shape(), known.index(), pod.memoryMib(), known.acceptsModel());
    }

    private PaperRequest newRequest(TypicalShape shape) {
        return new PaperRequest(shape, requests.size(), 0, acceptedModels(nodes, shape.gpuSpec()));
    }

    /** Returns which models of the cluster a {@code |}-separated list accepts. */
    static PaperRequest.AcceptedModels acceptedModels(PaperNodes nodes, String gpuSpec) {
        Set<String> wanted = TracePod.models(gpuSpec);
        if (wanted.isEmpty()) {
            return model -> true;
        }
        BitSet accepted = new BitSet();
        nodes.models().forEach((name, model) -> accepted.set(model, wanted.contains(name)));
        return accepted::get;
    }

    private GpuGrant grant(int rank, PaperRequest request) {
        if (request.gpus() == 0) {
            return GpuGrant.none();
        }
        if (request.isShare()) {
            int gpu = policy.gpu(nodes, rank, request);
            return new GpuGrant.Shared(List.of(new GpuShare(gpu, request.gpuMillis(), 0, 1)));
        }
        List<Integer> whole = new ArrayList<>();
        for (int gpu = 0; whole.size() < request.gpus(); gpu++) {
            if (nodes.left[rank][gpu] == TracePod.WHOLE_GPU_MILLIS) {
                whole.add(gpu);
            }
        }
        return new GpuGrant.Whole(whole);
    }
}
