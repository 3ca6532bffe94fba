package io.gpusched.internal.fit;

import io.gpusched.model.Allocation;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what pods were given lately, so that equal allocations are one object. A full cluster keeps one for each of
 * its pods; made anew they would be most of what placing leaves behind.
 */
public final class AllocationPool {
    private static final int BITS = 12;

    /** Each allocation stands in either slot of a pair; the first of them was asked for last. */
    private final @Nullable Known[] known = new Known[1 << BITS];

    /**
     * An allocation, and all that it depends on besides its resources.
     *
     * @param detail what it takes from the node: for a share the memory in MiB, else the number of GPUs
     */
    private record Known(Container container, long gpus, long detail, Allocation allocation) {
        @SuppressWarnings("ReferenceEquality") // pods made after one pattern share their container
        boolean is(Resources resources, Container other, long otherGpus, long otherDetail) {
            return gpus == otherGpus
                    && detail == otherDetail
                    && (container == other || container.equals(other))
                    && allocation.resources().equals(resources);
        }
    }

    /** What a pod with these resources holds whose only container gets these GPUs. */
    public Allocation only(Resources resources, Container container, NodeState node, long gpus) {
        long detail = detail(container.gpu(), node, gpus);
        int pair = pair(container, gpus, detail);
        Known first = known[pair];
        if (first != null && first.is(resources, container, gpus, detail)) {
            return first.allocation;
        }
        Known second = known[pair + 1];
        Known found = second != null && second.is(resources, container, gpus, detail)
                ? second
                : new Known(container, gpus, detail, allocation(resources, container, node, gpus));
        known[pair] = found;
        known[pair + 1] = first;
        return found.allocation;
    }

    private static Allocation allocation(Resources resources, Container container, NodeState node, long gpus) {
        GpuGrant grant = Layout.grant(container.gpu(), node, gpus);
        return new Allocation(resources, List.of(new ContainerGrant(container.name(), container.kind(), grant)));
    }

    private static long detail(GpuRequest request, NodeState node, long gpus) {
        return request instanceof GpuRequest.Share share
                ? Layout.memoryMib(share, node, Long.numberOfTrailingZeros(gpus))
                : node.gpuCount();
    }

    private static int pair(Container container, long gpus, long detail) {
        long hash = container.name().hashCode() + container.resources().cpuMillis();
        hash = (hash * 31 + gpus) * 31 + detail;
        hash *= 0x9E3779B97F4A7C15L;
        return (int) (hash >>> Long.SIZE - BITS + 1) << 1;
    }
}
