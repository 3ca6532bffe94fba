package io.gpusched.internal.gang;

import static io.gpusched.internal.gang.Gangs.cluster;
import static io.gpusched.internal.gang.Gangs.gang;
import static io.gpusched.internal.gang.Gangs.pods;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which states of a node the exact search takes for the same. */
class NodeHashesTest {
    private static final GpuModel A30 = GpuModel.of("nvidia", "A30", 24_576);

    private static long hash(NodeState node, GpuRequest asked, GpuGrant... grants) {
        Gang gang = gang(pods(2, "p", asked));
        List<EqualNodes> groups = EqualNodes.of(gang, List.of(node), SearchSteps.of(Gangs.MANY));
        NodeState state = node;
        for (int i = 0; i < grants.length; i++) {
            ContainerGrant grant = ContainerGrant.of("c", grants[i]);
            state = state.with(new Placement(PodId.of("r" + i), node.name(), Resources.NONE, List.of(grant)));
        }
        return new NodeHashes(groups, gang.requests()).of(0, state);
    }

    private static GpuGrant share(int gpu, int computeMillis) {
        return new GpuGrant.Shared(List.of(new GpuShare(gpu, computeMillis, 100, 1)));
    }

    private static final GpuRequest ANY = GpuRequest.percent(10);

    @Test
    void gpusThatNoMemberTellsApart_areTheSame() {
        NodeState node = cluster(3).node(0);
        NodeState lastIsIll = cluster(3).withGpuHealth("n0", 2, false).node(0);

        assertThat(hash(node, ANY, share(0, 300))).isEqualTo(hash(node, ANY, share(1, 300)));
        assertThat(hash(node, ANY, share(0, 300), share(2, 400)))
                .isEqualTo(hash(node, ANY, share(2, 300), share(1, 400)));
        assertThat(hash(lastIsIll, ANY, share(0, 300))).isEqualTo(hash(lastIsIll, ANY, share(1, 300)));
    }

    @Test
    void otherAmounts_areOtherStates() {
        NodeState node = cluster(3).node(0);

        assertThat(hash(node, ANY, share(0, 300))).isNotEqualTo(hash(node, ANY, share(0, 400)));
        assertThat(hash(node, ANY, share(0, 300), share(0, 300)))
                .isNotEqualTo(hash(node, ANY, share(0, 300), share(1, 300)));
    }

    @Test
    void gpusOfOtherModels_areOtherStates() {
        Node mixed = Node.builder("n")
                .capacity(8_000, 8_000)
                .gpus(1, Nodes.BIG)
                .gpus(1, Nodes.SMALL)
                .build();
        NodeState node = Cluster.of(List.of(mixed)).node(0);

        assertThat(hash(node, ANY, share(0, 300))).isNotEqualTo(hash(node, ANY, share(1, 300)));
    }

    @Test
    void gpusThatAMemberTellsApartByUuid_areOtherStates() {
        NodeState node = cluster(2).node(0);
        GpuSelector first = GpuSelector.ANY.withAllowedUuids(
                Set.of(node.node().gpus().get(0).uuid()));

        assertThat(hash(node, GpuRequest.exclusive(1, first), share(0, 300)))
                .isNotEqualTo(hash(node, GpuRequest.exclusive(1, first), share(1, 300)));
    }

    @Test
    void partitionsElsewhereOnAGpu_areOtherStates() {
        Node cut = Node.builder("n")
                .capacity(8_000, 8_000)
                .gpus(1, A30, MigGeometry.A30_24GB.geometry())
                .build();
        NodeState node = Cluster.of(List.of(cut)).node(0);

        assertThat(hash(node, ANY, partition(0))).isNotEqualTo(hash(node, ANY, partition(1)));
    }

    private static GpuGrant partition(int start) {
        return new GpuGrant.Partitions(List.of(GpuPartition.of(0, "1g.6gb", start)));
    }
}
