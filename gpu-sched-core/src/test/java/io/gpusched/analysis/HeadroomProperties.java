package io.gpusched.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.PodId;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.ClusterHistory;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.Pods;
import io.gpusched.testkit.Step;
import io.gpusched.workload.Pod;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class HeadroomProperties {
    @Provide
    Arbitrary<List<Node>> nodes() {
        return Nodes.herds(2, 8);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Step.steps(Pods.pods()).list().ofMaxSize(12);
    }

    @Provide
    Arbitrary<Pod> plain() {
        return Pods.plain();
    }

    @Property(tries = 300)
    void asManyPodsAsItSaysCanBePlacedOneAfterAnotherAndNoMore(
            @ForAll("nodes") List<Node> nodes, @ForAll("steps") List<Step> steps, @ForAll("plain") Pod shape) {
        ClusterHistory history = ClusterHistory.of(nodes, steps);
        Headroom headroom = Headroom.of(history.cluster(), shape);
        GpuScheduler scheduler = GpuScheduler.create();
        Cluster cluster = history.cluster();
        long placed = 0;
        while (scheduler.schedule(cluster, shape.withId(PodId.of("more-" + placed))) instanceof Placed found) {
            cluster = cluster.with(found.placement());
            placed++;
        }
        if (headroom.exact()) {
            assertThat(headroom.pods()).isEqualTo(placed);
        }
        assertThat(headroom.pods() > 0).isEqualTo(placed > 0);
    }
}
