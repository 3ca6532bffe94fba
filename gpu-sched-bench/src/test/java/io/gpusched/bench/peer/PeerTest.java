package io.gpusched.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.bench.load.Clusters;
import io.gpusched.bench.load.Mix;
import io.gpusched.bench.load.Shape;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.policy.BinPack;
import io.gpusched.schedule.GpuScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is compared does the same work: the loops and gpu-sched choose the same places all along. */
class PeerTest {
    private static final int NODES = 6;

    @ParameterizedTest
    @ValueSource(strings = {"exclusive1", "percent30", "wholeNode"})
    void find_randomArrivalsAndDepartures_choosesWhatGpuSchedChooses(String mix) {
        Shape shape = Mix.named(mix).shapes().get(0);
        Peer array = new ArrayLoop(shape, NODES, 96_000, 393_216);
        Peer objects = new ObjectLoop(shape, NODES, 96_000, 393_216);
        GpuScheduler scheduler = GpuScheduler.of(BinPack.of());
        Cluster cluster = Cluster.of(Clusters.uniform(NODES));
        List<Placement> running = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(7);

        for (int step = 0; step < 2_000; step++) {
            int place = array.find();
            assertThat(objects.find()).isEqualTo(place);
            if (scheduler.schedule(cluster, shape.pod("p" + step)) instanceof Placed placed) {
                assertThat(place).isEqualTo(place(placed.placement()));
                cluster = cluster.with(placed.placement());
                running.add(placed.placement());
                array.take(place);
                objects.take(place);
            } else {
                assertThat(place).isEqualTo(-1);
            }
            while (!running.isEmpty() && random.nextInt(100) < (step / 500 % 2 == 0 ? 40 : 60)) {
                Placement gone = running.remove(random.nextInt(running.size()));
                cluster = cluster.without(gone);
                array.release(place(gone));
                objects.release(place(gone));
            }
        }
    }

    private static int place(Placement placement) {
        return Integer.parseInt(placement.node().substring(1)) * Peer.GPUS
                + placement.gpus().get(0);
    }
}
