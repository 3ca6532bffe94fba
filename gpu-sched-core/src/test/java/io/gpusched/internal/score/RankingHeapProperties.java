package io.gpusched.internal.score;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

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
    private record Group(NodeGroup real, long score, List<NodeState> members) {
        Optional<NodeState> first() {
            return members.stream().min(Comparator.comparingLong(NodeAccess::order));
        }
    }

    private final NodeGroups owner = NodeGroups.of(Cluster.of(List.of()), Occupancy.STRATEGY);

    @Property(tries = 300)
    void top_isTheFirstNodeOfTheBestGroup_orOneThatWasDropped(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int count, @ForAll boolean trims) {
        SplittableRandom random = new SplittableRandom(seed);
        RankingHeap heap = new RankingHeap(owner);
        List<Group> groups = new ArrayList<>();
        for (int g = 0; g < count; g++) {
            long score = random.nextInt(8) == 0 ? Long.MIN_VALUE : random.nextInt(4);
            groups.add(new Group(new NodeGroup(), score, new ArrayList<>()));
        }
        for (int step = 0; step < 300; step++) {
            move(random, groups, heap);
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
            group.members().add(node);
            if (group.real().add(node)) {
                heap.push(group.score(), group.real());
            }
        }
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
