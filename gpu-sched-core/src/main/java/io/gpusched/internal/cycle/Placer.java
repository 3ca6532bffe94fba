package io.gpusched.internal.cycle;

import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.model.Cluster;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;

/** Decides where pods go on one snapshot; a scheduler, as a cycle sees it. */
public interface Placer {
    /** Decides where a pod goes. */
    Decision place(Cluster cluster, Pod pod);

    /** Decides where a group goes. */
    GroupDecision place(Cluster cluster, PodGroup group);
}
