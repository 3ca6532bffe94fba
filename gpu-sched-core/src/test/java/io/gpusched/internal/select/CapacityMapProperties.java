package io.gpusched.internal.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.internal.index.NodeSummaryEncoder;
import io.gpusched.internal.tree.Lanes;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** Which slots a search by capacity and sets visits, against a look at every node. */
class CapacityMapProperties {
    private static final int SLOTS = 6_000;

    private final Cluster cluster = Cluster.of(
            List.of(Node.builder("n").capacity(8_000, 8_000).gpus(4, Nodes.BIG).build()));
    private final NodeState empty = cluster.node(0);
    private final NodeClass nodeClass = empty.nodeClass();
    private final NodeSummaryEncoder encoder = NodeSummaryEncoder.of(nodeClass.capacity());

    /** The node after a few random pods. */
    private NodeState state(Random random) {
        NodeState node = empty;
        for (int i = random.nextInt(5); i > 0; i--) {
            Resources some = Resources.of(random.nextInt(3_000), random.nextInt(3_000));
            GpuRequest gpu = random.nextBoolean()
                    ? GpuRequest.percent(10 + random.nextInt(90))
                    : random.nextBoolean() ? GpuRequest.none() : GpuRequest.exclusive(1 + random.nextInt(2));
            NodeState before = node;
            node = GpuScheduler.create()
                    .place(before, Pod.of("p" + i, some, gpu))
                    .map(before::with)
                    .orElse(before);
        }
        return node;
    }

    private static CapacityQuery query(Random random) {
        Resources least = Resources.of(random.nextInt(8_000), random.nextInt(8_000));
        return switch (random.nextInt(5)) {
            case 0 -> CapacityQuery.of(least);
            case 1 -> CapacityQuery.withIdleGpus(random.nextInt(5), least);
            case 2 -> CapacityQuery.emptyNode(least);
            case 3 -> CapacityQuery.withComputeLevel(random.nextInt(101), least);
            default -> CapacityQuery.withMemoryLevel(random.nextInt(101), least);
        };
    }

    private boolean isIn(@Nullable NodeState node, CapacityQuery query) {
        if (node == null) {
            return false;
        }
        long digest = encoder.digest(node);
        long[] more = encoder.moreBuckets(node);
        long buckets = (query.word() == 0 ? encoder.buckets(digest) : 0) | (more == null ? 0 : more[query.word()]);
        return (buckets & query.mask()) != 0 && Lanes.covers(encoder.entry(digest), query.least(nodeClass));
    }

    private static List<Integer> visited(CapacityWalk walk) {
        List<Integer> visited = new ArrayList<>();
        for (int slot = walk.next(); slot >= 0; slot = walk.next()) {
            visited.add(slot);
        }
        return visited;
    }

    @Property(tries = 25)
    void aWalkVisitsExactlyTheSlotsThatAreMeant_whateverChanged(@ForAll Random random) {
        NodeState[] states = new NodeState[SLOTS];
        List<NodeState> some =
                IntStream.range(0, 40).mapToObj(i -> state(random)).toList();
        CapacityMap map = new CapacityMap();
        int within = random.nextBoolean() ? 300 : SLOTS;
        for (int round = 0; round < 12; round++) {
            for (int i = random.nextInt(round == 0 ? 4 * within : 200); i > 0; i--) {
                int slot = random.nextInt(within);
                NodeState after = random.nextInt(5) == 0 ? null : some.get(random.nextInt(some.size()));
                map.replace(slot, states[slot], after, encoder);
                states[slot] = after;
            }
            for (int i = 0; i < 20; i++) {
                check(map, states, query(random), sets(random), random.nextInt(within));
            }
        }
    }

    private static SlotSet[] sets(Random random) {
        SlotSet[] sets = new SlotSet[random.nextInt(3)];
        for (int i = 0; i < sets.length; i++) {
            int each = 1 + random.nextInt(30);
            sets[i] = new SlotSet();
            for (int slot = random.nextInt(each); slot < SLOTS; slot += 1 + random.nextInt(each)) {
                sets[i].add(slot);
            }
        }
        return sets;
    }

    private void check(CapacityMap map, NodeState[] states, CapacityQuery query, SlotSet[] sets, int from) {
        List<Integer> expected = IntStream.range(0, SLOTS)
                .filter(slot -> isIn(states[slot], query))
                .filter(slot -> Arrays.stream(sets).allMatch(set -> set.contains(slot)))
                .boxed()
                .toList();
        long least = query.least(nodeClass);
        assertThat(visited(map.walk(query, least, sets, 0))).isEqualTo(expected);
        CapacityWalk walk = map.walk(query, least, sets, from);
        assertThat(visited(walk))
                .isEqualTo(expected.stream().filter(slot -> slot >= from).toList());
        assertThat(walk.accepts(from)).isEqualTo(expected.contains(from));
    }

    @Property(tries = 20)
    void theNextBucketIsTheFirstThatAnyNodeIsIn(@ForAll Random random) {
        CapacityMap map = new CapacityMap();
        NodeState node = state(random);
        map.replace(random.nextInt(SLOTS), null, node, encoder);
        map.replace(SLOTS, null, empty, encoder);
        map.replace(SLOTS, empty, null, encoder);
        long[] more = encoder.moreBuckets(node);
        for (int bucket = 0; bucket < 256; bucket++) {
            long bits =
                    (bucket < 64 ? encoder.buckets(encoder.digest(node)) : 0) | (more == null ? 0 : more[bucket >> 6]);
            boolean isIn = (bits >>> bucket & 1) != 0;
            assertThat(map.nextBucket(bucket, bucket + 1)).isEqualTo(isIn ? bucket : -1);
        }
    }
}
