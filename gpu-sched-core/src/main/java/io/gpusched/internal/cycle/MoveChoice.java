package io.gpusched.internal.cycle;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.PendingReason;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Who may move for a request: anybody, if each of them finds another place. */
final class MoveChoice implements VictimChoice {
    private static final Comparator<Victim> LARGEST_FIRST =
            Comparator.comparingLong(victim -> -victim.held()[ResourceTable.GPU]);

    private final Cycle cycle;
    private final VictimPool all;
    private final Iterator<Victim> next;
    private final Map<Victim, List<Placement>> places = new HashMap<>();

    /** Jobs of one pod on a node, of which so many have to move off it at least. */
    private record OnNode(List<Victim> victims, int least, long gpus) {}

    MoveChoice(Cycle cycle) {
        this.cycle = cycle;
        this.all = cycle.victims().all();
        this.next = all.victims().iterator();
    }

    @Override
    public @Nullable Victim next() {
        return next.hasNext() ? next.next() : null;
    }

    @Override
    public boolean isEmpty() {
        return all.isEmpty();
    }

    @Override
    public List<Victim> all() {
        return List.copyOf(all.victims());
    }

    @Override
    public int pods() {
        return all.pods();
    }

    /**
     * Returns jobs of one pod that might move off a node for a pod, node by node, so many nodes: where the fewest have to first, then
     * where they hold the fewest GPUs. Who holds as many as are asked for does not move: where it went there would be room without it.
     */
    List<List<Victim>> byNode(Ask ask, int most) {
        long asked = ask.asked()[ResourceTable.GPU];
        Map<String, List<Victim>> byNode = new LinkedHashMap<>();
        for (Victim victim : all.victims()) {
            boolean isSingle = victim.isLast() && victim.job().running.size() == 1;
            if (isSingle && (asked == 0 || victim.held()[ResourceTable.GPU] < asked)) {
                String node = victim.placements().get(0).node();
                byNode.computeIfAbsent(node, any -> new ArrayList<>()).add(victim);
            }
        }
        List<OnNode> nodes = new ArrayList<>();
        byNode.forEach((node, victims) -> nodes.add(onNode(node, victims, asked)));
        return nodes.stream()
                .filter(one -> one.least() > 0)
                .sorted(Comparator.comparingInt(OnNode::least).thenComparingLong(OnNode::gpus))
                .limit(most)
                .map(OnNode::victims)
                .toList();
    }

    /** As many have to move as make as much free as is asked, the largest first; none where all are too few. */
    private OnNode onNode(String node, List<Victim> victims, long asked) {
        long[] held = victims.stream()
                .mapToLong(victim -> victim.held()[ResourceTable.GPU])
                .sorted()
                .toArray();
        long free = cycle.snapshots.later().node(node).orElseThrow().freeComputeMillis();
        int least = 0;
        while (least < held.length && (least == 0 || free < asked)) {
            free += held[held.length - ++least];
        }
        return new OnNode(victims, free < asked ? 0 : least, LongStream.of(held).sum());
    }

    /** Nothing is gained by moves alone. */
    @Override
    public long most(int resource) {
        return 0;
    }

    /** The small ones move: they find another place more easily. */
    @Override
    public List<Victim> dearestFirst(List<Victim> out) {
        List<Victim> order = new ArrayList<>(out);
        Collections.reverse(order);
        order.sort(LARGEST_FIRST);
        return order;
    }

    /** Finds new places for all who move, the dearest first. */
    @Override
    public @Nullable PendingReason forbids(List<Victim> victims, List<Placement> placements) {
        places.clear();
        ClusterBatch batch = cycle.snapshots.later().batch();
        victims.forEach(victim -> victim.placements().forEach(placement -> batch.release(placement.pod())));
        Cluster cluster = batch.build().withAll(placements);
        for (int i = victims.size() - 1; i >= 0; i--) {
            Victim victim = victims.get(i);
            Placers.Answer answer = Placers.place(cycle.placers.probe(), cluster, victim.again());
            if (!answer.isPlaced()) {
                return new PendingReason.NoMove(victim.job().name(), Certainty.LIMIT);
            }
            cluster = cluster.withAll(answer.placements());
            places.put(victim, inOrder(victim.placements(), answer.placements()));
        }
        return null;
    }

    private static List<Placement> inOrder(List<Placement> from, List<Placement> to) {
        List<Placement> ordered = new ArrayList<>();
        for (Placement placement : from) {
            to.stream().filter(other -> other.pod().equals(placement.pod())).forEach(ordered::add);
        }
        return ordered;
    }

    /** The new places of one who moves, in the order of the old ones. */
    @Override
    public List<Placement> placesOf(Victim victim) {
        return places.getOrDefault(victim, List.of());
    }
}
