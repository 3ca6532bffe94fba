package io.gpusched.testkit;

import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * All that a pod may come to hold of the GPUs of one node, worked out container by container in the pod's order: every set
 * of GPUs for every container, in every state that can be reached. It shares no code with the search.
 */
public final class NaiveLayouts {
    /** More states than this take too long. */
    public static final int MOST_STATES = 30_000;

    private final NodeState node;
    private final Pod pod;

    /**
     * What is held of one GPU, by field: compute, memory and slots of ordinary containers and sidecars; of the sidecars so
     * far; and the most of any init container with the sidecars before it.
     */
    private record Held(List<Long> running, List<Long> sidecars, List<Long> init) {
        static final Held NOTHING = new Held(List.of(0L, 0L, 0L), List.of(0L, 0L, 0L), List.of(0L, 0L, 0L));

        long most(int field) {
            return Math.max(running.get(field), init.get(field));
        }
    }

    private NaiveLayouts(NodeState node, Pod pod) {
        this.node = node;
        this.pod = pod;
    }

    /** Returns the highest score by the words of bin-pack's page, nothing if the pod does not fit; null if it takes too long. */
    public static OptionalLong bestBinPack(NodeState node, Pod pod) {
        return new NaiveLayouts(node, pod).best();
    }

    private OptionalLong best() {
        Set<List<Held>> states = new HashSet<>();
        states.add(java.util.Collections.nCopies(node.gpuCount(), Held.NOTHING));
        for (Container container : pod.containers()) {
            if (!(container.gpu() instanceof GpuRequest.None)) {
                states = next(states, container);
            }
            if (states == null) {
                return null;
            }
        }
        return states.stream().mapToLong(this::score).max();
    }

    private Set<List<Held>> next(Set<List<Held>> states, Container container) {
        Set<List<Held>> next = new HashSet<>();
        int count = container.gpu() instanceof GpuRequest.Exclusive whole
                ? whole.count()
                : ((GpuRequest.Share) container.gpu()).count();
        for (int mask = 1; mask < 1 << node.gpuCount(); mask++) {
            if (Integer.bitCount(mask) == count && isAccepted(container.gpu(), mask)) {
                for (List<Held> state : states) {
                    add(state, container, mask, next);
                    if (next.size() > MOST_STATES) {
                        return null;
                    }
                }
            }
        }
        return next;
    }

    private boolean isAccepted(GpuRequest request, int mask) {
        Set<Integer> gpus = new HashSet<>();
        for (int g = 0; g < node.gpuCount(); g++) {
            Gpu gpu = node.node().gpus().get(g);
            if ((mask >> g & 1) != 0) {
                gpus.add(g);
                if (!request.selector().accepts(gpu) || !gpu.healthy()) {
                    return false;
                }
            }
        }
        return Wiring.holds(request.selector().affinity().required(), node.node(), gpus);
    }

    private void add(List<Held> state, Container container, int mask, Set<List<Held>> next) {
        List<Held> more = new ArrayList<>(state);
        for (int g = 0; g < node.gpuCount(); g++) {
            if ((mask >> g & 1) != 0) {
                Held after = with(state.get(g), container, g);
                if (after == null) {
                    return;
                }
                more.set(g, after);
            }
        }
        next.add(more);
    }

    private Held with(Held held, Container container, int g) {
        List<Long> need = need(container.gpu(), g);
        boolean init = container.kind() == ContainerKind.INIT;
        List<Long> sum = plus(init ? held.sidecars() : held.running(), need);
        boolean fits = sum.get(0) <= node.freeComputeMillis(g)
                && sum.get(1) <= node.freeMemoryMib(g)
                && sum.get(2) <= node.freeSlots(g);
        if (!fits) {
            return null;
        }
        if (init) {
            return new Held(held.running(), held.sidecars(), max(held.init(), sum));
        }
        boolean sidecar = container.kind() == ContainerKind.SIDECAR;
        return new Held(sum, sidecar ? plus(held.sidecars(), need) : held.sidecars(), held.init());
    }

    /** A GPU that is taken whole is taken with all its slots. */
    private List<Long> need(GpuRequest request, int g) {
        Gpu gpu = node.node().gpus().get(g);
        if (!(request instanceof GpuRequest.Share share)) {
            return List.of((long) gpu.computeMillis(), gpu.memoryMib(), (long) gpu.slots());
        }
        long memory = share.memory() instanceof GpuMemory.Percent part
                ? gpu.memoryMib() * part.percent() / 100
                : ((GpuMemory.Mib) share.memory()).mib();
        return List.of((long) share.computeMillis(), memory, (long) share.slots());
    }

    private static List<Long> plus(List<Long> one, List<Long> other) {
        return List.of(one.get(0) + other.get(0), one.get(1) + other.get(1), one.get(2) + other.get(2));
    }

    private static List<Long> max(List<Long> one, List<Long> other) {
        return List.of(
                Math.max(one.get(0), other.get(0)),
                Math.max(one.get(1), other.get(1)),
                Math.max(one.get(2), other.get(2)));
    }

    private long score(List<Held> state) {
        long broken = 0;
        long left = 0;
        boolean takesShared = false;
        for (int g = 0; g < state.size(); g++) {
            Held held = state.get(g);
            if (held.most(2) == 0) {
                continue;
            }
            if (node.isIdle(g)) {
                broken++;
            } else {
                takesShared = true;
                left += percentLeft(held, g);
            }
        }
        return -(broken << 32) - (left << 8) - (takesShared ? 0 : node.idleGpus());
    }

    private long percentLeft(Held held, int g) {
        Gpu gpu = node.node().gpus().get(g);
        return held.most(0) == 0 && held.most(1) > 0
                ? node.freeMemoryMib(g) * 100 / gpu.memoryMib()
                : node.freeComputeMillis(g) * 100L / gpu.computeMillis();
    }
}
