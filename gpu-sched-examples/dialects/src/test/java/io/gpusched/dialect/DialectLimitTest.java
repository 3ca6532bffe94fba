package io.gpusched.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A system whose order of devices is searched in vain, up to the budget, has not refused the pod by a rule of its own. */
class DialectLimitTest {
    private static final int GPUS = 8;

    /** Each GPU can be filled by three parts, of which the smallest choose first, each beginning at a GPU of its own. */
    private record SmallFirst() implements Dialect, PlacementPolicy {
        @Override
        public String name() {
            return "small-first";
        }

        @Override
        public Node node(NodeManifest manifest) {
            return Node.builder(manifest.name())
                    .mode(NodeMode.SHARED)
                    .capacity(1_000, 1_000)
                    .gpus(GPUS, GpuModel.of("nvidia", "A100", 1_000))
                    .build();
        }

        @Override
        public Pod pod(PodManifest manifest) {
            Random random = new Random(0);
            List<Integer> parts = new ArrayList<>();
            for (int g = 0; g < GPUS; g++) {
                int one = 50 + random.nextInt(800);
                int other = 50 + random.nextInt(900 - one);
                parts.addAll(List.of(one, other, 1_000 - one - other));
            }
            Collections.sort(parts);
            Pod.Builder pod = Pod.builder(manifest.id().name());
            for (int i = 0; i < parts.size(); i++) {
                pod.container("c" + i, Resources.NONE, GpuRequest.share(parts.get(i), GpuMemory.none()));
            }
            return pod.build();
        }

        @Override
        public PlacementPolicy policy() {
            return this;
        }

        @Override
        public BindingMetadata write(PodManifest manifest, Node node, Placement placement) {
            return BindingMetadata.NOTHING;
        }

        @Override
        public long score(NodeState before, NodeState after, Pod pod) {
            return 0;
        }

        @Override
        public Optional<DeviceOrder> deviceOrder() {
            return Optional.of((node, earlier, container) -> IntStream.range(0, GPUS)
                    .map(i -> (((GpuRequest.Share) container.gpu()).computeMillis() * 7 + i) % GPUS)
                    .toArray());
        }
    }

    @Test
    void aSearchThatReachedItsLimit_isNotCalledARuleOfTheSystem() {
        Dialect dialect = new SmallFirst();
        PodManifest pod = PodManifest.of("p", List.of());
        Cluster cluster = Cluster.of(
                List.of(dialect.node(new NodeManifest("n", Map.of(), Map.of(), Map.of(), List.of(), false))));
        assertThat(GpuScheduler.create().schedule(cluster, dialect.pod(pod)).isPlaced())
                .isTrue();

        Decision decision = DialectScheduler.of(dialect).schedule(cluster, pod);

        assertThat(decision)
                .isInstanceOfSatisfying(
                        Unschedulable.class, no -> assertThat(no.certainty()).isEqualTo(Certainty.LIMIT));
    }
}
