package io.gpusched.schedule;

import static io.gpusched.testkit.GpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.analysis.Headroom;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.testkit.SmallWorld;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.WorkloadProfile;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class AlternativesTest {
    private static final GpuModel H100 = GpuModel.of("NVIDIA", "H100", 81_920);
    private static final GpuModel A100 = GpuModel.of("NVIDIA", "A100", 40_960);
    private static final GpuRequest TWO_H100 = GpuRequest.exclusive(2, GpuSelector.models("H100"));

    private static GpuRequest gpus(int count, GpuModel model) {
        return GpuRequest.exclusive(count, GpuSelector.models(model.name()));
    }

    private static Node node(String name, int gpus, GpuModel model) {
        return Node.builder(name).capacity(64_000, 64_000).gpus(gpus, model).build();
    }

    private static Pod pod(String name) {
        return Pod.of(name, Resources.of(1_000, 1_000), GpuRequest.firstOf(gpus(2, H100), gpus(4, A100)));
    }

    @Test
    void laterShape_isTakenOnlyIfNoNodeHasRoomForAnEarlierOne() {
        Cluster cluster = Cluster.of(List.of(node("a", 4, A100), node("h", 2, H100)));
        GpuScheduler scheduler = GpuScheduler.create();
        Decision first = scheduler.schedule(cluster, pod("p"));
        assertThat(first).isPlacedOn("h").usingGpus(0, 1);
        cluster = cluster.with(((Placed) first).placement());
        Decision second = scheduler.schedule(cluster, pod("q"));
        assertThat(second).isPlacedOn("a").usingGpus(0, 1, 2, 3);
        org.assertj.core.api.Assertions.assertThat(Pod.of(((Placed) second).placement()))
                .as("the placement tells what was asked, not the shape alone")
                .contains(pod("q"));
    }

    @Test
    void diagnosis_coversEachShape() {
        Cluster cluster = Cluster.of(List.of(node("a", 2, A100), node("h", 1, H100)));
        Unschedulable refusal = (Unschedulable) GpuScheduler.create().schedule(cluster, pod("p"));
        Diagnosis diagnosis = refusal.diagnosis();
        org.assertj.core.api.Assertions.assertThat(diagnosis.otherwise()).hasSize(1);
        org.assertj.core.api.Assertions.assertThat(diagnosis.toString())
                .contains("as 2 whole GPUs of model " + H100.name())
                .contains("as 4 whole GPUs of model " + A100.name());
        org.assertj.core.api.Assertions.assertThat(refusal.couldFitLater()).isFalse();
    }

    @Test
    void couldFitLater_ifAnyShapeCould() {
        Cluster cluster = Cluster.of(List.of(node("a", 4, A100)));
        GpuScheduler scheduler = GpuScheduler.create();
        cluster = cluster.with(((Placed) scheduler.schedule(cluster, pod("p"))).placement());
        Unschedulable refusal = (Unschedulable) scheduler.schedule(cluster, pod("q"));
        org.assertj.core.api.Assertions.assertThat(refusal.couldFitLater()).isTrue();
        org.assertj.core.api.Assertions.assertThat(refusal.diagnosis().couldFitLater())
                .isFalse();
    }

    @Test
    void membersOfAGroup_mayTakeDifferentShapes() {
        Cluster cluster = Cluster.of(List.of(node("a", 8, A100), node("h", 2, H100)));
        PodGroup group = PodGroup.of("g", List.of(pod("p0"), pod("p1"), pod("p2")));
        GroupPlaced placed = (GroupPlaced) GpuScheduler.create().schedule(cluster, group);
        org.assertj.core.api.Assertions.assertThat(placed.placements())
                .extracting(placement -> placement.node() + placement.gpus())
                .containsExactly("h[0, 1]", "a[0, 1, 2, 3]", "a[4, 5, 6, 7]");
    }

    @Test
    void headroom_countsShapesInTheirOrder_andAProfileCountsTheFirst() {
        Cluster cluster = Cluster.of(List.of(node("a", 8, A100), node("h", 2, H100)));
        Headroom headroom = Headroom.of(cluster, pod("p"));
        org.assertj.core.api.Assertions.assertThat(headroom.pods()).isEqualTo(3);
        org.assertj.core.api.Assertions.assertThat(headroom.exact()).isFalse();
        org.assertj.core.api.Assertions.assertThat(
                        WorkloadProfile.demandOf(pod("p")).toString())
                .isEqualTo(WorkloadProfile.demandOf(Pod.of("p", Resources.of(1_000, 1_000), gpus(2, H100)))
                        .toString());
    }

    @Test
    void alternatives_thatMakeNoSense_areRefusedByName() {
        assertThatThrownBy(() -> GpuRequest.firstOf(TWO_H100))
                .hasMessageContaining("number of alternatives must be in 2..16");
        assertThatThrownBy(() -> GpuRequest.firstOf(TWO_H100, TWO_H100)).hasMessageContaining("occurs twice");
        assertThatThrownBy(() -> GpuRequest.firstOf(TWO_H100, GpuRequest.wholeNode()))
                .hasMessageContaining("got \"a whole node\"");
        GpuRequest.FirstOf eight = new GpuRequest.FirstOf(java.util.stream.IntStream.rangeClosed(1, 9)
                .mapToObj(GpuRequest::exclusive)
                .map(GpuRequest.class::cast)
                .toList());
        assertThatThrownBy(() -> Pod.builder("p")
                        .container(Container.of("a", Resources.NONE, eight))
                        .container(Container.of("b", Resources.NONE, eight))
                        .build())
                .hasMessageContaining("at most 64 combinations, got 81");
        org.assertj.core.api.Assertions.assertThat(GpuRequest.firstOf(gpus(2, H100), gpus(4, A100)))
                .hasToString("2 whole GPUs of model " + H100.name() + ", else 4 whole GPUs of model " + A100.name());
    }

    /** Asking for the first of several shapes is asking for one after the other. */
    @Property(tries = 500)
    void firstOf_isDecidedAsItsShapesOneAfterTheOther(@ForAll long seed) {
        SmallWorld world = SmallWorld.withChoices(seed);
        Cluster cluster = world.cluster(5);
        Pod pod = world.pod();
        GpuScheduler scheduler = GpuScheduler.create();
        Decision decision = scheduler.schedule(cluster, pod);
        Decision expected = null;
        for (Pod shape : shapes(pod)) {
            expected = expected != null && expected.isPlaced() ? expected : scheduler.schedule(cluster, shape);
        }
        org.assertj.core.api.Assertions.assertThat(words(decision)).isEqualTo(words(expected));
    }

    private static String words(Decision decision) {
        return decision instanceof Placed placed
                ? placed.placement().node() + placed.placement().containers()
                : "refused";
    }

    private static List<Pod> shapes(Pod pod) {
        List<List<Container>> all = List.of(List.of());
        for (Container container : pod.containers()) {
            List<List<Container>> longer = new java.util.ArrayList<>();
            for (List<Container> before : all) {
                for (GpuRequest shape : container.gpu().alternatives()) {
                    List<Container> more = new java.util.ArrayList<>(before);
                    more.add(new Container(container.name(), container.kind(), container.resources(), shape));
                    longer.add(more);
                }
            }
            all = longer;
        }
        return all.stream().map(pod::withContainers).toList();
    }
}
