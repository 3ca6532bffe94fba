package io.gpusched.internal.rank;

import io.gpusched.internal.fit.LayoutRule;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The {@linkplain LayoutSearch best layouts} of a pod on a node by the scores of a policy. */
public final class PolicyLayouts {
    private PolicyLayouts() {}

    /** Returns what {@link LayoutSearch#best(PodDemand, NodeState, LayoutRule)} returns. */
    public static LayoutSearch.@Nullable Found best(PodDemand demand, NodeState node, PlacementPolicy policy) {
        return LayoutSearch.best(demand, node, new Rule(policy));
    }

    /** Returns what {@link LayoutSearch#best(PodDemand, NodeState, LayoutRule, SearchSteps)} returns. */
    public static LayoutSearch.@Nullable Found best(
            PodDemand demand, NodeState node, PlacementPolicy policy, SearchSteps steps) {
        return LayoutSearch.best(demand, node, new Rule(policy), steps);
    }

    /** Returns what {@link LayoutSearch#better} returns. */
    public static LayoutSearch.@Nullable Found better(
            PodDemand demand, NodeState node, PlacementPolicy policy, long above, SearchSteps steps) {
        return LayoutSearch.better(demand, node, new Rule(policy), above, steps);
    }

    private record Rule(PlacementPolicy policy) implements LayoutRule {
        @Override
        public long score(NodeState before, NodeState after, Pod pod) {
            return policy.score(before, after, pod);
        }

        @Override
        public boolean seesOccupancyOnly() {
            return policy.scope() == PlacementPolicy.Scope.OCCUPANCY;
        }

        @Override
        public @Nullable Costs costs(NodeState before, Pod pod) {
            if (policy instanceof BinPack) {
                return new BinPackCosts(before, pod);
            }
            return policy instanceof FirstFit ? Costs.NONE : null;
        }

        @Override
        public @Nullable Order order() {
            return order(policy.deviceOrder());
        }

        private static @Nullable Order order(Optional<DeviceOrder> order) {
            return order.isPresent() ? new Devices(order.get()) : null;
        }
    }

    private record Devices(DeviceOrder order) implements LayoutRule.Order {
        @Override
        public List<Container> containers(List<Container> containers) {
            return order.containers(containers);
        }

        @Override
        public int[] gpus(NodeState node, List<ContainerGrant> earlier, Container container) {
            return Objects.requireNonNull(order.gpus(node, earlier, container), "policy.deviceOrder().gpus()");
        }

        @Override
        public List<GpuPartition> partitions(NodeState node, List<ContainerGrant> earlier, Container container) {
            return order.partitions(node, earlier, container);
        }

        @Override
        public boolean namesAllPartitions() {
            return order.namesAllPartitions();
        }

        @Override
        public boolean decides() {
            return order.decides();
        }

        @Override
        public LayoutRule.@Nullable Order fallback() {
            return Rule.order(order.fallback());
        }
    }
}
