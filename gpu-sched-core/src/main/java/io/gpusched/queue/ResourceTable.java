package io.gpusched.queue;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The resources that queues have quotas of, numbered: how much of each the cluster has, a placement holds, and a waiting pod will hold.
 *
 * <p>GPUs are counted per device, in milli: of a share the greater of its parts of compute and memory, rounded up. What a placement
 * holds is exact, by the one function {@link #held}. What a waiting pod will hold is known only within bounds where it depends on the
 * device or the node that it gets: {@link #atLeast} serves refusals, {@link #atMost} serves fair shares.
 */
final class ResourceTable {
    static final int GPU = 0;
    static final int CPU = 1;
    static final int MEMORY = 2;
    private static final int WHOLE = Gpu.WHOLE_COMPUTE_MILLIS;

    private final List<QueueResource> resources;
    private final Map<String, Integer> models = new HashMap<>();
    private final long[] capacity;
    private final long[] largestNode;
    private final Set<Gpu> kinds = new LinkedHashSet<>();
    private int leastGpus = Integer.MAX_VALUE;

    ResourceTable(QueueTree queues, Cluster cluster) {
        Set<QueueResource> named = new TreeSet<>();
        queues.queues().forEach(queue -> named.addAll(queue.quotas().keySet()));
        named.removeAll(Set.of(QueueResource.GPU, QueueResource.CPU, QueueResource.MEMORY));
        resources = new ArrayList<>(List.of(QueueResource.GPU, QueueResource.CPU, QueueResource.MEMORY));
        resources.addAll(named);
        for (int r = 0; r < resources.size(); r++) {
            if (resources.get(r).kind() == QueueResource.Kind.GPU_MODEL) {
                models.put(resources.get(r).name(), r);
            }
        }
        capacity = new long[resources.size()];
        largestNode = new long[resources.size()];
        addPlain(capacity, cluster.totals().capacity());
        NodeClass last = null;
        for (NodeState node : cluster.nodes()) {
            if (!node.nodeClass().equals(last)) {
                last = node.nodeClass();
                addClass(last, node.capacity());
            }
            addDevices(node);
        }
    }

    private void addClass(NodeClass machine, Resources plain) {
        long[] all = new long[resources.size()];
        addPlain(all, plain);
        for (Gpu gpu : machine.gpus()) {
            addDevice(all, gpu, WHOLE);
            if (kinds.stream().noneMatch(kind -> kind.hasSameHardware(gpu))) {
                kinds.add(gpu);
            }
        }
        Amounts.max(largestNode, all);
        leastGpus = machine.gpus().isEmpty()
                ? leastGpus
                : Math.min(leastGpus, machine.gpus().size());
    }

    private void addDevices(NodeState node) {
        List<Gpu> gpus = node.nodeClass().gpus();
        for (int g = 0; g < gpus.size(); g++) {
            if (node.isHealthy(g)) {
                addDevice(capacity, gpus.get(g), WHOLE);
            }
        }
    }

    int size() {
        return resources.size();
    }

    QueueResource resource(int index) {
        return resources.get(index);
    }

    /** What the cluster has, on healthy GPUs. */
    long[] capacity() {
        return capacity;
    }

    private void addPlain(long[] sums, Resources added) {
        sums[CPU] += added.cpuMillis();
        sums[MEMORY] += added.memoryMib();
        for (int r = MEMORY + 1; r < sums.length; r++) {
            if (resources.get(r).kind() == QueueResource.Kind.NAMED) {
                sums[r] += added.amount(resources.get(r).name());
            }
        }
    }

    private void addDevice(long[] sums, Gpu gpu, long millis) {
        sums[GPU] += millis;
        Integer model = models.get(gpu.model().name());
        if (model != null) {
            sums[model] += millis;
        }
    }

    /** At least what these pods will hold together. */
    long[] atLeast(Collection<Pod> pods) {
        long[] sums = new long[size()];
        pods.forEach(pod -> Amounts.add(sums, bound(pod, false)));
        return sums;
    }

    /** At least what members will hold together that make the minimum of a group, whichever these are. */
    long[] atLeastOf(PodGroup group) {
        IdentityHashMap<Pod, long[]> bounds = new IdentityHashMap<>();
        group.pods().forEach(pod -> bounds.put(pod, bound(pod, false)));
        long[] sums = new long[size()];
        for (int r = 0; r < sums.length; r++) {
            int resource = r;
            sums[r] = Members.least(group, pod -> Objects.requireNonNull(bounds.get(pod), "bound")[resource]);
        }
        return sums;
    }

    /** At most what these pods will hold together. */
    long[] atMost(Collection<Pod> pods) {
        long[] sums = new long[size()];
        pods.forEach(pod -> Amounts.add(sums, bound(pod, true)));
        return sums;
    }

    private long[] bound(Pod pod, boolean isUpper) {
        long[] sums = new long[size()];
        addPlain(sums, pod.resources());
        long[] running = new long[size()];
        long[] sidecars = new long[size()];
        for (Container container : pod.containers()) {
            long[] own = bound(container.gpu(), isUpper);
            if (container.kind() == ContainerKind.INIT) {
                Amounts.add(own, sidecars);
                Amounts.max(sums, own);
            } else {
                Amounts.add(running, own);
                if (container.kind() == ContainerKind.SIDECAR) {
                    Amounts.add(sidecars, own);
                }
            }
        }
        Amounts.max(sums, running);
        return sums;
    }

    /** The bound over the alternatives of a request. */
    private long[] bound(GpuRequest request, boolean isUpper) {
        long[] bound = null;
        for (GpuRequest alternative : request.alternatives()) {
            long[] own = boundOf(alternative, isUpper);
            if (bound == null) {
                bound = own;
            } else if (isUpper) {
                Amounts.max(bound, own);
            } else {
                Amounts.min(bound, own);
            }
        }
        return bound == null ? new long[size()] : bound;
    }

    private long[] boundOf(GpuRequest request, boolean isUpper) {
        if (request.isNone()) {
            return new long[size()];
        }
        if (isUpper && request instanceof GpuRequest.WholeNode) {
            return largestNode.clone();
        }
        long[] sums = new long[size()];
        long millis = millis(request, isUpper);
        sums[GPU] = millis;
        Set<String> allowed = request.selector().allowedModels();
        models.forEach((model, r) -> {
            boolean isCertain = allowed.size() == 1 && allowed.contains(model);
            boolean isPossible = allowed.isEmpty() || allowed.contains(model);
            if (isCertain || isUpper && isPossible) {
                sums[r] = millis;
            }
        });
        return sums;
    }

    private long millis(GpuRequest request, boolean isUpper) {
        if (request instanceof GpuRequest.WholeNode) {
            return (long) WHOLE * (leastGpus == Integer.MAX_VALUE ? 1 : leastGpus);
        }
        if (request instanceof GpuRequest.Exclusive) {
            return (long) WHOLE * request.count();
        }
        long bound = isUpper ? 0 : WHOLE;
        for (Gpu gpu : kinds) {
            if (request.selector().acceptsModel(gpu) && fitsOnIdle(request, gpu)) {
                bound = isUpper ? Math.max(bound, part(gpu, request)) : Math.min(bound, part(gpu, request));
            }
        }
        return bound * (request instanceof GpuRequest.Partition partition ? partition.instances() : request.count());
    }

    private static boolean fitsOnIdle(GpuRequest request, Gpu gpu) {
        if (request instanceof GpuRequest.Share share) {
            return share.computeMillis() <= gpu.computeMillis()
                    && share.memory().on(gpu.memoryMib()) <= gpu.memoryMib();
        }
        return !(request instanceof GpuRequest.Partition partition)
                || gpu.partitions().profiles().stream()
                        .anyMatch(profile -> profile.name().equals(partition.profile()));
    }

    private static long part(Gpu gpu, GpuRequest request) {
        if (request instanceof GpuRequest.Share share) {
            return part(gpu, share.computeMillis(), share.memory().on(gpu.memoryMib()));
        }
        return request instanceof GpuRequest.Partition partition ? part(gpu, partition.profile()) : WHOLE;
    }

    private static long part(Gpu gpu, String profile) {
        return gpu.partitions().profiles().stream()
                .filter(cut -> cut.name().equals(profile))
                .findFirst()
                .map(cut -> part(gpu, cut.computeMillis(), cut.memoryMib()))
                .orElse((long) WHOLE);
    }

    /** The greater part of a device, in milli, rounded up. */
    private static long part(Gpu gpu, long computeMillis, long memoryMib) {
        long compute = parts(computeMillis, gpu.computeMillis());
        return Math.min(WHOLE, Math.max(compute, parts(memoryMib, gpu.memoryMib())));
    }

    private static long parts(long amount, long whole) {
        return whole == 0 ? 0 : (amount * WHOLE + whole - 1) / whole;
    }

    /** What a placement holds; nothing where its node is gone. */
    long[] held(Placement placement, Cluster cluster) {
        NodeState node = cluster.node(placement.node()).orElse(null);
        return node == null ? new long[size()] : held(placement, node);
    }

    /** What these placements hold together. */
    long[] held(Collection<Placement> placements, Cluster cluster) {
        long[] sums = new long[size()];
        placements.forEach(placement -> Amounts.add(sums, held(placement, cluster)));
        return sums;
    }

    private long[] held(Placement placement, NodeState node) {
        long[] sums = new long[size()];
        addPlain(sums, placement.resourcesOn(node.node()));
        List<Gpu> gpus = node.nodeClass().gpus();
        long[] running = new long[gpus.size()];
        long[] sidecars = new long[gpus.size()];
        long[] most = new long[gpus.size()];
        for (ContainerGrant container : placement.containers()) {
            long[] own = container.kind() == ContainerKind.INIT ? sidecars.clone() : running;
            addGrant(own, container.gpus(), gpus);
            if (container.kind() == ContainerKind.SIDECAR) {
                addGrant(sidecars, container.gpus(), gpus);
            }
            Amounts.max(most, own);
        }
        for (int g = 0; g < gpus.size(); g++) {
            if (most[g] > 0) {
                addDevice(sums, gpus.get(g), Math.min(WHOLE, most[g]));
            }
        }
        return sums;
    }

    private static void addGrant(long[] devices, GpuGrant grant, List<Gpu> gpus) {
        if (grant instanceof GpuGrant.Shared shared) {
            for (GpuShare share : shared.shares()) {
                devices[share.gpu()] += part(gpus.get(share.gpu()), share.computeMillis(), share.memoryMib());
            }
        } else if (grant instanceof GpuGrant.Partitions partitions) {
            partitions
                    .partitions()
                    .forEach(partition ->
                            devices[partition.gpu()] += part(gpus.get(partition.gpu()), partition.profile()));
        } else if (!(grant instanceof GpuGrant.None)) {
            for (int gpu : grant.indexes()) {
                devices[gpu] = WHOLE;
            }
        }
    }
}
