package io.gpusched.internal.search;

import static io.gpusched.internal.search.Machines.cluster;
import static io.gpusched.internal.search.Machines.pod;
import static io.gpusched.internal.search.Machines.query;
import static io.gpusched.internal.search.Machines.running;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.NodeState;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.workload.GpuRequest;
import it.unimi.dsi.fastutil.ints.IntList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which nodes are looked at for a request, by their rooms. */
class QueryTest {
    private static final GpuModel A30 = GpuModel.of("nvidia", "A30", 24_576);

    /** No GPU, one of which 30 % are left, one of which 70 % are, an idle one, three idle ones. */
    private static final Cluster CLUSTER =
            running(running(cluster(0, 1, 1, 1, 3), "n01", GpuRequest.percent(70)), "n02", GpuRequest.percent(30));

    private static List<String> lookedAt(GpuRequest... requests) {
        return lookedAt(CLUSTER, requests);
    }

    private static List<String> lookedAt(Cluster cluster, GpuRequest... requests) {
        Query query = query(cluster, pod(requests));
        IntList slots = Objects.requireNonNull(query.slots(Integer.MAX_VALUE));
        return slots.intStream()
                .mapToObj(query.candidates()::state)
                .map(NodeState::name)
                .toList();
    }

    @Test
    void podWithoutGpus_isLookedForOnAllNodes() {
        assertThat(lookedAt(GpuRequest.none())).containsExactly("n00", "n01", "n02", "n03", "n04");
    }

    @Test
    void shares_areLookedForWhereAGpuIdlesOrHasAsMuchLeft() {
        assertThat(lookedAt(GpuRequest.percent(60))).containsExactly("n02", "n03", "n04");
    }

    @Test
    void sharesOfSeveralGpus_areLookedForWhereAnyHasAsMuchLeft() {
        Cluster used = running(
                running(cluster(2, 2, 2), "n00", GpuRequest.percent(70).withCount(2)),
                "n01",
                GpuRequest.percent(30).withCount(2));

        assertThat(lookedAt(used, GpuRequest.percent(60).withCount(2))).containsExactly("n01", "n02");
    }

    @Test
    void wholeGpus_areLookedForWhereAsManyIdle() {
        assertThat(lookedAt(GpuRequest.exclusive(2))).containsExactly("n04");
        assertThat(lookedAt(GpuRequest.percent(10), GpuRequest.exclusive(2))).containsExactly("n04");
    }

    @Test
    void wholeNodes_areLookedForWhereNothingRuns() {
        assertThat(lookedAt(GpuRequest.wholeNode())).containsExactly("n03", "n04");
    }

    @Test
    void partitions_areLookedForWhereAGpuIdlesOrIsCut() {
        Cluster cut = Cluster.of(IntStream.range(0, 3)
                .mapToObj(n -> Machines.node(n, 0)
                        .gpus(1, A30, MigGeometry.A30_24GB.geometry())
                        .build())
                .toList());
        Cluster used = running(running(cut, "n00", GpuRequest.exclusive(1)), "n01", GpuRequest.partition("1g.6gb", 1));

        assertThat(lookedAt(used, GpuRequest.partition("1g.6gb", 1))).containsExactly("n01", "n02");
    }

    @Test
    void slots_ofMoreNodesThanAskedFor_areNone() {
        Query query = query(CLUSTER, pod(GpuRequest.percent(60)));

        assertThat(Optional.ofNullable(query.slots(3)).map(IntList::size)).contains(3);
        assertThat(Optional.ofNullable(query.slots(2))).isEmpty();
    }
}
