/**
 * Decides where GPU work goes: an immutable picture of a cluster and a request go in, a decision comes out.
 *
 * <p>Begin at {@link io.gpusched.schedule.GpuScheduler}, which places a pod or a group, or at {@link io.gpusched.queue.SchedulingCycle},
 * which plans for jobs in queues. {@link io.gpusched.analysis} counts and clears room, {@link io.gpusched.verify} checks answers. What is not exported here may change in any release.
 */
module io.gpusched.core {
    requires it.unimi.dsi.fastutil;
    requires static transitive org.jspecify;

    exports io.gpusched.model;
    exports io.gpusched.model.amount;
    exports io.gpusched.model.partition;
    exports io.gpusched.workload;
    exports io.gpusched.decision;
    exports io.gpusched.policy;
    exports io.gpusched.schedule;
    exports io.gpusched.analysis;
    exports io.gpusched.claim;
    exports io.gpusched.check;
    exports io.gpusched.queue;
    exports io.gpusched.verify;
}
