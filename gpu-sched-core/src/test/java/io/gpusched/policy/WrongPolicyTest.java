package io.gpusched.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** Policies of users that return null, throw or score at the ends of the range. */
@SuppressWarnings("NullAway") // what is null is what is tested
class WrongPolicyTest {
    private static final Pod POD = Pod.of("p", Resources.of(1_000, 1), GpuRequest.exclusive(1));

    private static Cluster cluster() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            nodes.add(Node.builder("n" + i)
                    .capacity(8_000 + i, 8_000)
                    .gpus(2, Nodes.BIG)
                    .build());
        }
        return Cluster.of(nodes);
    }

    private record Stub(Scope scope, Optional<DeviceOrder> deviceOrder, ClusterAwarePolicy.Statistics statistics)
            implements ClusterAwarePolicy {
        @Override
        public long score(NodeState before, NodeState after, Pod pod) {
            return 0;
        }

        @Override
        public Object penaltyKey(NodeState before, NodeState after) {
            return "key";
        }
    }

    private static final class NoPenalties implements ClusterAwarePolicy.Statistics {
        @Override
        public void add(NodeState node) {}

        @Override
        public void remove(NodeState node) {}

        @Override
        public ToLongFunction<Object> penalties(Pod pod) {
            return null;
        }
    }

    @Test
    void aNull_isNamedByTheMethodThatReturnsIt() {
        ClusterAwarePolicy.Statistics fine =
                LookAhead.of(WorkloadProfile.of(List.of(POD))).statistics();
        PlacementPolicy.Scope node = PlacementPolicy.Scope.NODE;
        assertThatThrownBy(() -> GpuScheduler.of(new Stub(null, Optional.empty(), fine)))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("policy.scope()");
        assertThatThrownBy(() -> GpuScheduler.of(new Stub(node, null, fine))).hasMessage("policy.deviceOrder()");
        for (long entries : new long[] {0, 1_000}) {
            assertThatThrownBy(() -> decide(new Stub(node, Optional.empty(), null), entries))
                    .hasMessage("policy.statistics()");
            assertThatThrownBy(() -> decide(new Stub(node, Optional.empty(), new NoPenalties()), entries))
                    .hasMessage("statistics.penalties(pod)");
            DeviceOrder none = (state, earlier, container) -> null;
            assertThatThrownBy(() -> decide(new Stub(node, Optional.of(none), fine), entries))
                    .hasMessage("policy.deviceOrder().gpus()");
        }
    }

    private static Object decide(PlacementPolicy policy, long entries) {
        return GpuScheduler.builder().policy(policy).memory(entries).build().schedule(cluster(), POD);
    }

    @Test
    void aSchedulerWhosePolicyThrew_decidesAfterwardsAsANewOne() {
        for (int calls = 0; calls < 60; calls++) {
            AtomicInteger left = new AtomicInteger(calls);
            PlacementPolicy policy = (before, after, pod) -> {
                if (left.getAndDecrement() == 0) {
                    throw new IllegalStateException("broken");
                }
                return before.freeCpuMillis() * 31 % 17;
            };
            GpuScheduler scheduler = GpuScheduler.of(policy);
            Object first;
            try {
                first = scheduler.schedule(cluster(), POD);
            } catch (IllegalStateException e) {
                assertThat(e).hasMessage("broken");
                first = scheduler.schedule(cluster(), POD);
            }
            left.set(-1);
            assertThat(first)
                    .isEqualTo(GpuScheduler.builder()
                            .policy(policy)
                            .memory(0)
                            .build()
                            .schedule(cluster(), POD));
        }
    }

    @Test
    void scoresAtTheEndsOfTheRange_areCompared() {
        PlacementPolicy low = (before, after, pod) -> before.name().equals("n7") ? Long.MIN_VALUE + 1 : Long.MIN_VALUE;
        PlacementPolicy wide = (before, after, pod) -> before.name().equals("n7") ? Long.MAX_VALUE : Long.MIN_VALUE;
        for (PlacementPolicy policy : List.of(low, wide)) {
            for (long entries : new long[] {0, 1_000}) {
                assertThat(decide(policy, entries)).asString().startsWith("placed: pod p on n7,");
            }
        }
    }
}
