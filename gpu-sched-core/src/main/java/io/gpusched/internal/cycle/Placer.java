package io.gpusched.internal.cycle;

import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;

/** Decides where pods go on one snapshot; a scheduler, as a cycle sees it. */
public interface Placer {
    /** Decides where a pod goes. */
    Decision place(Cluster cluster, Pod pod);

    /** Decides where a group goes. */
    GroupDecision place(Cluster cluster, PodGroup group);

    /** Refuses a pod that is known to find no room. */
    Unschedulable refuse(Cluster cluster, Pod pod);

    /** Refuses a group that is known to find no room. */
    Unschedulable refuse(Cluster cluster, PodGroup group);
}
