package io.gpusched.analysis;

import io.gpusched.check.Checks;
import io.gpusched.internal.fit.LinkSets;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.workload.GpuAffinity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * Which GPUs of one node a request gets, where the node is given: what a device plugin answers to Kubernetes'
 * {@code GetPreferredAllocation}.
 */
public final class PreferredGpus {
    private PreferredGpus() {}

    /**
     * Returns the GPUs that affinity picks, ascending; none if no set of that many has the required bond. Exact for up to 16
     * available GPUs. The best set of up to four takes microseconds; to divide the whole node takes milliseconds where no two GPUs
     * have the same links, and a microsecond when the same is asked again of the same links.
     *
     * @param node the machine; its links decide where they are known
     * @param available the GPUs that may be taken, by index
     * @param included those of them that must be
     * @param count how many, 0..64
     * @param affinity how close to each other; a preferred bond is required if a set has it
     * @throws IllegalArgumentException if an index is out of range, or an included GPU is not available
     */
    public static List<Integer> of(
            Node node, Collection<Integer> available, Collection<Integer> included, int count, GpuAffinity affinity) {
        Objects.requireNonNull(node, "node");
        Checks.noNulls("available", available);
        Checks.noNulls("included", included);
        Objects.requireNonNull(affinity, "affinity");
        String what = "node \"" + node.name() + "\"";
        Checks.inRange(what, "count", count, 0, Node.MAX_GPUS);
        long free = mask(node, available);
        long must = mask(node, included);
        if ((must & ~free) != 0) {
            throw new IllegalArgumentException(
                    what + ": included gpus " + included + " must be available, which are " + available);
        }
        NodeClass nodes = NodeClass.of(node);
        long wished = pick(nodes, affinity, free, must, count);
        return indexes(wished != 0 ? wished : pick(nodes, affinity.withoutPreference(), free, must, count));
    }

    private static long pick(NodeClass nodes, GpuAffinity affinity, long available, long included, int count) {
        return count == 0
                ? 0
                : LinkSets.pick(nodes, affinity, available, included, count, SearchSteps.of(LinkSets.MOST_STEPS));
    }

    private static long mask(Node node, Collection<Integer> gpus) {
        long mask = 0;
        for (int gpu : gpus) {
            Checks.inRange(
                    "node \"" + node.name() + "\"",
                    "gpu index",
                    gpu,
                    0,
                    node.gpus().size() - 1);
            mask |= 1L << gpu;
        }
        return mask;
    }

    private static List<Integer> indexes(long mask) {
        List<Integer> indexes = new ArrayList<>();
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            indexes.add(Long.numberOfTrailingZeros(rest));
        }
        return List.copyOf(indexes);
    }
}
