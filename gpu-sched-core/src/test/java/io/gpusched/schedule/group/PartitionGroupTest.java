package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Groups of which members ask for partitions, where only one way of a few gets them started. */
class PartitionGroupTest {
    private static final GpuModel A30 = GpuModel.of("nvidia", "A30", 24_576);
    private static final GpuRequest.Partition FULL = GpuRequest.partition("4g.24gb", 1);

    private static Cluster cluster(int gpus) {
        Node.Builder node = Node.builder("n").capacity(8_000, 8_192);
        for (int g = 0; g < gpus; g++) {
            node.gpu(Gpu.of(g, "gpu-" + g, A30).withPartitions(MigGeometry.A30_24GB.geometry()));
        }
        return Cluster.of(List.of(node.build()));
    }

    private static Pod pod(String name, GpuRequest request) {
        return Pod.of(name, Resources.NONE, request);
    }

    private static GpuSelector without(String... uuids) {
        return GpuSelector.ANY.withDeniedUuids(Set.of(uuids));
    }

    private static List<Integer> gpus(Placement placement) {
        return placement.containers().stream()
                .flatMap(container -> container.gpus().indexes().stream())
                .toList();
    }

    private static List<Placement> placed(Cluster cluster, Pod... members) {
        return ((GroupPlaced) GpuScheduler.create().schedule(cluster, PodGroup.of("g", List.of(members)))).placements();
    }

    @Test
    void partitionGoesToTheGpuThatAnotherMemberRefuses_thoughItIsLikeTheOneThatItWants() {
        List<Placement> placed =
                placed(cluster(2), pod("any", FULL), pod("picky", FULL.withSelector(without("gpu-1"))));

        assertThat(placed).extracting(PartitionGroupTest::gpus).containsExactlyInAnyOrder(List.of(1), List.of(0));
    }

    @Test
    void wholeGpuBesideAPartition_isTheOneThatAnotherMemberRefuses() {
        Pod any = Pod.builder("any")
                .container("cut", Resources.NONE, FULL)
                .container("whole", Resources.NONE, GpuRequest.exclusive(1))
                .build();
        Pod picky = pod("picky", GpuRequest.exclusive(1, without("gpu-1", "gpu-2")));

        List<Placement> placed = placed(cluster(3), any, picky);

        assertThat(placed)
                .hasSize(2)
                .anySatisfy(placement -> assertThat(gpus(placement)).containsExactly(0));
    }

    /** A twentieth of the usual budget. */
    private static final long FEW = 100_000;

    private static Certainty refused(Cluster cluster, long steps, Pod... members) {
        GpuScheduler scheduler =
                GpuScheduler.builder().budget(SearchBudget.ofSteps(steps)).build();
        return ((Unschedulable) scheduler.schedule(cluster, PodGroup.of("g", List.of(members)))).certainty();
    }

    private static Pod[] smalls(int count, Pod last) {
        return IntStream.rangeClosed(0, count)
                .mapToObj(i -> i == count ? last : pod("small-" + i, GpuRequest.partition("1g.6gb", 2)))
                .toArray(Pod[]::new);
    }

    @Test
    void memberThatFitsNowhereOnItsOwn_isRefusedForCertainInFewSteps() {
        Pod nowhere = pod("nowhere", FULL.withSelector(without("gpu-0", "gpu-1", "gpu-2")));

        assertThat(refused(cluster(3), FEW, smalls(3, nowhere))).isEqualTo(Certainty.PROVEN);
    }

    @Test
    void membersBeyondThePodLimitOfTheNodes_areRefusedForCertainInFewSteps() {
        Node two = cluster(4).nodes().get(0).node().toBuilder().maxPods(2).build();

        assertThat(refused(Cluster.of(List.of(two)), FEW, smalls(2, pod("other", GpuRequest.partition("1g.6gb", 1)))))
                .isEqualTo(Certainty.PROVEN);
    }

    @Test
    void firstTryThatScoresSomeOfTheWaysOnly_leavesTheRefusalCertain() {
        // of three places for a while and one to stay there are more ways than are scored
        Pod many = Pod.builder("many")
                .container(Container.init("first", Resources.NONE, GpuRequest.partition("1g.6gb", 3)))
                .container("then", Resources.NONE, GpuRequest.partition("1g.6gb", 1))
                .build();
        Pod nowhere = pod("nowhere", FULL.withSelector(without("gpu-0", "gpu-1")));

        assertThat(((Placed) GpuScheduler.create().schedule(cluster(2), many)).certainty())
                .isEqualTo(Certainty.FOUND);
        assertThat(refused(cluster(2), SearchBudget.DEFAULT.steps(), many, nowhere))
                .isEqualTo(Certainty.PROVEN);
    }
}
