package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many domains, in each of which most of a group finds room, or none has enough for all. */
class GroupBudgetTest {
    private static final int RACKS = 300;

    private static Pod pod(String id, int percent) {
        return Pod.of(id, Resources.of(1, 1), GpuRequest.percent(percent));
    }

    /** Racks of one node with four GPUs each, of which all but those of the last one have a GPU that is half full. */
    private static Cluster cluster() {
        Cluster cluster = Cluster.of(IntStream.range(0, RACKS)
                .mapToObj(i -> Node.builder("n%03d".formatted(i))
                        .capacity(64_000, 64_000)
                        .gpus(4, Nodes.BIG)
                        .topology(Topology.of("rack", "r%03d".formatted(i)))
                        .build())
                .toList());
        Cluster filled = cluster;
        for (int i = 0; i < RACKS - 1; i++) {
            filled = filled.with(GpuScheduler.create()
                    .place(filled.node("n%03d".formatted(i)).orElseThrow(), pod("half-" + i, 50))
                    .orElseThrow());
        }
        return filled;
    }

    private static GroupDecision schedule(long steps, int members, int firstPercent) {
        PodGroup group = PodGroup.of(
                        "group",
                        IntStream.range(0, members)
                                .mapToObj(i -> pod("m" + i, firstPercent + i % 8))
                                .toList())
                .withLocality(Locality.within("rack"));
        return GpuScheduler.builder()
                .budget(SearchBudget.ofSteps(steps))
                .build()
                .schedule(cluster(), group);
    }

    @Test
    void domainsThatWereTriedInVain_countAgainstTheBudget() {
        GroupDecision found = schedule(2_000_000, 4, 60);
        assertThat(((GroupPlaced) found).placements())
                .allSatisfy(placement -> assertThat(placement.node()).isEqualTo("n299"));

        Unschedulable givenUp = (Unschedulable) schedule(2_000, 4, 60);
        assertThat(givenUp.certainty()).isEqualTo(Certainty.LIMIT);
    }

    @Test
    void sharesThatNoDomainHasTheComputeFor_areRefusedForCertain_withoutBeingPlaced() {
        Unschedulable refused = (Unschedulable) schedule(100, 40, 11);
        assertThat(refused.certainty()).isEqualTo(Certainty.PROVEN);
        assertThat(GpuScheduler.create().schedule(cluster(), pod("alone", 11))).isInstanceOf(Placed.class);
    }
}
