package io.gpusched.internal.search;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.model.NodeClass;
import io.gpusched.model.Resources;
import io.gpusched.workload.GpuRequest;
import java.util.List;

/** What to ask the index for, so that it passes by as many nodes as it can that have no room for a pod. */
final class RoomQueries {
    private RoomQueries() {}

    /** Returns what every node with room passes. */
    static CapacityQuery of(PodDemand demand) {
        Resources resources = demand.resources();
        GpuRequest single = demand.single();
        return single == null || !single.takesWhole() || single.takesNode()
                ? CapacityQuery.of(resources)
                : CapacityQuery.withIdleGpusOrMore(single.count(), resources);
    }

    /** Returns queries of which every node with room in a class passes one at least, and few others do. */
    static List<CapacityQuery> anyOf(PodDemand demand, NodeClass nodeClass) {
        GpuRequest single = demand.single();
        return single != null && single.takesPart() && single.count() == 1
                ? CapacityQuery.withIdleGpuOrLevel(leastLevel(single, nodeClass), demand.resources())
                : List.of(of(demand));
    }

    /** The memory of GPUs in a mixed class is rough, and a percentage of it as well. */
    private static int leastLevel(GpuRequest share, NodeClass nodeClass) {
        return nodeClass.isMixed() && share.computeMillis() == 0 ? 0 : ShareSearch.leastLevel(share, nodeClass);
    }
}
