package io.gpusched.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.policy.RandomFit;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.Pods;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** A placement knows the pod that it serves. */
class PodOfPlacementTest {
    private static final Cluster CLUSTER = Cluster.of(
            List.of(Node.builder("n1").capacity(8_000, 8_000).gpus(4, Nodes.BIG).build()));

    @Provide
    Arbitrary<List<Node>> nodes() {
        return Nodes.lists(4);
    }

    @Provide
    Arbitrary<Pod> pods() {
        return Pods.pods();
    }

    @Property(tries = 300)
    void whateverASchedulerPlaced_theClusterGivesBack(@ForAll("nodes") List<Node> nodes, @ForAll("pods") Pod pod) {
        Cluster cluster = Cluster.of(nodes);
        for (GpuScheduler scheduler : List.of(GpuScheduler.create(), GpuScheduler.of(RandomFit.of(1)))) {
            if (scheduler.schedule(cluster, pod) instanceof Placed placed) {
                Cluster after = cluster.with(placed.placement());
                assertThat(Pod.of(after.placement(pod.id()).orElseThrow())).contains(pod);
            }
        }
    }

    @Test
    void theMembersOfAGroup_areGivenBackAsItsMembers() {
        List<Pod> members = List.of(
                Pod.of("a", Resources.of(1, 1), GpuRequest.exclusive(1)),
                Pod.of("b", Resources.of(1, 1), GpuRequest.exclusive(1)),
                Pod.of("c", Resources.of(1, 1), GpuRequest.percent(30)));
        GroupPlaced placed = (GroupPlaced) GpuScheduler.create().schedule(CLUSTER, PodGroup.of("g", members));
        assertThat(placed.placements().stream()
                        .map(placement -> Pod.of(placement).orElseThrow()))
                .containsExactlyInAnyOrderElementsOf(members.stream()
                        .map(pod -> pod.withGroup(Optional.of(GroupMembership.of("g", Locality.ANYWHERE))))
                        .toList());
    }

    @Test
    void aPlacementMadeByHand_tellsNothingUntilItIsTold() {
        Pod pod = Pod.of("p", Resources.of(1, 1), GpuRequest.exclusive(1));
        ContainerGrant grant = ContainerGrant.of("main", new GpuGrant.Whole(List.of(0)));
        Placement placement = new Placement(PodId.of("p"), "n1", pod.resources(), List.of(grant));
        assertThat(Pod.of(placement)).isEmpty();
        assertThat(Pod.of(placement.withSpec(pod.spec()))).contains(pod);
        assertThat(placement.withSpec(pod.spec())).isNotEqualTo(placement);
    }

    @Test
    void podsThatAskForTheSame_shareWhatTheyAsk() {
        GpuScheduler scheduler = GpuScheduler.create();
        Placed one = (Placed) scheduler.schedule(CLUSTER, Pod.of("a", Resources.of(1, 1), GpuRequest.percent(10)));
        Placed other = (Placed) scheduler.schedule(CLUSTER, Pod.of("b", Resources.of(1, 1), GpuRequest.percent(10)));
        Placed third = (Placed) scheduler.schedule(CLUSTER, Pod.of("c", Resources.of(1, 2), GpuRequest.percent(10)));
        assertThat(one.placement().spec().orElseThrow())
                .isSameAs(other.placement().spec().orElseThrow());
        assertThat(one.placement().spec()).isNotEqualTo(third.placement().spec());
    }

    @Test
    void aPodUnderAnotherName_sharesItsSpecification() {
        Pod pod = Pod.of("p", Resources.of(1, 1), GpuRequest.exclusive(1));
        assertThat(pod.withId(PodId.of("q")).spec()).isSameAs(pod.spec());
        assertThat(pod).isEqualTo(Pod.of("p", Resources.of(1, 1), GpuRequest.exclusive(1)));
    }
}
