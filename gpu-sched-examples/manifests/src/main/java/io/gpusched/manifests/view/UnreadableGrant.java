package io.gpusched.manifests.view;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.koordinator.KoordinatorDialect;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.dialect.ResidentPods;
import io.gpusched.manifests.grant.GrantedPods;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What is set aside for a pod that asks for GPUs while nothing that can be read says which it has: as many GPUs as it could hold by
 * its request, and no more, first GPUs that no other pod holds. Of a GPU that others share it is what they leave.
 */
final class UnreadableGrant {
    private UnreadableGrant() {}

    /** Returns how many GPUs of a node a pod could hold by what it asks for: 0 if that is no GPU, all if it is the whole node. */
    static int most(RunningPod pod, NamedDialect named, int gpus) {
        if (ResidentPods.asksForNoGpus(pod.manifest(), named::isCounted)) {
            return 0;
        }
        return Math.min(gpus, byDialect(pod.manifest(), named, gpus));
    }

    private static int byDialect(PodManifest manifest, NamedDialect named, int gpus) {
        try {
            int inits = 0;
            int others = 0;
            for (Container container : named.dialect().pod(manifest).containers()) {
                int asked = container.gpu() instanceof GpuRequest.WholeNode ? gpus : GrantedPods.most(container.gpu());
                inits = container.kind() == ContainerKind.INIT ? Math.max(inits, asked) : inits;
                others += container.kind() == ContainerKind.INIT ? 0 : asked;
            }
            return Math.max(inits, others) == 0 ? byAmounts(manifest, named, gpus) : Math.max(inits, others);
        } catch (IllegalArgumentException | ArithmeticException e) {
            return byAmounts(manifest, named, gpus);
        }
    }

    /** By the amounts alone, where the dialect of the node does not know the resource or refuses the amount. */
    private static int byAmounts(PodManifest manifest, NamedDialect named, int gpus) {
        long all = 0;
        for (ContainerManifest container : manifest.containers()) {
            Map<String, String> amounts = new HashMap<>(container.requests());
            amounts.putAll(container.limits());
            all += amounts.entrySet().stream()
                    .filter(amount -> !named.isCounted(amount.getKey()))
                    .mapToLong(amount -> gpus(amount.getKey(), amount.getValue(), gpus))
                    .max()
                    .orElse(0);
        }
        return (int) Math.min(all, gpus);
    }

    /** Of compute a GPU is 100; memory is of one GPU, unless a number stands beside it. */
    private static long gpus(String resource, String amount, int gpus) {
        if (resource.endsWith("-node")) {
            return gpus;
        }
        if (resource.contains("mem")) {
            return 1;
        }
        boolean isPercent = resource.contains("percent")
                || resource.contains("core")
                || resource.equals(KoordinatorDialect.PERCENT);
        try {
            long number = Math.max(0, Long.parseLong(amount));
            return Math.min(gpus, isPercent ? number / 100 + Math.min(1, number % 100) : number);
        } catch (NumberFormatException e) {
            return gpus;
        }
    }

    /**
     * Returns the GPUs that are set aside for a pod.
     *
     * @param state the node with all other pods there
     * @param most how many it could hold
     * @param claimed the GPUs that it claims; none where any may be its own
     */
    static Set<Integer> choose(NodeState state, int most, Set<Integer> claimed) {
        return IntStream.range(0, state.gpuCount())
                .filter(gpu -> claimed.isEmpty() || claimed.contains(gpu))
                .boxed()
                .sorted(Comparator.<Integer, Boolean>comparing(gpu -> !state.isIdle(gpu))
                        .thenComparing(gpu -> -state.freeMemoryMib(gpu))
                        .thenComparing(gpu -> gpu))
                .limit(most)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns what is set aside for a pod of these GPUs, in the name of its first container; of cut GPUs nothing. */
    static List<ContainerGrant> grants(Placement bare, NodeState state, Set<Integer> chosen) {
        List<ContainerGrant> grants = new ArrayList<>();
        for (ContainerGrant container : bare.containers()) {
            GpuGrant held = grants.isEmpty() ? rest(state, chosen) : GpuGrant.none();
            grants.add(new ContainerGrant(container.container(), ContainerKind.ORDINARY, held));
        }
        return grants;
    }

    private static GpuGrant rest(NodeState state, Set<Integer> gpus) {
        if (state.node().mode() == NodeMode.EXCLUSIVE) {
            List<Integer> idle = gpus.stream().filter(state::isIdle).toList();
            return idle.isEmpty() ? GpuGrant.none() : new GpuGrant.Whole(idle);
        }
        List<GpuShare> shares = gpus.stream()
                .filter(gpu -> !state.isWhole(gpu) && !state.isCut(gpu))
                .filter(gpu -> state.freeSlots(gpu) > 0)
                .filter(gpu -> state.freeComputeMillis(gpu) > 0 || state.freeMemoryMib(gpu) > 0)
                .map(gpu -> rest(state, state.node().gpus().get(gpu)))
                .toList();
        return shares.isEmpty() ? GpuGrant.none() : new GpuGrant.Shared(shares);
    }

    private static GpuShare rest(NodeState state, Gpu gpu) {
        int index = gpu.index();
        return new GpuShare(index, state.freeComputeMillis(index), state.freeMemoryMib(index), state.freeSlots(index));
    }
}
