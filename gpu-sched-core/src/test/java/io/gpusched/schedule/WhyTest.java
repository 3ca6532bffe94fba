package io.gpusched.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Amount;
import io.gpusched.decision.Certainty;
import io.gpusched.decision.Change;
import io.gpusched.decision.Choice;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Why a pod waits, why not on this node, why here, and what a listener hears. */
class WhyTest {
    private final GpuScheduler scheduler = GpuScheduler.create();

    private static Node.Builder node(String name, int gpus) {
        return Node.builder(name).capacity(16_000, 16_000).gpus(gpus, Nodes.BIG);
    }

    private static Pod pod(String name, int gpus) {
        return Pod.of(name, Resources.of(1_000, 100), GpuRequest.exclusive(gpus));
    }

    private static List<Pod> pods(int count, int gpus) {
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pods.add(pod("m" + i, gpus));
        }
        return pods;
    }

    @Test
    void membersThatWait_sayWhyEach_andWhetherTheyCanEverFit() {
        Cluster cluster =
                Cluster.of(List.of(node("n1", 4).build(), node("n2", 4).build()));
        List<Pod> pods = pods(4, 3);
        pods.add(pod("huge", 8));

        GroupPlaced placed =
                (GroupPlaced) scheduler.schedule(cluster, PodGroup.of("g", pods).withMinMember(2));

        assertThat(placed.waiting()).containsExactly(PodId.of("m2"), PodId.of("m3"), PodId.of("huge"));
        assertThat(placed.refusals().keySet()).containsExactlyElementsOf(placed.waiting());
        Unschedulable waits = placed.refusals().get(PodId.of("m2"));
        assertThat(waits.certainty()).isEqualTo(Certainty.PROVEN);
        assertThat(waits.couldFitLater()).isTrue();
        assertThat(waits.diagnosis().reasons()).singleElement().satisfies(reason -> {
            assertThat(reason.code()).isEqualTo(Reason.Code.IDLE_GPUS);
            assertThat(reason.nodeNames()).containsExactly("n1", "n2");
            assertThat(reason.amount(Amount.Quantity.GPUS).orElseThrow().greatest())
                    .isEqualTo(1);
        });
        assertThat(placed.refusals().get(PodId.of("huge")).couldFitLater()).isFalse();
        assertThat(scheduler.schedule(cluster, PodGroup.of("g", pods).withMinMember(2)))
                .isEqualTo(placed);
    }

    @Test
    void aMemberThatWaitsForItsRack_isNotToldOfRoomElsewhere() {
        Cluster cluster = Cluster.of(List.of(
                node("a1", 4).topology(Topology.of("rack", "a")).build(),
                node("b1", 3).topology(Topology.of("rack", "b")).build()));
        PodGroup group = PodGroup.of("g", pods(3, 2)).withMinMember(2).withLocality(Locality.within("rack"));

        GroupPlaced placed = (GroupPlaced) scheduler.schedule(cluster, group);

        Diagnosis why = placed.refusals().get(PodId.of("m2")).diagnosis();
        assertThat(why.reasons()).hasSize(2);
        assertThat(why.reasons()).noneMatch(reason -> reason.code() == Reason.Code.GROUP);
    }

    @Test
    void whyNot_looksAtOneNode() {
        Cluster cluster = Cluster.of(List.of(
                node("n1", 4).build(),
                node("n2", 4).taint(Taint.noSchedule("team", "a")).build()));
        cluster = cluster.with(
                scheduler.schedule(cluster, pod("busy", 3)).toPlacement().orElseThrow());

        Diagnosis full = scheduler.whyNot(cluster, "n1", pod("p", 2)).orElseThrow();
        assertThat(full.nodes()).isEqualTo(1);
        assertThat(full.certainty()).isEqualTo(Certainty.PROVEN);
        assertThat(full.reasons().get(0).code()).isEqualTo(Reason.Code.IDLE_GPUS);
        assertThat(full.remedy().changes()).containsExactly(new Change.FreeIdleGpus("n1", 1, 1, List.of()));
        assertThat(scheduler
                        .whyNot(cluster, "n2", pod("p", 2))
                        .orElseThrow()
                        .remedy()
                        .changes())
                .containsExactly(new Change.TolerateTaint("n2", Taint.noSchedule("team", "a")));
        assertThat(scheduler.whyNot(cluster, "n1", pod("p", 1))).isEmpty();
        Cluster same = cluster;
        assertThatThrownBy(() -> scheduler.whyNot(same, "n9", pod("p", 1))).hasMessageContaining("\"n9\"");
    }

    @Test
    void whyHere_givesScoresRunnersUpAndTheRuleThatDecided() {
        Cluster cluster = Cluster.of(List.of(
                node("n1", 8).build(), node("n2", 4).build(), node("n3", 4).build()));

        Choice choice = scheduler.whyHere(cluster, pod("p", 2), 3).orElseThrow();

        assertThat(choice.candidates().get(0).placement())
                .isEqualTo(
                        scheduler.schedule(cluster, pod("p", 2)).toPlacement().orElseThrow());
        assertThat(choice.candidates())
                .extracting(candidate -> candidate.placement().node())
                .containsExactly("n2", "n3", "n1");
        assertThat(choice.decidedBy()).isEqualTo(Choice.Rule.ORDER);
        assertThat(choice.candidates().get(1).score())
                .isEqualTo(choice.candidates().get(0).score())
                .isGreaterThan(choice.candidates().get(2).score());
        assertThat(scheduler.whyHere(cluster, pod("p", 8), 3).orElseThrow().decidedBy())
                .isEqualTo(Choice.Rule.ONLY_PLACE);
        assertThat(scheduler
                        .whyHere(cluster.withoutNode("n3"), pod("p", 2), 2)
                        .orElseThrow()
                        .decidedBy())
                .isEqualTo(Choice.Rule.SCORE);
        assertThat(scheduler.whyHere(cluster, pod("p", 9), 3)).isEmpty();
    }

    @Test
    void whyHere_tellsPreferencesAndAlternativesFromScores() {
        Cluster cluster = Cluster.of(List.of(
                node("n1", 4)
                        .taint(new Taint("slow", "", Taint.Effect.PREFER_NO_SCHEDULE))
                        .build(),
                node("n2", 8).build()));
        assertThat(scheduler.whyHere(cluster, pod("p", 2), 2).orElseThrow().decidedBy())
                .isEqualTo(Choice.Rule.PREFERENCE);

        Pod either = Pod.of(
                "p", Resources.of(1_000, 100), GpuRequest.firstOf(GpuRequest.exclusive(8), GpuRequest.exclusive(2)));
        Choice choice = scheduler.whyHere(cluster, either, 2).orElseThrow();
        assertThat(choice.candidates().get(0).placement().node()).isEqualTo("n2");
        assertThat(choice.decidedBy()).isEqualTo(Choice.Rule.ALTERNATIVE);
    }

    @Test
    void aListener_hearsOfEachDecision() {
        List<Decided> heard = new ArrayList<>();
        GpuScheduler told = scheduler.toBuilder().listener(heard::add).build();
        Cluster cluster = Cluster.of(List.of(node("n1", 4).build()));

        told.schedule(cluster, pod("p", 2));
        told.schedule(cluster, pod("q", 9));
        told.schedule(cluster, PodGroup.of("g", pods(2, 2)));

        assertThat(heard)
                .containsExactly(
                        new Decided("pod \"p\"", 1, true, Certainty.PROVEN, 0),
                        new Decided("pod \"q\"", 1, false, Certainty.PROVEN, 0),
                        new Decided(
                                "pod group \"g\"",
                                2,
                                true,
                                Certainty.PROVEN,
                                heard.get(2).steps()));
        assertThat(told.toBuilder().build().schedule(cluster, pod("r", 1)).isPlaced())
                .isTrue();
        assertThat(heard).hasSize(4);
    }
}
