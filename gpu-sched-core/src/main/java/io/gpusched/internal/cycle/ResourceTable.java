package io.gpusched.internal.cycle;

import io.gpusched.internal.fit.GpuTake;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.Queue;
import io.gpusched.workload.QueueResource;
import io.gpusched.workload.QueueTree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The resources that queues are told apart by, numbered, and how much of each there is, a pod asks, and a placement holds.
 *
 * <p>GPUs are counted per device, in milli: of a share the greater of its parts of compute and memory, rounded up. What a pod asks
 * is a lower bound where it depends on the device that it will get: the largest one is assumed.
 */
final class ResourceTable {
    static final int GPU = 0;
    static final int CPU = 1;
    static final int MEMORY = 2;

    private static final int WHOLE = Gpu.WHOLE_COMPUTE_MILLIS;

    private final List<QueueResource> resources;
    private final Map<String, Integer> models = new HashMap<>();
    private final long[] capacity;
    private final Set<Gpu> kinds = new LinkedHashSet<>();
    private int leastGpus = Integer.MAX_VALUE;

    ResourceTable(QueueTree queues, Cluster cluster) {
        Set<QueueResource> named = new TreeSet<>();
        for (Queue queue : queues.queues()) {
            named.addAll(queue.quotas().keySet());
        }
        named.removeAll(Set.of(QueueResource.GPU, QueueResource.CPU, QueueResource.MEMORY));
        resources = new ArrayList<>(List.of(QueueResource.GPU, QueueResource.CPU, QueueResource.MEMORY));
        resources.addAll(named);
        for (int r = 0; r < resources.size(); r++) {
            if (resources.get(r).kind() == QueueResource.Kind.GPU_MODEL) {
                models.put(resources.get(r).name(), r);
            }
        }
        capacity = capacity(cluster);
    }

    private long[] capacity(Cluster cluster) {
        long[] sums = new long[resources.size()];
        Resources all = cluster.totals().capacity();
        addPlain(sums, all);
        Gpu last = null;
        for (NodeState node : cluster.nodes()) {
            List<Gpu> gpus = node.nodeClass().gpus();
            for (int g = 0; g < gpus.size(); g++) {
                Gpu gpu = gpus.get(g);
                if (last == null || !last.hasSameHardware(gpu)) {
                    addKind(gpu);
                    last = gpu;
                }
                if (node.isHealthy(g)) {
                    addDevice(sums, gpu, WHOLE);
                }
            }
            leastGpus = gpus.isEmpty() ? leastGpus : Math.min(leastGpus, gpus.size());
        }
        return sums;
    }

    private void addKind(Gpu gpu) {
        if (kinds.stream().noneMatch(kind -> kind.hasSameHardware(gpu))) {
            kinds.add(gpu);
        }
    }

    int size() {
        return resources.size();
    }

    QueueResource resource(int index) {
        return resources.get(index);
    }

    /** What the cluster has. */
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

    /** At least what these pods take together. */
    long[] asked(Collection<Pod> pods) {
        long[] sums = new long[size()];
        pods.forEach(pod -> Vectors.add(sums, asked(pod)));
        return sums;
    }

    /** At least what a pod takes. */
    long[] asked(Pod pod) {
        long[] sums = new long[size()];
        addPlain(sums, pod.resources());
        long[] running = new long[size()];
        long[] sidecars = new long[size()];
        for (Container container : pod.containers()) {
            long[] own = asked(container.gpu());
            if (container.kind() == ContainerKind.INIT) {
                Vectors.add(own, sidecars);
                Vectors.max(sums, own);
            } else {
                Vectors.add(running, own);
                if (container.kind() == ContainerKind.SIDECAR) {
                    Vectors.add(sidecars, own);
                }
            }
        }
        Vectors.max(sums, running);
        return sums;
    }

    private long[] asked(GpuRequest request) {
        long[] least = new long[size()];
        boolean isFirst = true;
        for (GpuRequest alternative : request.alternatives()) {
            long[] own = askedOf(alternative);
            if (isFirst) {
                Vectors.add(least, own);
            } else {
                Vectors.min(least, own);
            }
            isFirst = false;
        }
        return least;
    }

    private long[] askedOf(GpuRequest request) {
        long[] sums = new long[size()];
        if (!request.isNone()) {
            long millis = leastMillis(request);
            sums[GPU] = millis;
            Set<String> allowed = request.selector().allowedModels();
            if (allowed.size() == 1) {
                Integer model = models.get(allowed.iterator().next());
                if (model != null) {
                    sums[model] = millis;
                }
            }
        }
        return sums;
    }

    private long leastMillis(GpuRequest request) {
        if (request instanceof GpuRequest.WholeNode) {
            return (long) WHOLE * (leastGpus == Integer.MAX_VALUE ? 1 : leastGpus);
        }
        if (request instanceof GpuRequest.Exclusive) {
            return (long) WHOLE * request.count();
        }
        long least = WHOLE;
        for (Gpu gpu : kinds) {
            if (request.selector().acceptsModel(gpu) && GpuTake.fitsOnIdle(request, gpu)) {
                least = Math.min(least, part(gpu, request));
            }
        }
        return least * (request instanceof GpuRequest.Partition partition ? partition.instances() : request.count());
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

    /** What a placement holds on its node. */
    long[] held(Placement placement, NodeState node) {
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
            Vectors.max(most, own);
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
            partitions.partitions().forEach(partition -> {
                Gpu gpu = gpus.get(partition.gpu());
                devices[partition.gpu()] += part(gpu, partition.profile());
            });
        } else if (!(grant instanceof GpuGrant.None)) {
            for (int gpu : grant.indexes()) {
                devices[gpu] = WHOLE;
            }
        }
    }
}
