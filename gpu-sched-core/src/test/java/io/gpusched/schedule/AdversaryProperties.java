package io.gpusched.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.testkit.StressCase;
import io.gpusched.workload.Container;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Looks for requests that take much work to decide: a random one first, then ever dearer ones by small changes, then the next.
 * Work is how often the policy is asked; the engine counts its steps itself, and this is counted without it.
 */
class AdversaryProperties {
    private static final int SEARCHES = 60;
    private static final int CHANGES = 20;
    private static final long BUDGET = 20_000;

    @Property(tries = 1)
    void noRequest_takesMoreWorkThanTheBudgetAllows(@ForAll long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < SEARCHES; i++) {
            StressCase dearest = StressCase.of(random);
            long most = questions(dearest);
            for (int tried = 0; tried < CHANGES; tried++) {
                StressCase next = dearest.changed(random);
                long questions = questions(next);
                if (questions > most) {
                    dearest = next;
                    most = questions;
                }
            }
            assertThat(most).as("seed %s: %s", seed, dearest).isLessThanOrEqualTo(BUDGET);
        }
    }

    /** How often a policy is asked for this decision. */
    private static long questions(StressCase stress) {
        Counted policy = new Counted(StressCase.POLICIES.get(stress.policy()));
        SearchBudget budget = SearchBudget.ofSteps(BUDGET);
        stress.decide(
                stress.cluster(),
                GpuScheduler.builder().policy(policy).budget(budget).build());
        return policy.questions;
    }

    /** A policy that counts what it is asked. */
    private static final class Counted implements PlacementPolicy, DeviceOrder {
        private final PlacementPolicy policy;
        private long questions;

        Counted(PlacementPolicy policy) {
            this.policy = policy;
        }

        @Override
        public long score(NodeState before, NodeState after, Pod pod) {
            questions++;
            return policy.score(before, after, pod);
        }

        @Override
        public Scope scope() {
            return policy.scope();
        }

        @Override
        public Optional<DeviceOrder> deviceOrder() {
            return policy.deviceOrder().map(order -> this);
        }

        private DeviceOrder order() {
            return policy.deviceOrder().orElseThrow();
        }

        @Override
        public int[] gpus(NodeState node, List<ContainerGrant> earlier, Container container) {
            questions++;
            return order().gpus(node, earlier, container);
        }

        @Override
        public List<GpuPartition> partitions(NodeState node, List<ContainerGrant> earlier, Container container) {
            questions++;
            return order().partitions(node, earlier, container);
        }

        @Override
        public List<Container> containers(List<Container> containers) {
            return order().containers(containers);
        }

        @Override
        public boolean decides() {
            return order().decides();
        }
    }
}
