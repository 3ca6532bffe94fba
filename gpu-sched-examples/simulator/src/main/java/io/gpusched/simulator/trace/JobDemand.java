package io.gpusched.simulator.trace;

import io.gpusched.model.Resources;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a job of a list asks for, all members together. How many pods that makes depends on the nodes of the cluster on which it is played.
 *
 * @param gpus its GPUs, at least 0
 * @param part what it asks for of each of them
 * @param all its CPU and memory
 * @param models the GPU models that it accepts, separated by {@code |}; empty for any
 * @param podGpus the most GPUs of a pod, at least 1: those of a worker where the list tells it; {@link #ANY} if the nodes alone say it
 * @param isCpuCapped whether a pod asks for at most 12 cores for each GPU of a node, whatever the list says
 * @param limitSeconds the time limit that its user gave, 0 if the list tells none
 * @param isOneForm whether it is cut in one way alone, on mixed nodes too
 */
public record JobDemand(
        int gpus,
        GpuPart part,
        Resources all,
        String models,
        int podGpus,
        boolean isCpuCapped,
        long limitSeconds,
        boolean isOneForm) {
    /** Pods as large as nodes. */
    public static final int ANY = Integer.MAX_VALUE;

    private static final long GPU_CPU_MILLIS = 12_000;

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is out of its range
     */
    public JobDemand {
        if (gpus < 0 || podGpus < 1 || limitSeconds < 0) {
            throw new IllegalArgumentException(
                    "job: gpus and limitSeconds must be at least 0 and podGpus at least 1, got " + gpus + ", "
                            + limitSeconds + " and " + podGpus);
        }
    }

    /** Whole GPUs, cut as nodes are. */
    public static JobDemand of(int gpus, Resources all) {
        return new JobDemand(gpus, GpuPart.WHOLE, all, "", ANY, false, 0, false);
    }

    /** Returns this demand cut in one way alone: on mixed nodes for the largest that, with larger ones, have half of the GPUs. */
    JobDemand inOneForm() {
        return new JobDemand(gpus, part, all, models, podGpus, isCpuCapped, limitSeconds, true);
    }

    /**
     * Returns the ways to cut it into pods, those of the fewest pods first: for each size of node pods of a node's GPUs, the last with the
     * rest.
     */
    List<List<TracePod>> forms(String name, NodeSizes sizes) {
        Set<String> accepted = TracePod.models(models);
        Set<List<TracePod>> forms = new LinkedHashSet<>();
        for (int size : isOneForm ? List.of(sizes.usual(accepted)) : sizes.sizes(accepted)) {
            forms.add(cut(name, size));
        }
        return List.copyOf(forms);
    }

    private int most(int nodeGpus) {
        return Math.min(nodeGpus, podGpus);
    }

    private int podsOf(int nodeGpus) {
        return Math.max(1, gpus / most(nodeGpus) + (gpus % most(nodeGpus) == 0 ? 0 : 1));
    }

    private List<TracePod> cut(String name, int nodeGpus) {
        int count = podsOf(nodeGpus);
        long cpuMillis = all.cpuMillis() / count;
        Resources each = Resources.of(
                isCpuCapped ? Math.min(nodeGpus * GPU_CPU_MILLIS, cpuMillis) : cpuMillis, all.memoryMib() / count);
        List<TracePod> members = new ArrayList<>();
        for (int left = gpus; members.size() < count; left -= most(nodeGpus)) {
            String pod = count == 1 ? name : name + "-" + members.size();
            members.add(pod(pod, each, Math.min(left, most(nodeGpus))));
        }
        return members;
    }

    private TracePod pod(String name, Resources each, int here) {
        GpuSelector selector = GpuSelector.ANY.withAllowedModels(TracePod.models(models));
        return new TracePod(
                Pod.of(name, each, part.request(here, selector)),
                here,
                here == 0 ? 0 : part.computeMillis(),
                models,
                Optional.empty());
    }
}
