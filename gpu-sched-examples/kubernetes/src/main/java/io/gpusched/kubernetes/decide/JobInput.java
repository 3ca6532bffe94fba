package io.gpusched.kubernetes.decide;

import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.queue.Job;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A job as a cycle looks at it, and what stands behind its pods.
 *
 * @param unit what is decided at once
 * @param job the job
 * @param expected how long it is expected to run, in milliseconds
 * @param isPreemptible whether its pods that start may be evicted for others later
 * @param ready its pods that wait
 * @param lost places that are held for pods that cannot have them any more
 * @param isNarrowed whether it is tried within narrower domains than it may use
 */
record JobInput(
        Unit unit,
        Job job,
        OptionalLong expected,
        boolean isPreemptible,
        Map<PodId, Request.Ready> ready,
        List<Placement> lost,
        boolean isNarrowed) {
    /** Returns it as if it were submitted at a later time. */
    JobInput submitted(long later) {
        return new JobInput(
                unit,
                job.withSpec(job.spec().toBuilder().submitted(later).build()),
                expected,
                isPreemptible,
                ready,
                lost,
                isNarrowed);
    }
}
