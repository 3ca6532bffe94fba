package io.gpusched.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What is written and read again is what it was, whatever the cluster, the requests and the decisions. */
class JsonRoundTripProperties {
    @Property(tries = 150)
    void clustersPodsAndDecisions_comeBack(@ForAll long seed) {
        RandomWorld world = new RandomWorld(new Random(seed));
        GpuScheduler scheduler = GpuScheduler.create();
        Cluster cluster = world.cluster();
        for (int i = 0; i < 12; i++) {
            Pod pod = world.pod("p" + i);
            assertThat(JsonFormat.POD.read(JsonFormat.POD.write(pod))).isEqualTo(pod);
            Decision decision = scheduler.schedule(cluster, pod);
            assertSame(decision, JsonFormat.DECISION.read(JsonFormat.DECISION.write(decision)));
            cluster = decision.toPlacement().map(cluster::with).orElse(cluster);
        }
        cluster = world.withAccidents(cluster);
        assertComesBack(cluster);
        assertComesBack(JsonFormat.CLUSTER.read(JsonFormat.CLUSTER.write(cluster)));
    }

    @Property(tries = 100)
    void groupsAndTheirDecisions_comeBack(@ForAll long seed) {
        RandomWorld world = new RandomWorld(new Random(seed));
        PodGroup group = world.group();
        assertThat(JsonFormat.GROUP.read(JsonFormat.GROUP.write(group))).isEqualTo(group);
        GroupDecision decision = GpuScheduler.create().schedule(world.cluster(), group);
        GroupDecision read = JsonFormat.GROUP_DECISION.read(JsonFormat.GROUP_DECISION.write(decision));
        if (decision instanceof Unschedulable refusal) {
            assertSame(refusal, (Unschedulable) read);
        } else {
            GroupPlaced placed = (GroupPlaced) decision;
            GroupPlaced again = (GroupPlaced) read;
            assertThat(again.placements()).isEqualTo(placed.placements());
            assertThat(again.waiting()).isEqualTo(placed.waiting());
            assertThat(again.refusals().keySet()).isEqualTo(placed.refusals().keySet());
            placed.refusals()
                    .forEach((pod, refusal) ->
                            assertSame(refusal, again.refusals().get(pod)));
        }
    }

    private static void assertSame(Decision decision, Decision read) {
        if (decision instanceof Unschedulable refusal) {
            assertThat(((Unschedulable) read).certainty()).isEqualTo(refusal.certainty());
            assertThat(((Unschedulable) read).subject()).isEqualTo(refusal.subject());
            assertThat(((Unschedulable) read).diagnosis()).isEqualTo(refusal.diagnosis());
        } else {
            assertThat(read).isEqualTo(decision);
        }
    }

    private static void assertComesBack(Cluster cluster) {
        Cluster read = JsonFormat.CLUSTER.read(JsonFormat.CLUSTER.write(cluster));
        read.validate();
        assertThat(read.nodes().stream().map(NodeState::node))
                .isEqualTo(cluster.nodes().stream().map(NodeState::node).toList());
        assertThat(sorted(read)).isEqualTo(sorted(cluster));
        assertThat(read.totals()).isEqualTo(cluster.totals());
        assertThat(read.namespaces()).isEqualTo(cluster.namespaces());
    }

    private static List<Placement> sorted(Cluster cluster) {
        List<Placement> all = new ArrayList<>(cluster.placements());
        all.sort((one, other) -> one.pod().compareTo(other.pod()));
        return all;
    }
}
