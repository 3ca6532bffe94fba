package io.gpusched.internal.rank;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** A heap of groups whose nodes come and go, against a look at all groups. */
class RankingHeapProperties {
    private static final List<NodeState> NODES = nodes();

    private static List<NodeState> nodes() {
        List<Node> machines = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            machines.add(Node.builder("n%02d".formatted(i)).capacity(1, 1).build());
        }
        return Cluster.of(machines).nodes();
    }

    /** A group, the score of its nodes, and the model of what it holds. */
    private static final class Group {
        private final long score;
        private final List<NodeState> members = new ArrayList<>();
        private NodeGroup real = new NodeGroup();

        Group(long score) {
            this.score = score;
        }

        long score() {
            return score;
        }

        List<NodeState> members() {
            return members;
        }

        NodeGroup real() {
            return real;
        }

        /** A group that was left by all is forgotten; nodes that score like them form another. */
        boolean add(NodeState node) {
            real = members.isEmpty() ? new NodeGroup() : real;
            members.add(node);
            return real.add(node);
        }

        Optional<NodeState> first() {
            return members.stream().min(Comparator.comparingLong(NodeAccess::order));
        }
    }

    private final NodeGroups owner = NodeGroups.of(Cluster.of(List.of()), NodeRange.EVERYWHERE, Occupancy.STRATEGY);

    @Property(tries = 300)
    void top_isTheFirstNodeOfTheBestGroup_orOneThatWasDropped(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int count, @ForAll boolean trims) {
        SplittableRandom random = new SplittableRandom(seed);
        RankingHeap heap = new RankingHeap(owner);
        List<Group> groups = new ArrayList<>();
        for (int g = 0; g < count; g++) {
            long score = random.nextInt(8) == 0 ? Long.MIN_VALUE : random.nextInt(4);
            groups.add(new Group(score));
        }
        for (int step = 0; step < 300; step++) {
            move(random, groups, heap);
            if (random.nextInt(3) == 0) {
                checkWalk(random, groups, heap);
            }
            if (trims && random.nextInt(40) == 0) {
                heap.trim(random.nextInt(5));
            }
            check(groups, heap);
        }
    }

    /** Takes a node out of its group, if it is in one, and puts it into another, or into none. */
    private static void move(SplittableRandom random, List<Group> groups, RankingHeap heap) {
        NodeState node = NODES.get(random.nextInt(NODES.size()));
        for (Group group : groups) {
            if (group.members().remove(node)) {
                group.real().remove(node);
            }
        }
        int to = random.nextInt(groups.size() + 1);
        if (to < groups.size()) {
            Group group = groups.get(to);
            if (group.add(node)) {
                heap.push(group.score(), group.real());
            }
        }
    }

    /** The best node that passes a test, by a walk and by a look at all nodes; and only the walk's steps limit it. */
    private static void checkWalk(SplittableRandom random, List<Group> groups, RankingHeap heap) {
        int passing = random.nextInt(1 << 10) << random.nextInt(20);
        Predicate<NodeState> test = node -> (passing >> NODES.indexOf(node) & 1) != 0;
        Optional<NodeState> best = groups.stream()
                .flatMap(group -> group.members().stream().filter(test).map(node -> new Ranked(group.score(), node)))
                .min(Comparator.comparingLong(Ranked::score)
                        .reversed()
                        .thenComparing(ranked -> NodeAccess.order(ranked.node())))
                .map(Ranked::node);
        RankingWalk walk = new RankingWalk(Map.of(heap, 0L), 10_000);
        NodeState found = walk.first(test);
        boolean isUnsure = walk.isUnsure();
        walk.finish();
        if (!isUnsure) {
            assertThat(Optional.ofNullable(found)).isEqualTo(best);
        } else {
            assertThat(heap.hasFloor()).isTrue();
        }
    }

    private record Ranked(long score, NodeState node) {}

    @Test
    void first_passesByEntriesOfGroupsThatWereLeft_onlyOnce() {
        RankingHeap heap = new RankingHeap(owner);
        for (int i = 0; i < 29; i++) {
            NodeGroup left = new NodeGroup();
            left.add(NODES.get(i));
            heap.push(5, left);
            left.remove(NODES.get(i));
        }
        NodeGroup last = new NodeGroup();
        last.add(NODES.get(29));
        heap.push(1, last);
        RankingWalk walk = new RankingWalk(Map.of(heap, 0L), 100);
        assertThat(walk.first(node -> true)).isEqualTo(NODES.get(29));
        walk.finish();
        RankingWalk next = new RankingWalk(Map.of(heap, 0L), 1);
        assertThat(next.first(node -> true)).isEqualTo(NODES.get(29));
        assertThat(next.isUnsure()).isFalse();
    }

    private static void check(List<Group> groups, RankingHeap heap) {
        groups.forEach(
                group -> assertThat(Optional.ofNullable(group.real().first())).isEqualTo(group.first()));
        Optional<Group> best = groups.stream()
                .filter(group -> !group.members().isEmpty())
                .max(Comparator.comparingLong(Group::score)
                        .thenComparing(group -> -NodeAccess.order(group.first().orElseThrow())));
        NodeState top = heap.top();
        if (top != null) {
            assertThat(Optional.of(top)).isEqualTo(best.flatMap(Group::first));
            assertThat(heap.topScore()).isEqualTo(best.orElseThrow().score());
        } else if (heap.hasFloor()) {
            best.ifPresent(group -> assertThat(group.score()).isLessThanOrEqualTo(heap.floorScore()));
        } else {
            assertThat(best).isEmpty();
        }
        assertThat(heap.size()).isLessThanOrEqualTo(64 + 2 * groups.size());
    }
}
