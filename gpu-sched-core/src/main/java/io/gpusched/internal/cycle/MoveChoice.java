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
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who may move for a request: anybody, if each of them finds another place. */
final class MoveChoice implements VictimChoice {
    private static final Comparator<Victim> LARGEST_FIRST =
            Comparator.comparingLong(victim -> -victim.held()[ResourceTable.GPU]);

    private final Cycle cycle;
    private final VictimPool all;
    private final Iterator<Victim> next;
    private final Map<Victim, List<Placement>> places = new HashMap<>();

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
