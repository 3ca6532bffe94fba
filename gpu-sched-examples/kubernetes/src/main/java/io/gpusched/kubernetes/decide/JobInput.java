package io.gpusched.kubernetes.decide;

import io.gpusched.model.Placement;
import io.gpusched.workload.Job;
import java.util.List;
import java.util.Map;

/**
 * A job as a cycle looks at it, and what stands behind its pods.
 *
 * @param unit what is decided at once
 * @param job the job
 * @param isPreemptible whether its pods that start may be evicted for others later
 * @param ready its pods that wait
 * @param lost places that are held for pods that cannot have them any more
 */
record JobInput(
        Unit unit,
        Job job,
        boolean isPreemptible,
        Map<io.gpusched.model.PodId, Request.Ready> ready,
        List<Placement> lost) {}
