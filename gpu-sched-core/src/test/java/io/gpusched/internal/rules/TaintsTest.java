package io.gpusched.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Taint;
import io.gpusched.workload.Toleration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class TaintsTest {
    private static final Taint GPU = Taint.noSchedule("gpu", "yes");
    private static final Taint TEAM = Taint.noSchedule("team", "x");
    private static final Taint OLD = new Taint("old", "", Taint.Effect.PREFER_NO_SCHEDULE);
    private static final Taint SLOW = new Taint("slow", "", Taint.Effect.PREFER_NO_SCHEDULE);

    private static Predicate<Taint> tolerated(Toleration... tolerations) {
        return Taints.tolerated(List.of(tolerations));
    }

    @Test
    void everyTaintThatForbids_mustBeTolerated() {
        Predicate<Taint> gpu = tolerated(Toleration.exists("gpu"));
        assertThat(Taints.areTolerated(List.of(GPU, TEAM), gpu)).isFalse();
        assertThat(Taints.areTolerated(List.of(TEAM, GPU), gpu)).isFalse();
        assertThat(Taints.areTolerated(
                        List.of(TEAM, GPU), tolerated(Toleration.exists("gpu"), Toleration.exists("team"))))
                .isTrue();
        assertThat(Taints.areTolerated(List.of(), tolerated())).isTrue();
    }

    @Test
    void taintsToBeAvoided_forbidNothing_andAreCounted() {
        assertThat(Taints.areTolerated(List.of(OLD, SLOW), tolerated())).isTrue();
        assertThat(Taints.avoided(List.of(OLD, GPU, SLOW), tolerated())).isEqualTo(2);
        assertThat(Taints.avoided(List.of(OLD, GPU, SLOW), tolerated(Toleration.exists("slow"))))
                .isEqualTo(1);
        assertThat(Taints.avoided(List.of(GPU), tolerated())).isZero();
    }

    @Test
    void aCordon_isToleratedByItsTaintsToleration_orByThatOfEverything() {
        assertThat(Taints.isCordonTolerated(List.of())).isFalse();
        assertThat(Taints.isCordonTolerated(List.of(Toleration.exists("gpu")))).isFalse();
        assertThat(Taints.isCordonTolerated(
                        List.of(Toleration.exists("gpu"), Toleration.exists("node.kubernetes.io/unschedulable"))))
                .isTrue();
        assertThat(Taints.isCordonTolerated(List.of(Toleration.everything()))).isTrue();
    }
}
