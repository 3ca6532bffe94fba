package io.gpusched.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.gpusched.internal.persistent.CollidingNames;
import io.gpusched.testkit.Nodes;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Forks cost what their own changes cost, wherever the snapshot stands that they are made of, and leave nothing behind. Work
 * is counted in bytes allocated, which are the same on every run and bound what was copied.
 */
class SnapshotForkTest {
    private static final int NODES = 200;
    private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** What one placement or release may allocate, buffers included that happen to be full. */
    private static final long MOST_BYTES = 120_000;

    private static Cluster cluster() {
        return Cluster.of(IntStream.range(0, NODES)
                .mapToObj(i -> Node.builder("n" + i)
                        .capacity(640_000, 640_000)
                        .maxPods(10_000)
                        .gpus(2, Nodes.BIG)
                        .build())
                .toList());
    }

    private static Placement placement(String pod, int number) {
        return new Placement(PodId.of(pod), "n" + number % NODES, Resources.of(1, 1), List.of());
    }

    private static long bytes(Runnable work) {
        long before = THREAD.getCurrentThreadAllocatedBytes();
        work.run();
        return THREAD.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void forksAtEveryNumberOfPods_costTheSame_andSeeTheirOwnPodsOnly() {
        Cluster base = cluster();
        List<Cluster> past = new ArrayList<>();
        for (int pods = 0; pods < 2_000; pods++) {
            past.add(base);
            base = base.with(placement("p" + pods, pods * 7));
        }
        for (int pods = 0; pods < 2_000; pods++) {
            Cluster from = past.get(pods);
            for (int fork = 0; fork < 2; fork++) {
                Placement own = placement("fork" + fork, pods + fork);
                Cluster[] forked = new Cluster[1];
                assertThat(bytes(() -> forked[0] = from.with(own)))
                        .as("fork at %d pods", pods)
                        .isLessThan(MOST_BYTES);
                assertThat(forked[0].placement(own.pod())).contains(own);
                assertThat(from.placement(own.pod())).isEmpty();
                assertThat(forked[0].totals().pods()).isEqualTo(pods + 1);
            }
            if (pods % 200 == 0) {
                from.validate();
                assertThat(from.placement(PodId.of("p" + pods))).isEmpty();
            }
        }
    }

    @Test
    void oldSnapshotsThatAreForkedAndResumedAgainAndAgain_stayAsFastAsNewOnes() {
        SplittableRandom random = new SplittableRandom(15);
        List<Cluster> past = new ArrayList<>(List.of(cluster()));
        long most = 0;
        long sum = 0;
        int steps = 30_000;
        for (int i = 0; i < steps; i++) {
            Cluster from = past.get(random.nextInt(past.size()));
            Placement placement = placement("p" + i, random.nextInt(NODES));
            Cluster[] next = new Cluster[1];
            long work = bytes(
                    () -> next[0] = from.with(placement).without(placement).with(placement));
            most = Math.max(most, work);
            sum += work;
            if (past.size() < 50) {
                past.add(next[0]);
            } else if (random.nextInt(3) == 0) {
                past.set(random.nextInt(past.size()), next[0]);
            }
        }
        assertThat(most).isLessThan(3 * MOST_BYTES);
        assertThat(sum / steps).as("bytes for three changes").isLessThan(30_000);
        past.forEach(Cluster::validate);
    }

    @Test
    void podsWhoseNamesHaveEqualHashCodes_costNoMoreThanOthers() {
        long colliding = workFor(i -> CollidingNames.name(i, 12));
        long others = workFor(i -> "pod-%020d".formatted(i));
        assertThat(colliding).isLessThan(2 * others);
    }

    private static long workFor(IntFunction<String> name) {
        Cluster[] cluster = {cluster()};
        return bytes(() -> {
            for (int i = 0; i < 1 << 12; i++) {
                cluster[0] = cluster[0].with(placement(name.apply(i), i));
            }
            for (int i = 0; i < 1 << 12; i++) {
                cluster[0] = cluster[0].without(PodId.of(name.apply(i)));
            }
        });
    }

    @Test
    void changesOfNodes_costNoMoreInLargeClusters() {
        long small = workOfNodeChanges(1_000);
        long large = workOfNodeChanges(30_000);
        assertThat(large).isLessThan(3 * small);
    }

    private static long workOfNodeChanges(int nodes) {
        List<Node> all = IntStream.range(0, nodes)
                .mapToObj(i -> Node.builder("n%06d".formatted(i * 2))
                        .capacity(64_000, 64_000)
                        .topology(Topology.of("rack", "r" + i / 40))
                        .gpus(2, Nodes.BIG)
                        .build())
                .toList();
        Cluster[] cluster = {Cluster.of(all)};
        SplittableRandom random = new SplittableRandom(3);
        return bytes(() -> {
            for (int i = 0; i < 1_000; i++) {
                Node old = all.get(random.nextInt(nodes));
                Node extra = Node.builder("x" + i).topology(old.topology()).build();
                cluster[0] = cluster[0]
                        .withReplaced(old.toBuilder().label("seen", "" + i).build())
                        .withNode(extra)
                        .withGpuHealth(old.name(), 1, i % 2 == 0)
                        .withCordoned(old.name(), i % 3 == 0)
                        .withReplaced(old.toBuilder()
                                .taint(Taint.noSchedule("t", "" + i % 9))
                                .build())
                        .withoutNode("x" + i);
            }
        });
    }
}
