/**
 * Decides where GPU work goes: an immutable picture of a cluster and a request go in, a decision comes out.
 *
 * <p>Begin at {@link io.gpusched.schedule.GpuScheduler}. What is not exported here may change in any release.
 */
module io.gpusched.core {
    requires commons.math3;
    requires it.unimi.dsi.fastutil;
    requires static transitive org.jspecify;

    exports io.gpusched.model;
    exports io.gpusched.model.partition;
    exports io.gpusched.workload;
    exports io.gpusched.decision;
    exports io.gpusched.policy;
    exports io.gpusched.schedule;
    exports io.gpusched.analysis;
    exports io.gpusched.dialect;
    exports io.gpusched.dialect.aliyun;
    exports io.gpusched.dialect.elasticgpu;
    exports io.gpusched.dialect.gaia;
    exports io.gpusched.dialect.hami;
    exports io.gpusched.dialect.hami.registration;
    exports io.gpusched.dialect.hami.vendor;
    exports io.gpusched.dialect.nanogpu;
    exports io.gpusched.dialect.nvidia;
    exports io.gpusched.dialect.slurm;
    exports io.gpusched.dialect.t9k;
    exports io.gpusched.dialect.vgpu;
    exports io.gpusched.dialect.volcano;
}
