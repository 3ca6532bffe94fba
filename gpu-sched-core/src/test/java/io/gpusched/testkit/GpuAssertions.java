package io.gpusched.testkit;

import io.gpusched.decision.Decision;
import io.gpusched.model.Cluster;
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
}
