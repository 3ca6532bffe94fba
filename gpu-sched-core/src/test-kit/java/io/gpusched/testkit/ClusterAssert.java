package io.gpusched.testkit;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import java.util.HashSet;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Assertions on a snapshot. */
public final class ClusterAssert extends AbstractAssert<ClusterAssert, Cluster> {
    ClusterAssert(Cluster actual) {
        super(actual, ClusterAssert.class);
    }

    /** Fails unless everything the snapshot keeps about its nodes is true. */
    public ClusterAssert isConsistent() {
        isNotNull();
        actual.validate();
        return this;
    }

    /** Fails unless every reader of the snapshot sees what the model holds. */
    public ClusterAssert shows(ClusterModel model) {
        isConsistent();
        Assertions.assertThat(actual.size()).isEqualTo(model.nodes().size());
        for (ModelNode expected : model.nodes()) {
            NodeState state = actual.node(expected.name()).orElseThrow();
            Assertions.assertThat(state.node()).isEqualTo(expected.node());
            Assertions.assertThat(new HashSet<>(state.placements())).isEqualTo(new HashSet<>(expected.placements()));
            showsAmounts(state, expected);
        }
        for (PodId pod : model.pods()) {
            Assertions.assertThat(actual.placement(pod)).contains(model.placement(pod));
        }
        Assertions.assertThat(actual.totals()).isEqualTo(model.totals());
        Assertions.assertThat(new HashSet<>(actual.placementsOnUnhealthyGpus())).isEqualTo(model.onUnhealthyGpus());
        return this;
    }

    private static void showsAmounts(NodeState state, ModelNode expected) {
        Assertions.assertThat(state.podCount()).isEqualTo(expected.placements().size());
        Assertions.assertThat(state.isHeldWhole()).isEqualTo(expected.isHeldWhole());
        Assertions.assertThat(state.freeCpuMillis()).isEqualTo(expected.freeCpuMillis());
        Assertions.assertThat(state.freeMemoryMib()).isEqualTo(expected.freeMemoryMib());
        int idle = 0;
        for (int gpu = 0; gpu < expected.gpuCount(); gpu++) {
            Taken taken = expected.taken(gpu);
            boolean open = expected.isHealthy(gpu) && !taken.whole();
            idle += expected.isIdle(gpu) ? 1 : 0;
            Assertions.assertThat(state.isWhole(gpu)).isEqualTo(taken.whole());
            Assertions.assertThat(state.isShared(gpu)).isEqualTo(!taken.whole() && taken.slots() > 0);
            Assertions.assertThat(state.isIdle(gpu)).isEqualTo(expected.isIdle(gpu));
            Assertions.assertThat(state.freeComputeMillis(gpu)).isEqualTo(open ? expected.freeComputeMillis(gpu) : 0);
            Assertions.assertThat(state.freeMemoryMib(gpu)).isEqualTo(open ? expected.freeMemoryMib(gpu) : 0);
            Assertions.assertThat(state.freeSlots(gpu)).isEqualTo(open ? expected.freeSlots(gpu) : 0);
        }
        Assertions.assertThat(state.idleGpus()).isEqualTo(idle);
    }

    /** Fails unless applying this placement is a conflict whose message holds these texts, and changes nothing. */
    public ClusterAssert refuses(Placement placement, String... texts) {
        return refusesChange(() -> actual.with(placement), texts);
    }

    /** Fails unless the change is a conflict whose message holds these texts, and leaves the snapshot as it was. */
    public ClusterAssert refusesChange(ThrowingCallable change, String... texts) {
        isNotNull();
        String before = actual.nodes().toString() + actual.totals() + actual.placements();
        var refusal = Assertions.assertThatThrownBy(change).isInstanceOf(PlacementConflictException.class);
        for (String text : texts) {
            refusal.hasMessageContaining(text);
        }
        Assertions.assertThat(actual.nodes().toString() + actual.totals() + actual.placements())
                .isEqualTo(before);
        return isConsistent();
    }
}
