package io.gpusched.model;

import static io.gpusched.testkit.GpuAssertions.assertThat;

import io.gpusched.testkit.ClusterHistory;
import io.gpusched.testkit.Grants;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.Pods;
import io.gpusched.testkit.Step;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ConflictProperties {
    @Provide
    Arbitrary<List<Node>> nodes() {
        return Nodes.lists(3);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Step.steps(Pods.pods()).list().ofMaxSize(10);
    }

    @Provide
    Arbitrary<List<Placement>> placements() {
        return Grants.placements().list().ofMaxSize(20);
    }

    @Property(tries = 1000)
    void aPlacementIsTakenExactlyWhenNothingIsOversubscribed(
            @ForAll("nodes") List<Node> nodes,
            @ForAll("steps") List<Step> steps,
            @ForAll("placements") List<Placement> placements) {
        ClusterHistory history = ClusterHistory.of(nodes, steps);
        Cluster cluster = history.cluster();
        for (Placement placement : placements) {
            if (history.model().accepts(placement)) {
                cluster = cluster.with(placement);
                history.model().place(placement);
                assertThat(cluster).shows(history.model());
            } else {
                assertThat(cluster).refuses(placement, placement.pod().toString());
            }
        }
    }

    @Property(tries = 250)
    void aBatchThatRefusesOnePlacementKeepsTheOthers(
            @ForAll("nodes") List<Node> nodes, @ForAll("placements") List<Placement> placements) {
        ClusterHistory history = new ClusterHistory(nodes);
        ClusterBatch batch = history.cluster().batch();
        for (Placement placement : placements) {
            if (history.model().accepts(placement)) {
                batch.place(placement);
                history.model().place(placement);
            } else {
                assertThat(batch.build()).refusesChange(() -> batch.place(placement));
            }
        }
        assertThat(batch.build()).shows(history.model());
    }
}
