package io.gpusched.internal.search;

import static io.gpusched.internal.search.Machines.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.RandomFit;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many nodes random fit draws, and what it takes where no draw hits one with room. */
class RandomSearchTest {
    private static final int NODES = 90;
    private static final int DRAWS = 32;
    private static final Pod POD = pod(GpuRequest.exclusive(1));

    /** The draws of a pod by one seed. */
    private record Draws(RandomFit policy, List<Integer> nodes) {
        /** Those of the first seed by which a condition holds. */
        static Draws first(Predicate<Draws> condition) {
            return IntStream.range(0, 100_000)
                    .mapToObj(seed -> of(RandomFit.of(seed)))
                    .filter(condition)
                    .findFirst()
                    .orElseThrow();
        }

        private static Draws of(RandomFit policy) {
            return new Draws(
                    policy,
                    IntStream.rangeClosed(0, DRAWS)
                            .mapToObj(draw -> (int) Math.floorMod(policy.hash(POD.id(), draw), (long) NODES))
                            .toList());
        }

        /** The node where the search goes on once all draws have missed. */
        int start() {
            return nodes.get(DRAWS);
        }

        /** The nodes that are not drawn, in node order from the start on. */
        List<Integer> missed() {
            Set<Integer> drawn = Set.copyOf(nodes.subList(0, DRAWS));
            return IntStream.range(0, NODES)
                    .mapToObj(step -> (start() + step) % NODES)
                    .filter(node -> !drawn.contains(node))
                    .toList();
        }

        long score(int node) {
            NodeState before = cluster(Set.of(node)).node(node);
            Placement place = GpuScheduler.create().place(before, POD).orElseThrow();
            return policy.score(before, before.with(place), POD);
        }

        int best(List<Integer> some) {
            return some.stream().max(Comparator.comparingLong(this::score)).orElseThrow();
        }

        String placed(Integer... withRoom) {
            Cluster cluster = cluster(Set.of(withRoom));
            return new RandomSearch(Machines.query(cluster, POD), policy).draw().node();
        }
    }

    /** A cluster in which these nodes alone have a GPU. */
    private static Cluster cluster(Set<Integer> withRoom) {
        List<Node> nodes = new ArrayList<>();
        for (int n = 0; n < NODES; n++) {
            nodes.add(Machines.node(n, withRoom.contains(n) ? 1 : 0).build());
        }
        return Cluster.of(nodes);
    }

    private static String name(int node) {
        return "n%02d".formatted(node);
    }

    @Test
    void nodeOfTheLastDraw_isTakenThoughAnotherScoresHigher() {
        Draws draws = Draws.first(some -> some.nodes().indexOf(some.nodes().get(DRAWS - 1)) == DRAWS - 1
                && some.score(some.missed().get(0)) > some.score(some.nodes().get(DRAWS - 1)));
        int last = draws.nodes().get(DRAWS - 1);

        assertThat(draws.placed(last, draws.missed().get(0))).isEqualTo(name(last));
    }

    @Test
    void nodeAfterTheLastDraw_isTakenOnlyIfItScoresHighest() {
        Draws draws = Draws.first(some ->
                some.missed().get(0) == some.start() && some.score(some.missed().get(1)) > some.score(some.start()));

        assertThat(draws.placed(draws.start(), draws.missed().get(1)))
                .isEqualTo(name(draws.missed().get(1)));
    }

    @Test
    void whereNoDrawHits_theBestOfTheNextEightNodesWithRoomIsTaken() {
        Draws draws = Draws.first(some -> some.start() < NODES / 2 && isBestAmongTheFirstEightOfTwelve(some));
        List<Integer> withRoom = draws.missed().subList(0, 12);

        assertThat(draws.placed(withRoom.toArray(Integer[]::new))).isEqualTo(name(draws.best(withRoom.subList(0, 8))));
    }

    @Test
    void afterTheLastNode_theFirstFollows() {
        Draws draws = Draws.first(some -> some.missed().subList(0, 4).stream().allMatch(node -> node >= some.start())
                && some.missed().get(4) < some.start()
                && isBestAmongTheFirstEightOfTwelve(some));
        List<Integer> withRoom = draws.missed().subList(0, 12);

        assertThat(draws.placed(withRoom.toArray(Integer[]::new))).isEqualTo(name(draws.best(withRoom.subList(0, 8))));
    }

    @Test
    void whereEightAreFoundUpToTheLastNode_theFirstDoesNotFollow() {
        Draws draws = Draws.first(some -> some.missed().subList(0, 8).stream().allMatch(node -> node >= some.start())
                && some.missed().get(8) < some.start()
                && isBestAmongTheFirstEightOfTwelve(some));
        List<Integer> withRoom = draws.missed().subList(0, 12);

        assertThat(draws.placed(withRoom.toArray(Integer[]::new))).isEqualTo(name(draws.best(withRoom.subList(0, 8))));
    }

    /** Whether the best of the first eight is not their first, and one of the four after them is better. */
    private static boolean isBestAmongTheFirstEightOfTwelve(Draws draws) {
        List<Integer> twelve = draws.missed().subList(0, 12);
        int best = draws.best(twelve.subList(0, 8));
        return best != twelve.get(0) && draws.best(twelve) != best;
    }
}
