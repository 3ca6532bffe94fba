package io.gpusched.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes moves one after the other and checks that each is legal by then. */
final class MoveChecks {
    private static final GpuScheduler SCHEDULER = GpuScheduler.create();

    private MoveChecks() {}

    /** Returns the cluster with the moves made. */
    static Cluster made(Cluster cluster, List<Move> moves, MoveLimits limits) {
        Cluster now = cluster;
        for (Move move : moves) {
            assertThat(move.from())
                    .allSatisfy(held -> assertThat(limits.mayMove().test(held)).isTrue());
            for (DisruptionBudget budget : limits.budgets()) {
                assertThat(move.pods()).filteredOn(budget.pods()::contains).hasSizeLessThanOrEqualTo(budget.allowed());
            }
            now = made(now, move);
            assertThat(splitGroups(now)).isSubsetOf(splitGroups(cluster));
        }
        assertThat(moves.stream().mapToInt(move -> move.pods().size()).sum()).isLessThanOrEqualTo(limits.most());
        return now;
    }

    private static Cluster made(Cluster cluster, Move move) {
        Cluster now = cluster;
        for (Placement held : move.from()) {
            assertThat(now.placement(held.pod())).contains(held);
            now = now.without(held.pod());
        }
        for (Placement place : move.to()) {
            Pod pod = Pod.of(place).orElseThrow();
            assertThat(SCHEDULER.whyNot(now, place.node(), pod))
                    .as("%s to %s", pod, place.node())
                    .isEmpty();
            now = now.with(place);
        }
        now.validate();
        assertThat(move.applyTo(cluster)).isEqualTo(now).isEqualTo(rebuilt(now));
        assertThat(now.placements().stream().map(Pod::of).toList())
                .containsExactlyInAnyOrderElementsOf(
                        cluster.placements().stream().map(Pod::of).toList());
        return now;
    }

    /** Everything placed once more on empty nodes, so that nothing can be held twice. */
    private static Cluster rebuilt(Cluster cluster) {
        return Cluster.of(cluster.nodes().stream().map(NodeState::node).toList(), cluster.placements());
    }

    /** The groups that demand to be in one domain or on one node, and are not. */
    private static Set<String> splitGroups(Cluster cluster) {
        Map<String, Object> at = new HashMap<>();
        Set<String> split = new HashSet<>();
        for (Placement held : cluster.placements()) {
            for (GroupMembership group : held.group().map(GroupMembership::all).orElse(List.of())) {
                Object where = where(cluster.node(held.node()).orElseThrow(), group.locality());
                String name = held.pod().namespace() + "/" + group.path();
                if (group.locality().isBinding()
                        && !where.equals(
                                Optional.ofNullable(at.putIfAbsent(name, where)).orElse(where))) {
                    split.add(name);
                }
            }
        }
        return split;
    }

    private static Object where(NodeState node, Locality locality) {
        return locality.scope() == Locality.Scope.NODE
                ? node.name()
                : node.node().topology().upTo(locality.level());
    }
}
