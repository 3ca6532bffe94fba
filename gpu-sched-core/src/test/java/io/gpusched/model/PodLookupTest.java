package io.gpusched.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.testkit.Nodes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods are found by name in every snapshot of a long history, whether names are new, come again or always the same. */
class PodLookupTest {
    private static final int NODES = 12;
    private static final int RUNNING = 20;

    private static Cluster cluster() {
        return Cluster.of(IntStream.range(0, NODES)
                .mapToObj(i -> Node.builder("n" + i)
                        .capacity(64_000, 64_000)
                        .gpus(2, Nodes.BIG)
                        .build())
                .toList());
    }

    private static Placement placement(String pod, int node) {
        return new Placement(PodId.of(pod), "n" + node, Resources.of(1_000, 1_000), List.of());
    }

    private static void assertRun(Cluster cluster, Iterable<Placement> running) {
        Set<String> names = new TreeSet<>();
        for (Placement placement : running) {
            names.add(placement.pod().name());
            assertThat(cluster.placement(placement.pod())).contains(placement);
            assertThatThrownBy(() -> cluster.with(placement)).isInstanceOf(PlacementConflictException.class);
        }
        for (int i = 0; i < 3_000; i += 7) {
            assertThat(cluster.placement(PodId.of("p" + i)).isPresent()).isEqualTo(names.contains("p" + i));
        }
        cluster.validate();
    }

    @ParameterizedTest
    @ValueSource(ints = {3_000, 40, 21})
    void pods_thatComeAndGo_areFound_inOldAndNewSnapshots(int names) {
        Cluster cluster = cluster();
        Deque<Placement> running = new ArrayDeque<>();
        List<Cluster> past = new ArrayList<>();
        List<List<Placement>> pastRunning = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            Placement next = placement("p" + i % names, i * 7 % 11 % NODES);
            cluster = cluster.with(next);
            running.add(next);
            if (running.size() > RUNNING) {
                cluster = cluster.without(running.remove());
            }
            if (i % 500 == 0) {
                past.add(cluster);
                pastRunning.add(List.copyOf(running));
            }
        }
        assertRun(cluster, running);
        for (int i = 0; i < past.size(); i++) {
            assertRun(past.get(i), pastRunning.get(i));
        }
    }

    @Test
    void onePod_placedOnEveryNodeInTurn_isFoundWhereItRuns() {
        Cluster cluster = cluster();
        for (int i = 0; i < 500; i++) {
            Placement placement = placement("web-0", i * 5 % NODES);
            Cluster placed = cluster.with(placement);
            assertThat(placed.placement(PodId.of("web-0"))).contains(placement);
            cluster = placed.without(PodId.of("web-0"));
            assertThat(cluster.placement(PodId.of("web-0"))).isEmpty();
        }
        assertThat(cluster).isEqualTo(cluster());
    }

    @Test
    void branches_ofOneSnapshot_knowTheirOwnPodsOnly() {
        Cluster base = cluster().with(placement("base", 0));
        List<Cluster> branches = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            branches.add(base.with(placement("p" + i, i % NODES)).with(placement("same", i % NODES)));
        }
        for (int i = 0; i < branches.size(); i++) {
            assertRun(
                    branches.get(i),
                    List.of(placement("base", 0), placement("p" + i, i % NODES), placement("same", i % NODES)));
        }
    }

    @Test
    void batches_ofManyPods_areFound() {
        Cluster cluster = cluster();
        for (int round = 0; round < 5; round++) {
            ClusterBatch batch = cluster.batch();
            List<Placement> placed = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                placed.add(placement("p" + (500 * round + i), i % NODES));
                batch.place(placed.get(i));
            }
            placed.forEach(placement ->
                    assertThatThrownBy(() -> batch.place(placement)).isInstanceOf(PlacementConflictException.class));
            Cluster full = batch.build();
            assertRun(full, placed);
            placed.forEach(placement -> batch.release(placement.pod()));
            cluster = batch.build();
            assertRun(cluster, List.of());
            assertRun(full, placed);
        }
    }
}
