package io.gpusched.schedule.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Reason.Code;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.BestFit;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.Spread;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.PlainRules;
import io.gpusched.testkit.RuledPlaces;
import io.gpusched.testkit.RuledWorld;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Rules between pods against a slow and obvious model of them, on random small clusters that change. */
class RulesProperties {
    private static final int STEPS = 14;

    @Property(tries = 150)
    void aPlaceIsFoundExactlyWhereTheObviousModelSeesOne(@ForAll long seed) {
        RuledWorld world = new RuledWorld(seed);
        Cluster cluster = world.cluster(6);
        for (int step = 0; step < STEPS; step++) {
            Pod pod = world.pod();
            List<String> legal = RuledPlaces.legal(cluster, pod);
            Decision decision = GpuScheduler.create().schedule(cluster, pod);
            assertThat(decision.isPlaced())
                    .as("%s on %s", pod.rules(), cluster.nodes())
                    .isEqualTo(!legal.isEmpty());
            if (decision instanceof Placed placed) {
                assertThat(legal).contains(placed.placement().node());
                cluster = cluster.with(placed.placement());
            } else if (decision instanceof Unschedulable refusal) {
                assertDiagnosed(cluster, pod, refusal);
            }
            cluster.validate();
            cluster = world.oneIn(2) ? world.changed(cluster) : cluster;
        }
        cluster.validate();
    }

    private static void assertDiagnosed(Cluster cluster, Pod pod, Unschedulable refusal) {
        Map<Code, Integer> expected = new EnumMap<>(Code.class);
        Map<Code, Integer> counted = new EnumMap<>(Code.class);
        int room = 0;
        for (NodeState node : cluster.nodes()) {
            Optional<Code> code = PlainRules.refusal(cluster, pod, node);
            boolean before = code.isPresent() && code.get().compareTo(Code.HOST_PORT) <= 0;
            if (!before && !RuledPlaces.hasRoom(node, pod)) {
                room++;
            } else if (code.isPresent()) {
                expected.merge(code.get(), 1, Integer::sum);
            }
        }
        int byRoom = 0;
        for (Reason reason : refusal.diagnosis().reasons()) {
            if (isRule(reason.code())) {
                counted.put(reason.code(), reason.nodes());
            } else {
                byRoom += reason.nodes();
            }
            assertThat(reason.detail()).isNotBlank();
        }
        assertThat(counted).as("%s on %s", pod.rules(), cluster.nodes()).isEqualTo(expected);
        assertThat(byRoom).isEqualTo(room);
    }

    private static boolean isRule(Code code) {
        return code.compareTo(Code.HOST_PORT) <= 0
                || code == Code.TOPOLOGY_SPREAD
                || code == Code.POD_AFFINITY
                || code == Code.POD_ANTI_AFFINITY;
    }

    @Property(tries = 80)
    void rememberingChangesNoDecision(@ForAll long seed) {
        RuledWorld world = new RuledWorld(seed);
        Cluster cluster = world.cluster(8);
        List<PlacementPolicy> policies = List.of(BinPack.of(), Spread.of(), BestFit.of(), FirstFit.of());
        List<GpuScheduler> cached = policies.stream().map(GpuScheduler::of).toList();
        for (int step = 0; step < STEPS; step++) {
            Pod pod = world.pod();
            Optional<Placement> first = Optional.empty();
            for (int i = 0; i < policies.size(); i++) {
                Optional<Placement> found = placement(cached.get(i).schedule(cluster, pod));
                assertThat(found)
                        .as("%s by %s", pod.rules(), policies.get(i))
                        .isEqualTo(placement(GpuScheduler.builder()
                                .policy(policies.get(i))
                                .memory(0)
                                .build()
                                .schedule(cluster, pod)));
                first = i == 0 ? found : first;
            }
            cluster = first.isPresent() ? cluster.with(first.get()) : cluster;
            cluster = world.oneIn(3) ? world.changed(cluster) : cluster;
        }
    }

    private static Optional<Placement> placement(Decision decision) {
        return decision instanceof Placed placed ? Optional.of(placed.placement()) : Optional.empty();
    }

    @Property(tries = 80)
    void whatIsPlacedAndReleasedLeavesNothingBehind(@ForAll long seed) {
        RuledWorld world = new RuledWorld(seed);
        Cluster before = world.cluster(5);
        Cluster cluster = before;
        List<Placement> placed = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            Optional<Placement> found = placement(GpuScheduler.create().schedule(cluster, world.pod()));
            if (found.isPresent()) {
                placed.add(found.get());
                cluster = cluster.with(found.get());
            }
        }
        Cluster again = Cluster.of(cluster.nodes().stream().map(NodeState::node).toList(), placed);
        again.validate();
        while (!placed.isEmpty()) {
            cluster = cluster.without(placed.remove(placed.size() / 2));
            cluster.validate();
        }
        assertThat(cluster).isEqualTo(before);
    }
}
