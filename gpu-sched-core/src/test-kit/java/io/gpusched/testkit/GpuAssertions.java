package io.gpusched.testkit;

import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.queue.Plan;
import org.assertj.core.api.Assertions;

/** Assertions in the words of the field; the static import of this class brings those of AssertJ along. */
public final class GpuAssertions extends Assertions {
    private GpuAssertions() {}

    /** Starts assertions on a decision about one pod. */
    public static DecisionAssert assertThat(Decision actual) {
        return new DecisionAssert(actual);
    }

    /** Starts assertions on a snapshot. */
    public static ClusterAssert assertThat(Cluster actual) {
        return new ClusterAssert(actual);
    }

    /** Starts assertions on a refusal, taken as one of a pod. */
    public static DecisionAssert assertThat(Unschedulable actual) {
        return new DecisionAssert(actual);
    }

    /** Starts assertions on a decision about a group. */
    public static GroupDecisionAssert assertThat(GroupDecision actual) {
        return new GroupDecisionAssert(actual);
    }

    /** Starts assertions on a plan of queues. */
    public static PlanAssert assertThat(Plan actual) {
        return new PlanAssert(actual);
    }
}
