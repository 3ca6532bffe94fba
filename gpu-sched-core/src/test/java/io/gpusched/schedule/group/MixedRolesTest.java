package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Fact;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodGroup.Role;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Groups whose roles need nodes that differ in GPU model or taints, and that must stay in one rack. */
class MixedRolesTest {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 81_920);
    private static final GpuModel T4 = GpuModel.of("nvidia", "T4", 15_360);
    private static final Taint DEAR = Taint.noSchedule("dear", "true");

    private final GpuScheduler scheduler = GpuScheduler.create();
    private final List<Node> nodes = new ArrayList<>();

    /** A rack of a node with so many A100, which has a taint, and one with so many T4. */
    private void rack(String name, int a100, int t4) {
        add(name, name + "-a100", a100, A100, List.of(DEAR));
        add(name, name + "-t4", t4, T4, List.of());
    }

    private void add(String rack, String name, int gpus, GpuModel model, List<Taint> taints) {
        Node.Builder node = Node.builder(name)
                .capacity(64_000, 64_000)
                .gpus(gpus, model)
                .topology(Topology.of("zone", "z", "rack", rack));
        taints.forEach(node::taint);
        nodes.add(node.build());
    }

    private static List<Pod> pods(String name, int count, GpuModel model, List<Toleration> tolerations) {
        GpuRequest request = GpuRequest.exclusive(1, GpuSelector.models(model.name()));
        return IntStream.range(0, count)
                .mapToObj(i -> Pod.of(name + i, Resources.of(1_000, 1_000), request))
                .map(pod -> new Pod(pod.id(), pod.containers(), pod.nodeSelector(), tolerations))
                .toList();
    }

    private static Role trainers(int count, int least) {
        return new Role("trainer", least, pods("t", count, A100, List.of(Toleration.exists("dear"))));
    }

    private static Role loaders(int count, int least) {
        return new Role("loader", least, pods("l", count, T4, List.of()));
    }

    private GroupDecision decide(int least, Role... roles) {
        return scheduler.schedule(
                Cluster.of(nodes), new PodGroup("job", least, List.of(roles), Locality.within("rack")));
    }

    @Test
    void theRackIsTaken_thatHoldsBothRoles_notTheOneWithMoreOfOne() {
        rack("r1", 8, 1);
        rack("r2", 2, 2);
        rack("r3", 1, 8);

        GroupPlaced placed = (GroupPlaced) decide(4, trainers(2, 2), loaders(2, 2));

        assertThat(placed.placements()).hasSize(4);
        assertThat(placed.placements())
                .extracting(Placement::node)
                .containsExactlyInAnyOrder("r2-a100", "r2-a100", "r2-t4", "r2-t4");
    }

    @Test
    void gpusOfNodesThatAdmitNoRole_doNotMakeARackTighterOrRoomier() {
        rack("r1", 3, 3);
        rack("r2", 2, 2);
        add("r2", "r2-closed", 8, A100, List.of(Taint.noSchedule("closed", "")));
        add("r2", "r2-other", 8, GpuModel.of("amd", "MI300X", 196_608), List.of());

        GroupPlaced placed = (GroupPlaced) decide(4, trainers(2, 2), loaders(2, 2));

        assertThat(placed.placements())
                .extracting(Placement::node)
                .allSatisfy(node -> assertThat(node).startsWith("r2-"));
    }

    @Test
    void noRackHoldsBothRoles_soTheRefusalIsProven_andNamesTheRoleThatLacks() {
        rack("r1", 8, 1);
        rack("r2", 1, 8);

        Unschedulable no = (Unschedulable) decide(4, trainers(2, 2), loaders(2, 2));

        assertThat(no.certainty()).isEqualTo(Certainty.PROVEN);
        assertThat(no.diagnosis().reasons()).anySatisfy(reason -> {
            assertThat(reason.code()).isEqualTo(Reason.Code.GROUP);
            assertThat(reason.facts())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            Fact.Members.class,
                            fact -> assertThat(fact.roleLacks()).isEqualTo(1));
        });
    }

    @Test
    void membersBeyondTheMinimum_waitEachForItsOwnKindOfNode() {
        rack("r1", 2, 2);

        GroupPlaced placed = (GroupPlaced) decide(3, trainers(3, 1), loaders(3, 1));

        assertThat(placed.placements()).hasSize(4);
        assertThat(placed.waiting()).extracting(Object::toString).containsExactly("t2", "l2");
        placed.refusals()
                .forEach((pod, no) -> assertThat(no.diagnosis().reasons())
                        .as("%s", pod)
                        .anySatisfy(reason -> assertThat(reason.code()).isEqualTo(Reason.Code.IDLE_GPUS)));
    }
}
