package io.gpusched.schedule;

import static io.gpusched.testkit.GpuAssertions.assertThat;
import static io.gpusched.testkit.GpuAssertions.assertThatThrownBy;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.Resources;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.TestPolicies;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacedTwiceTest {
    @Test
    void schedule_ofAPodThatRuns_isAConflictWithEveryPolicy() {
        Cluster empty = Cluster.of(List.of(
                Node.builder("a").capacity(8_000, 8_000).gpus(2, Nodes.BIG).build(),
                Node.builder("b").capacity(8_000, 8_000).gpus(2, Nodes.BIG).build()));
        Pod pod = Pod.of("team/p", Resources.NONE, GpuRequest.percent(10));
        Cluster cluster = empty.with(
                assertThat(GpuScheduler.create().schedule(empty, pod)).placement());
        for (PlacementPolicy policy : List.of(BinPack.of(), FirstFit.of(), TestPolicies.byNamesOnNode())) {
            GpuScheduler scheduler = GpuScheduler.of(policy);
            assertThat(scheduler.schedule(empty, pod)).isPlaced();
            assertThatThrownBy(() -> scheduler.schedule(cluster, pod))
                    .isInstanceOf(PlacementConflictException.class)
                    .hasMessage("cannot schedule pod \"team/p\": it already runs on node \"a\"\n"
                            + "Maybe release it first, or give the new pod another name.");
        }
    }
}
